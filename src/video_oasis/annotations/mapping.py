"""Which column of a user's own file is what, from flags or a small TOML file."""

import dataclasses
import difflib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from video_oasis.annotations.gold import AnswerForm
from video_oasis.errors import BenchmarkError, SettingsError
from video_oasis.toml_file import read_toml

_NEAR = 0.5


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMapping:
    """How to read a file of one's own. A setting that is None is guessed or, failing that, absent.

    Attributes:
        name: the benchmark's name; guessed from the file's.
        group: the benchmark's group.
        split: the split to read of a folder with several.
        question: column of the question.
        choices: one column with a list, a mapping such as ``{"A": "red"}``, JSON, or text; or
            several columns with one choice each; or none: then the choices stand below the question
            in its own column, each on a line with its label, and a question without is open.
        choices_separator: what separates the choices where one column holds them as text.
        answer: column of the right answer.
        answer_form: how the answer names a choice.
        id: column of the sample ids; without one, ids are made from the rows' content.
        video: column of the videos' paths; without one, every question is taken to be about a video
            of its own, which makes error bars too narrow if questions do share videos.
        start_seconds: column of the clip's start, in seconds or as ``h:m:s``.
        end_seconds: column of the clip's end, likewise.
        duration_seconds: column of the whole video's length, likewise.
        task: column of the kind of question; without one, all are of one task named as the
            benchmark.
    """

    name: str | None = None
    group: str = "custom"
    split: str | None = None
    question: str | None = None
    choices: tuple[str, ...] | None = None
    choices_separator: str | None = None
    answer: str | None = None
    answer_form: AnswerForm | None = None
    id: str | None = None
    video: str | None = None
    start_seconds: str | None = None
    end_seconds: str | None = None
    duration_seconds: str | None = None
    task: str | None = None

    def named_columns(self) -> Iterator[tuple[str, str]]:
        """Give each setting that names a column, with the column."""
        for setting in _COLUMN_SETTINGS:
            column = getattr(self, setting)
            if column is not None:
                yield setting, column
        for column in self.choices or ():
            yield "choices", column

    def override(self, flags: Mapping[str, Any]) -> "ColumnMapping":
        """Return this mapping with the settings that are not None among the flags."""
        given = {name: value for name, value in flags.items() if value is not None}
        return dataclasses.replace(self, **given)


_COLUMN_SETTINGS: Final = (
    "question",
    "answer",
    "id",
    "video",
    "start_seconds",
    "end_seconds",
    "duration_seconds",
    "task",
)
_SETTINGS: Final = tuple(field.name for field in dataclasses.fields(ColumnMapping))


def read_mapping(path: Path) -> ColumnMapping:
    """Read a mapping from a TOML file whose keys are the attributes of ``ColumnMapping``.

    Raises:
        SettingsError: there is no such file, it is not TOML, or a key or value is not one of ours.
    """
    return make_mapping(read_toml(path), where=str(path))


def make_mapping(settings: Mapping[str, Any], *, where: str) -> ColumnMapping:
    """Make a mapping from plain settings, as a TOML file holds them.

    Args:
        settings: attribute names of ``ColumnMapping`` to values; ``choices`` is one column or a
            list of columns, both empty for none.
        where: where they stand, for messages.

    Raises:
        SettingsError: a key or value is not one of ours.
    """
    values: dict[str, Any] = {}
    for key, value in settings.items():
        if key not in _SETTINGS:
            near = nearest(key, _SETTINGS)
            raise SettingsError(
                f"{where}: unknown key {key!r}{near}; there are: {', '.join(_SETTINGS)}"
            )
        values[key] = _check_value(key, value, where)
    return ColumnMapping(**values)


def check_columns(mapping: ColumnMapping, columns: Iterable[str], *, where: str) -> None:
    """Check that every column a mapping names is there.

    Raises:
        BenchmarkError: one is not; the message names the columns found and the nearest fit.
    """
    there = list(columns)
    for setting, column in mapping.named_columns():
        if column not in there:
            raise BenchmarkError(
                f"{where}: no column {column!r} for {setting}{nearest(column, there)}; the file "
                f"has: {', '.join(there)}"
            )


def nearest(name: str, names: Iterable[str]) -> str:
    """Word the nearest of some names as a question, or nothing if none is near."""
    by_lower = {known.lower(): known for known in names}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1, cutoff=_NEAR)
    return f" (did you mean {by_lower[near[0]]!r}?)" if near else ""


def _check_value(key: str, value: Any, where: str) -> Any:
    if key == "choices":
        columns = [value] if isinstance(value, str) else value
        if columns == [""]:
            return ()
        if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
            raise SettingsError(f"{where}: choices is {value!r}; expected a column or several")
        return tuple(columns)
    if key == "answer_form":
        forms = [form.value for form in AnswerForm]
        if value not in forms:
            raise SettingsError(
                f"{where}: answer_form is {value!r}; expected one of {', '.join(forms)}"
            )
        return AnswerForm(value)
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{where}: {key} is {value!r}; expected a text")
    return value
