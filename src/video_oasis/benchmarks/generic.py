"""A user's own file of questions, with choices or open, read by a mapping of its columns."""

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from video_oasis.annotations.choice_lists import parse_choices
from video_oasis.annotations.choice_signs import find_sign_of_choices
from video_oasis.annotations.files import DATA_SUFFIXES, find_shards, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.guess import (
    Asked,
    decide_answer_form,
    guess_choice_columns,
    guess_column,
)
from video_oasis.annotations.inline import split_choices
from video_oasis.annotations.mapping import ColumnMapping, check_columns
from video_oasis.annotations.rows import Parts, RawRow, RowFault, derive_ids, read_rows
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.errors import BenchmarkError
from video_oasis.schema import METADATA_TIME_REFERENCES, Video

_VIDEO_TIMES = ("start_seconds", "end_seconds", "duration_seconds")


class OwnBenchmark(NamedTuple):
    """A benchmark made of a user's own file.

    Attributes:
        benchmark: for ``loading``, as any other.
        mapping: how the file is read, guesses filled in.
        guessed: the settings that were guessed, with what was guessed, for the user to check.
    """

    benchmark: Benchmark
    mapping: ColumnMapping
    guessed: Mapping[str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class _Layout:
    """Where the parts that every question needs are."""

    question: str
    choices: tuple[str, ...]
    choices_separator: str | None
    answer: str

    def ask(self, row: RawRow) -> "_Asking":
        """Read the question and its choices; a row without choices is an open question."""
        question = row.text(self.question)
        if not self.choices:
            inline = split_choices(question)
            return _Asking(*inline, None) if inline else _Asking(question, None, None)
        if len(self.choices) > 1:
            texts = [row.text(name) if name in row.columns else "" for name in self.choices]
            while texts and not texts[-1].strip():
                texts.pop()
            return _Asking(question, tuple(texts) or None, None)
        column = self.choices[0]
        value = parse_choices(
            row.columns.get(column), separator=self.choices_separator, column=column
        )
        if not value:
            return _Asking(question, None, None)
        parsed = RawRow(row.file, row.number, {column: value})
        if isinstance(value, Mapping):
            labels, choices = parsed.labelled_texts(column)
            return _Asking(question, choices, labels)
        return _Asking(question, parsed.texts(column), None)


class _Asking(NamedTuple):
    question: str
    choices: tuple[str, ...] | None
    labels: tuple[str, ...] | None


def own_benchmark(path: Path, given: ColumnMapping | None = None) -> OwnBenchmark:
    """Make a benchmark of a file, or of a folder of shards such as a Hugging Face dataset.

    A row without choices is an open question. A file of nothing else is read so if the user says
    that there are no choices, or names none and the file shows no sign of them (``choice_signs``).

    Args:
        path: the file or folder.
        given: what the user says about its columns; the rest is guessed from common names.

    Raises:
        BenchmarkError: a file cannot be read, a named column is not there, a needed one cannot be
            guessed, or the data cannot decide how the answers are to be read.
    """
    given = given or ColumnMapping()
    rows = list(_raw_rows(path, given.split))
    columns = list(dict.fromkeys(column for row in rows for column in row.columns))
    check_columns(given, columns, where=str(path))
    layout = _lay_out(path, rows, columns, given)
    asked, fault = _asked(rows, layout)
    form = given.answer_form
    if not asked:
        _check_open(path, rows, columns, layout, given, fault)
        layout = dataclasses.replace(layout, choices=())
    elif form is None:
        form = decide_answer_form(asked, where=f"{path}, column {layout.answer!r}")
    mapping = dataclasses.replace(
        given,
        name=given.name or path.stem,
        question=layout.question,
        choices=layout.choices,
        answer=layout.answer,
        answer_form=form,
    )
    mapping = _guess_optional(path, rows, columns, mapping)
    guessed = {
        field.name: _show(getattr(mapping, field.name))
        for field in dataclasses.fields(ColumnMapping)
        if getattr(mapping, field.name) != getattr(given, field.name)
    }
    if not asked and "choices" in guessed:
        guessed["choices"] = "none, the questions are open"
    return OwnBenchmark(_make_benchmark(mapping, layout), mapping, guessed)


def _make_benchmark(mapping: ColumnMapping, layout: _Layout) -> Benchmark:
    name = mapping.name or ""
    used = [column for _, column in mapping.named_columns()]

    def task(row: RawRow) -> str:
        return row.text(mapping.task) if mapping.task else name

    def take(row: RawRow) -> Parts:
        asking = layout.ask(row)
        if asking.choices is None:
            row.required_text(layout.question, expected="a question")
        return Parts(
            video=_video(row, mapping),
            question=asking.question,
            choices=asking.choices,
            labelled=asking.labels is None,
            labels=asking.labels,
            answer=row.value(layout.answer),
            answer_column=layout.answer,
            answer_form=mapping.answer_form or AnswerForm.TEXT,
            task=task(row),
            metadata=row.without(*used)
            | {key: row.spans(key) for key in row.columns if key == METADATA_TIME_REFERENCES},
        )

    def read(root: Path) -> Iterator[Row]:
        derived = derive_ids(task)

        def identify(row: RawRow) -> str:
            return row.name(mapping.id) if mapping.id else derived(row)

        return read_rows(
            name,
            _raw_rows(root, mapping.split),
            identify=identify,
            take=take,
            has_choices=lambda row: layout.ask(row).choices is not None,
        )

    return Benchmark(name, mapping.group, " or ".join(DATA_SUFFIXES), read)


def _raw_rows(path: Path, split: str | None) -> Iterator[RawRow]:
    return read_files(find_shards(path, split=split), root=path)


def _lay_out(
    path: Path, rows: Sequence[RawRow], columns: Sequence[str], given: ColumnMapping
) -> _Layout:
    taken = {column for _, column in given.named_columns()}

    def need(setting: str) -> str:
        free = [column for column in columns if column not in taken]
        guess = guess_column(setting, free, rows)
        if guess is None:
            raise BenchmarkError(
                f"{path}: no column looks like the {setting}; the file has: {', '.join(columns)}. "
                f"Name it in the mapping ({setting})"
            )
        taken.add(guess)
        return guess

    question = given.question or need("question")
    answer = given.answer or need("answer")
    choices = given.choices
    if choices is None:
        free = [column for column in columns if column not in taken]
        # Where no column looks like choices they can only stand inside the question.
        choices = guess_choice_columns(free, rows) or ()
    return _Layout(question, choices, given.choices_separator, answer)


def _guess_optional(
    path: Path, rows: Sequence[RawRow], columns: Sequence[str], mapping: ColumnMapping
) -> ColumnMapping:
    for setting in ("id", "video", "task", *_VIDEO_TIMES):
        given = getattr(mapping, setting)
        if setting in _VIDEO_TIMES and mapping.video is None:
            if given is not None:
                raise BenchmarkError(
                    f"{path}: column {given!r} is named for {setting}, but none for the video; "
                    f"name it in the mapping (video)"
                )
        elif given is None:
            taken = {column for _, column in mapping.named_columns()}
            free = [column for column in columns if column not in taken]
            guess = {setting: guess_column(setting, free, rows)}
            mapping = mapping.override(guess)
    return mapping


def _asked(rows: Sequence[RawRow], layout: _Layout) -> tuple[list[Asked], str]:
    """Give the rows that have readable choices, and what is wrong with the first that cannot be."""
    asked = []
    fault = ""
    for row in rows:
        try:
            asking = layout.ask(row)
        except RowFault as error:
            fault = fault or f" ({row.file} row {row.number}: {error})"
            continue
        if asking.choices:
            asked.append(Asked(row.columns.get(layout.answer), asking.choices, asking.labels))
    return asked, fault


def _check_open(
    path: Path,
    rows: Sequence[RawRow],
    columns: Sequence[str],
    layout: _Layout,
    given: ColumnMapping,
    fault: str,
) -> None:
    """Refuse a file in which no choices were found, but may be."""
    if given.choices == ():
        return
    if layout.choices:
        found = f"in {' + '.join(layout.choices)}{fault}"
    else:
        sign = find_sign_of_choices(
            rows,
            columns,
            question=layout.question,
            answer=layout.answer,
            used={layout.question, layout.answer, *(name for _, name in given.named_columns())},
        )
        if sign is None:
            return
        found = f"below the question in {layout.question!r}{fault}, but {sign}"
    raise BenchmarkError(
        f"{path}: no row has choices {found}; the file has: {', '.join(columns)}. Name the column "
        f"or columns in the mapping (choices), or say that there are none because all questions "
        f"are open (choices = [])"
    )


def _video(row: RawRow, mapping: ColumnMapping) -> Video | None:
    if mapping.video is None:
        return None
    start, end, duration = (
        row.optional_seconds(column) if column else None
        for column in (mapping.start_seconds, mapping.end_seconds, mapping.duration_seconds)
    )
    return Video(row.name(mapping.video), start, end, duration)


def _show(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "inside the question"
    return str(value)
