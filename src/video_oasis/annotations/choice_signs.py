"""Signs that a file has choices where none were found, so that it is not taken for open questions.

A multiple-choice file that is read as open questions by mistake gives numbers that look sound. A
file of open questions that shows one of these signs costs its owner one line in the mapping.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Final, NamedTuple

from video_oasis.annotations.choice_lists import parse_choices
from video_oasis.annotations.gold import fold_text, is_letter
from video_oasis.annotations.guess import means_something_else, plain_name
from video_oasis.annotations.inline import has_choices_on_one_line
from video_oasis.annotations.labels import find_label
from video_oasis.annotations.rows import RawRow, RowFault

_LEADING_WORD: Final = re.compile(r"\s*(?:option|choice|answer)\b[\s:]*", re.IGNORECASE)
_SERIES_NAME: Final = re.compile(r"(.*?)(\d+|[a-z])")
_MIN_SERIES: Final = 3
_SEPARATORS: Final = ("|", ";")


class _File(NamedTuple):
    """What the signs are looked for in.

    Attributes:
        rows: all rows.
        question: column of the question.
        answers: the answers that are not empty, as text, each with its row.
        free: the columns whose names say nothing of what they hold.
    """

    rows: Sequence[RawRow]
    question: str
    answers: Sequence[tuple[RawRow, str]]
    free: Sequence[str]


def find_sign_of_choices(
    rows: Sequence[RawRow],
    columns: Sequence[str],
    *,
    question: str,
    answer: str,
    used: AbstractSet[str],
) -> str | None:
    """Find the first sign that a file without readable choices has some after all.

    Args:
        rows: all rows.
        columns: all columns.
        question: column of the question.
        answer: column of the answer.
        used: the columns that are known to be no choices.

    Returns:
        What speaks for choices, as part of a sentence; None if nothing does.
    """
    answers = [(row, str(row.columns.get(answer))) for row in rows if not _is_empty(row, answer)]
    free = [
        column
        for column in columns
        if column not in used and not means_something_else(column, rows)
    ]
    file = _File(rows, question, answers, free)
    return next((sign for find in _SIGNS if (sign := find(file))), None)


def _find_no_answers(file: _File) -> str | None:
    return None if file.answers else "no row has an answer to go by"


def _find_letters(file: _File) -> str | None:
    letters = [text for _, text in file.answers if _names_letter(text)]
    if 2 * len(letters) < len(file.answers):
        return None
    return f"{len(letters)} of {len(file.answers)} answers name a letter, such as {letters[0]!r}"


def _find_lists(file: _File) -> str | None:
    for row in file.rows:
        for column, value in row.columns.items():
            if _is_list(value):
                return f"{row.file} row {row.number} has a list in {column!r}"
    return None


def _find_separators(file: _File) -> str | None:
    for column in file.free:
        for separator in _SEPARATORS:
            n_separated = sum(separator in str(row.columns.get(column)) for row in file.rows)
            if 2 * n_separated > len(file.rows):
                return f"most texts in {column!r} are separated by {separator!r}"
    return None


def _find_answers_elsewhere(file: _File) -> str | None:
    found = [
        column
        for row, text in file.answers
        if (column := _find_column(row, text, file.free)) is not None
    ]
    if 2 * len(found) < len(file.answers):
        return None
    return (
        f"{len(found)} of {len(file.answers)} answers stand in another column too, such as "
        f"{found[0]!r}"
    )


def _find_series(file: _File) -> str | None:
    series: dict[tuple[str, bool], dict[int, str]] = defaultdict(dict)
    for column in file.free:
        found = _SERIES_NAME.fullmatch(plain_name(column))
        if found and _holds_texts(file.rows, column):
            is_number = found[2].isdigit()
            place = int(found[2]) if is_number else ord(found[2])
            series[found[1], is_number][place] = column
    for members in series.values():
        for first in members:
            run = [members.get(first + step) for step in range(_MIN_SERIES)]
            if None not in run:
                return f"the columns {', '.join(map(repr, run))} look like a series of choices"
    return None


def _find_choices_in_questions(file: _File) -> str | None:
    for row in file.rows:
        if has_choices_on_one_line(str(row.columns.get(file.question))):
            return (
                f"{row.file} row {row.number} seems to have some on one line of its question, "
                f"where they are not read: each must start a line of its own"
            )
    return None


# Without answers there are no shares of them, so that sign comes first.
_SIGNS: Final[tuple[Callable[[_File], str | None], ...]] = (
    _find_no_answers,
    _find_letters,
    _find_lists,
    _find_separators,
    _find_answers_elsewhere,
    _find_series,
    _find_choices_in_questions,
)


def _is_empty(row: RawRow, column: str) -> bool:
    value = row.columns.get(column)
    return value is None or not str(value).strip()


def _names_letter(answer: str) -> bool:
    """Tell whether an answer is a letter or begins with one as a label: C, (C) red, option C."""
    text = _LEADING_WORD.sub("", answer, count=1)
    return is_letter(text) or find_label(text) is not None


def _is_list(value: Any) -> bool:
    try:
        parsed = parse_choices(value, separator=None, column="")
    except RowFault:
        return False
    if isinstance(parsed, dict):
        parsed = [text for text in parsed.values() if text is not None]
    return (
        isinstance(parsed, list)
        and len(parsed) > 1
        and all(isinstance(item, str | int | float | dict) for item in parsed)
    )


def _find_column(row: RawRow, text: str, columns: Sequence[str]) -> str | None:
    wanted = fold_text(text)
    there = (column for column in columns if not _is_empty(row, column))
    return next((column for column in there if fold_text(str(row.columns[column])) == wanted), None)


def _holds_texts(rows: Sequence[RawRow], column: str) -> bool:
    texts = [row for row in rows if isinstance(row.columns.get(column), str)]
    return 2 * sum(not _is_empty(row, column) for row in texts) > len(rows)
