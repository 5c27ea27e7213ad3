"""Rows of annotation files to samples, open questions or bad rows, none lost."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from video_oasis.annotations.gold import AnswerForm, Fault, read_target
from video_oasis.annotations.labels import strip_labels
from video_oasis.annotations.times import read_clock, read_ranges
from video_oasis.errors import BenchmarkError, SchemaError
from video_oasis.hashing import content_id
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video
from video_oasis.surrogates import replace_surrogates

_ID_HEX_DIGITS = 16


class RowFault(BenchmarkError):
    """One row can be neither a sample nor an open question.

    Attributes:
        column: the published column at fault.
        code: a constant word for the kind of fault.
        row: the row at fault, where it is another than the one that is read: some benchmarks keep
            questions and answers in two files.
    """

    def __init__(self, column: str, code: str, message: str) -> None:
        """Keep the column and the code for the bad row that comes of it."""
        super().__init__(message)
        self.column = column
        self.code = code
        self.row: RawRow | None = None


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as it stands in its file, with checked access to its values.

    Attributes:
        file: the file, relative to the folder the user gave.
        number: its number in the file, from 1.
        columns: the published columns by name.
    """

    file: str
    number: int
    columns: Mapping[str, Any]

    def value(self, column: str) -> Any:
        """Return what stands in a column.

        Raises:
            RowFault: there is no such column.
        """
        try:
            return self.columns[column]
        except KeyError:
            there = ", ".join(map(str, self.columns)) or "none"
            raise RowFault(
                column, "column_missing", f"there is no such column; there are: {there}"
            ) from None

    def text(self, column: str) -> str:
        """Return a column's text; null is the empty text, a number or truth value is written out.

        Raises:
            RowFault: there is no such column, or it holds something else.
        """
        return _write_text(self.value(column), column)

    def name(self, column: str) -> str:
        """Return a column's text, which names something and so must not be empty.

        Raises:
            RowFault: it is empty, or as for ``text``.
        """
        return self.required_text(column, expected="a name")

    def required_text(self, column: str, *, expected: str = "a text") -> str:
        """Return a column's text, which must not be empty.

        Args:
            column: the column.
            expected: what should stand there, for the message.

        Raises:
            RowFault: it is empty, or as for ``text``.
        """
        text = self.text(column)
        if not text.strip():
            raise RowFault(column, "value_empty", f"nothing here; expected {expected}")
        return text

    def texts(self, column: str) -> tuple[str, ...]:
        """Return a column's list of texts, at least one.

        Raises:
            RowFault: there is no such column, or it holds something else.
        """
        value = self.value(column)
        if not isinstance(value, list):
            raise RowFault(column, "value_unreadable", f"{value!r}; expected a list of texts")
        if not value:
            raise RowFault(column, "value_empty", "an empty list; expected texts")
        return tuple(_write_text(item, column) for item in value)

    def labelled_texts(self, column: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the labels and the texts of a column such as ``{"A": "red", "B": "blue"}``.

        A label whose text is null is left out: tables with a fixed set of labels fill up so.

        Raises:
            RowFault: there is no such column, or it holds something else.
        """
        value = self.value(column)
        if not isinstance(value, Mapping):
            raise RowFault(
                column, "value_unreadable", f"{value!r}; expected a mapping of labels to texts"
            )
        there = {str(label): text for label, text in value.items() if text is not None}
        if not there:
            raise RowFault(column, "value_empty", "an empty mapping; expected labels and texts")
        return tuple(there), tuple(_write_text(text, column) for text in there.values())

    def seconds(self, column: str) -> float | None:
        """Return a column's time in seconds, given as a number or as ``h:m:s``; None for null.

        Raises:
            RowFault: there is no such column, or it holds something else.
        """
        value = self.value(column)
        if value is None or value == "":
            return None
        seconds = read_clock(_write_text(value, column))
        if seconds is None or not math.isfinite(seconds):
            raise RowFault(
                column, "value_unreadable", f"{value!r}; expected a time of 0 seconds or more"
            )
        return seconds

    def optional_seconds(self, column: str) -> float | None:
        """Return a column's time in seconds; None also where the row has no such column."""
        return self.seconds(column) if column in self.columns else None

    def ranges(self, start_column: str, end_column: str) -> list[list[float]]:
        """Return the ``[start, end]`` of two columns in seconds, or nothing where one is absent.

        Raises:
            RowFault: a column holds something else than a time or null.
        """
        start, end = self.optional_seconds(start_column), self.optional_seconds(end_column)
        return [] if start is None or end is None else [[start, end]]

    def spans(self, column: str) -> list[list[float]]:
        """Return a column's spans of time as ``[start, end]`` in seconds; none where it is null.

        They are a list of pairs of times, or a text such as ``0:15-0:19, 1:02:03-1:02:10``.

        Raises:
            RowFault: the column holds something else.
        """
        value = _plain(self.columns.get(column))
        if value in (None, "", []):
            return []
        spans = read_ranges(value) if isinstance(value, str) else _read_pairs(value)
        if not spans:
            raise RowFault(
                column,
                "value_unreadable",
                f"{value!r}; expected spans of time such as [[3.5, 8]] or '0:15-0:19'",
            )
        return spans

    def without(self, *columns: str) -> dict[str, Any]:
        """Return the columns that are not named, for a sample's metadata."""
        return {name: value for name, value in self.columns.items() if name not in columns}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a reader takes out of one row.

    Attributes:
        video: the video and the clip window; None where the benchmark names no video, which makes
            every question one of a video of its own, with the sample's id as its path.
        question: the question, without choices.
        choices: the choices as published; None for an open question.
        labelled: whether their texts carry labels (``A. red``), which are then taken off.
        labels: the label of each choice where they are published apart from the texts.
        answer: the published answer, as it stands.
        answer_column: where it stands.
        answer_form: how it names a choice; of no account for an open question.
        task: the kind of question.
        metadata: all other published columns, and the schema's ``METADATA_*`` keys.
    """

    video: Video | None
    question: str
    choices: tuple[str, ...] | None
    labelled: bool = False
    labels: tuple[str, ...] | None = None
    answer: object
    answer_column: str
    answer_form: AnswerForm
    task: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


def read_rows(
    benchmark: str,
    rows: Iterable[RawRow],
    *,
    identify: Callable[[RawRow], str],
    take: Callable[[RawRow], Parts],
    has_choices: Callable[[RawRow], bool] | None = None,
) -> Iterator[Sample | OpenQuestion | BadRow]:
    """Turn every row into what it is.

    An open question without an answer is a bad row (``reference_empty``), and so is a row that
    repeats the id of an earlier one (``id_repeated``): no two questions can ever share their
    answers. Half characters are replaced in all that is kept of a row.

    Args:
        benchmark: the benchmark's name.
        rows: the rows, in published order.
        identify: gives a row's sample id; may raise ``RowFault``.
        take: gives a row's parts; may raise ``RowFault``.
        has_choices: tells of a bad row whether it has choices; may raise ``RowFault`` where the row
            cannot tell. None for a benchmark whose rows are all of one kind.
    """
    places: dict[str, str] = {}
    for row in rows:
        sample_id = ""
        try:
            sample_id = replace_surrogates(identify(row))
            _claim(sample_id, f"{row.file} row {row.number}", places)
            yield _assemble(benchmark, sample_id, take(row))
            continue
        except RowFault as error:
            fault = error
        except SchemaError as error:
            fault = RowFault("row", "row_invalid", str(error))
        yield BadRow(
            benchmark=benchmark,
            file=(fault.row or row).file,
            row=(fault.row or row).number,
            id=sample_id,
            field=replace_surrogates(fault.column),
            code=fault.code,
            message=replace_surrogates(str(fault)),
            has_choices=_ask_for_choices(row, has_choices),
        )


def derive_ids(task_of: Callable[[RawRow], str]) -> Callable[[RawRow], str]:
    """Make an ``identify`` for rows that have no ids, from their content alone.

    An id is the task and 64 bits of a hash over task and row, such as ``action_count-0f3e…``. It
    changes neither when other rows change nor when rows move; of rows that are equal in all
    columns, the later ones are counted: ``…-2``.

    Args:
        task_of: gives a row's task; empty leaves it out of the id.
    """
    copies: Counter[str] = Counter()

    def identify(row: RawRow) -> str:
        task = task_of(row)
        content = content_id("row1", {"task": task, "columns": _plain(row.columns)})
        digest = content.removeprefix("row1-")[:_ID_HEX_DIGITS]
        derived = f"{task}-{digest}" if task else digest
        copies[derived] += 1
        return derived if copies[derived] == 1 else f"{derived}-{copies[derived]}"

    return identify


def _claim(sample_id: str, place: str, places: dict[str, str]) -> None:
    if sample_id in places:
        raise RowFault("id", "id_repeated", f"the same id as {places[sample_id]}")
    places[sample_id] = place


def _ask_for_choices(row: RawRow, has_choices: Callable[[RawRow], bool] | None) -> bool | None:
    try:
        return None if has_choices is None else has_choices(row)
    except RowFault:
        return None


def _assemble(benchmark: str, sample_id: str, parts: Parts) -> Sample | OpenQuestion:
    video = parts.video or Video(sample_id)
    video = replace(video, path=replace_surrogates(video.path))
    parts = replace(
        parts,
        question=replace_surrogates(parts.question),
        choices=None if parts.choices is None else tuple(map(replace_surrogates, parts.choices)),
        labels=None if parts.labels is None else tuple(map(replace_surrogates, parts.labels)),
        answer=_replace_surrogates_within(parts.answer),
        task=replace_surrogates(parts.task),
        metadata=_replace_surrogates_within(parts.metadata),
    )
    if parts.choices is None:
        reference = _write_text(parts.answer, parts.answer_column)
        if not reference.strip():
            raise RowFault(
                parts.answer_column, "reference_empty", "the answer is empty; expected a text"
            )
        return OpenQuestion(
            id=sample_id,
            benchmark=benchmark,
            video=video,
            question=parts.question,
            reference=reference,
            task=parts.task,
            metadata=parts.metadata,
        )
    choices = strip_labels(parts.choices) if parts.labelled else parts.choices
    target = read_target(
        parts.answer,
        choices,
        parts.answer_form,
        labels=parts.labels,
        published=parts.choices if parts.labelled else (),
    )
    if isinstance(target, Fault):
        raise RowFault(parts.answer_column, target.code, target.message)
    return Sample(
        id=sample_id,
        benchmark=benchmark,
        video=video,
        question=parts.question,
        choices=choices,
        target=target,
        task=parts.task,
        metadata=parts.metadata,
    )


def _replace_surrogates_within(value: Any) -> Any:
    if isinstance(value, str):
        return replace_surrogates(value)
    if isinstance(value, Mapping):
        return {
            _replace_surrogates_within(key): _replace_surrogates_within(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_replace_surrogates_within(item) for item in value]
    return value


def _write_text(value: object, column: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        # As JSON writes it, whatever the file's format.
        return str(value).lower()
    if isinstance(value, str | int | float):
        return str(value)
    raise RowFault(column, "value_unreadable", f"{value!r}; expected a text")


def _read_pairs(value: object) -> list[list[float]]:
    """Read a list of pairs of times; nothing if it is none, or one of them is."""
    if not isinstance(value, list):
        return []
    pairs = []
    for pair in value:
        clocks = [read_clock(str(time)) for time in pair] if isinstance(pair, list) else []
        times = [time for time in clocks if time is not None]
        if not len(clocks) == len(times) == 2:
            return []
        pairs.append(times)
    return pairs


def _plain(value: object) -> object:
    """Write what Parquet holds beyond JSON (dates, bytes) as text, for hashing."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return repr(value)
