"""What the columns of an unknown file are, guessed from their names and values."""

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from video_oasis.annotations.gold import AnswerForm, Fault, read_target
from video_oasis.annotations.labels import strip_labels
from video_oasis.annotations.rows import RawRow
from video_oasis.annotations.times import read_clock
from video_oasis.errors import BenchmarkError

# Names as they are after plain_name, the surer ones first.
_COMMON_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "question": ("question", "questiontext", "query", "prompt", "q"),
    "choices": (
        "options",
        "choices",
        "candidates",
        "option",
        "choice",
        "answerchoices",
        "answeroptions",
        "candidateanswers",
    ),
    "answer": (
        "answer",
        "correctanswer",
        "correctchoice",
        "correctoption",
        "answeridx",
        "answerindex",
        "answerid",
        "answerchoice",
        "answerletter",
        "correctidx",
        "correct",
        "groundtruth",
        "gold",
        "target",
        "label",
        "gt",
        "reference",
        "referenceanswer",
        "goldanswer",
        "groundtruthanswer",
    ),
    "id": ("id", "questionid", "qid", "uid", "sampleid", "questionidx", "key"),
    "video": (
        "video",
        "videopath",
        "videofile",
        "videofilename",
        "videoname",
        "videoid",
        "videoidx",
        "clip",
        "clippath",
        "vid",
    ),
    "start_seconds": ("startseconds", "starttime", "start", "startsec", "clipstart"),
    "end_seconds": ("endseconds", "endtime", "end", "endsec", "clipend"),
    "duration_seconds": ("durationseconds", "duration", "videoduration", "durationsec"),
    "task": ("task", "tasktype", "questiontype", "questioncategory", "category", "type"),
}
_SERIES_NAME: Final = re.compile(r"(option|choice|answerchoice|candidate|opt|a|)(\d|[a-z])")
_TIMES: Final = ("start_seconds", "end_seconds", "duration_seconds")


class Asked(NamedTuple):
    """What is needed of a row to see how its answer is to be read.

    Attributes:
        answer: the published answer.
        choices: the choices as published.
        labels: their labels, where these are published apart.
    """

    answer: object
    choices: tuple[str, ...]
    labels: tuple[str, ...] | None


def guess_column(setting: str, columns: Sequence[str], rows: Sequence[RawRow]) -> str | None:
    """Guess which column one of the mapping's settings means, None if none looks like it.

    A column counts only if its values fit too: times must be times, ids must not repeat.

    Args:
        setting: ``question``, ``answer``, ``id`` and so on.
        columns: the columns not yet in use.
        rows: all rows.
    """
    by_name: dict[str, str] = {}
    for column in columns:
        by_name.setdefault(plain_name(column), column)
    for name in _COMMON_NAMES[setting]:
        if name in by_name and _fits(setting, [row.columns.get(by_name[name]) for row in rows]):
            return by_name[name]
    return None


def means_something_else(column: str, rows: Sequence[RawRow]) -> bool:
    """Tell whether a column looks like any of the mapping's settings but the choices."""
    return any(
        guess_column(setting, [column], rows) for setting in _COMMON_NAMES if setting != "choices"
    )


def guess_choice_columns(columns: Sequence[str], rows: Sequence[RawRow]) -> tuple[str, ...] | None:
    """Guess which columns hold the choices: one with all, or a series such as option_a, option_b.

    Returns:
        The columns; None if none look like it.
    """
    if one := guess_column("choices", columns, rows):
        return (one,)
    series: dict[str, dict[str, str]] = {}
    for column in columns:
        if found := _SERIES_NAME.fullmatch(plain_name(column)):
            series.setdefault(found[1], {})[found[2]] = column
    for members in series.values():
        for marks in ("abcdefghijklmnopqrstuvwxyz", "0123456789", "123456789"):
            run = [members[mark] for mark in marks[: len(members)] if mark in members]
            if len(run) == len(members) >= 2:
                return tuple(run)
    return None


def decide_answer_form(asked: Sequence[Asked], *, where: str) -> AnswerForm:
    """Decide how a file's answers name the choices: by the reading that fits the most rows.

    Whole numbers may count from 0 or from 1, and only the data can tell: a 0 occurs, or the number
    of choices does. Forms that fit equally many rows are fine if they mean the same choices.

    Args:
        asked: the rows that have choices.
        where: the file and column, for messages.

    Raises:
        BenchmarkError: no form fits half of the rows, or the data cannot decide between two.
    """
    readings = {form: [_target(row, form) for row in asked] for form in AnswerForm}
    n_read = {
        form: sum(target is not None for target in targets) for form, targets in readings.items()
    }
    most = max(n_read.values())
    if 2 * most < len(asked) or not most:
        example = next((row for row in asked if row.answer not in (None, "")), None)
        found = f", such as {example.answer!r}," if example else ""
        raise BenchmarkError(
            f"{where}: the answers{found} are neither letters, indices nor texts of the choices; "
            f"name the right answer column, or say that there are no choices (choices = [])"
        )
    best, *rivals = [form for form in AnswerForm if n_read[form] == most]
    for rival in rivals:
        if readings[rival] != readings[best]:
            raise BenchmarkError(
                f"{where}: the answers can be read as {best} or as {rival}, which makes other "
                f"choices right, and nothing in the file decides; set answer_form"
            )
    return best


def _target(row: Asked, form: AnswerForm) -> int | None:
    target = read_target(
        row.answer, strip_labels(row.choices), form, labels=row.labels, published=row.choices
    )
    return None if isinstance(target, Fault) else target


def plain_name(column: str) -> str:
    """Return a column's name without case, spaces and signs, for comparing names."""
    return re.sub(r"[\W_]+", "", column).lower()


def _fits(setting: str, values: Sequence[object]) -> bool:
    there = [str(value) for value in values if value not in (None, "")]
    if setting in _TIMES:
        return all(read_clock(text) is not None for text in there)
    if setting == "id":
        return len(set(there)) == len(values)
    return True
