"""A benchmark's files to all that they hold, bad rows told about at once."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from video_oasis.benchmarks.interface import Benchmark, Contents
from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow, OpenQuestion, Sample

_SHOWN_BAD_ROWS: Final = 10


def read_contents(benchmark: Benchmark, path: Path) -> Contents:
    """Read all rows, whatever is wrong with them.

    Args:
        benchmark: a registered benchmark, or one's own file as ``generic`` makes it.
        path: the folder of its annotation files, or the file.

    Raises:
        BenchmarkError: a file cannot be read at all, or the reader gives one id to two questions.
    """
    samples: list[Sample] = []
    open_questions: list[OpenQuestion] = []
    bad_rows: list[BadRow] = []
    ids: set[str] = set()
    for row in benchmark.read(path):
        if isinstance(row, BadRow):
            bad_rows.append(row)
            continue
        if row.id in ids:
            raise BenchmarkError(
                f"{benchmark.name} {path}: the reader gives id {row.id!r} to two questions, whose "
                f"answers could not be told apart; a repeated id must be a bad row"
            )
        ids.add(row.id)
        if isinstance(row, Sample):
            samples.append(row)
        else:
            open_questions.append(row)
    return Contents(
        benchmark=benchmark.name,
        group=benchmark.group,
        samples=tuple(samples),
        open_questions=tuple(open_questions),
        bad_rows=tuple(bad_rows),
    )


def load(benchmark: Benchmark, path: Path, *, skip_bad: bool) -> Contents:
    """Read a benchmark for an audit.

    Bad rows that have no choices do not stop it: an audit would not ask these questions if they
    were sound. They stay in the contents as the record. A row of which it cannot be told whether it
    has choices stops it.

    Args:
        benchmark: as for ``read_contents``.
        path: as for ``read_contents``.
        skip_bad: go on without the other bad rows too; they stay in the contents likewise.

    Raises:
        BenchmarkError: as for ``read_contents``; there are bad rows and they may not be skipped;
            there is no multiple-choice question.
    """
    contents = read_contents(benchmark, path)
    if not skip_bad:
        _refuse(contents, [row for row in contents.bad_rows if row.has_choices is not False], path)
    if not contents.samples:
        n_open = len(contents.open_questions)
        hint = (
            "; an audit needs choices: if a file of your own has them, name their column or "
            "columns in the mapping (choices)"
            if n_open
            else ""
        )
        raise BenchmarkError(
            f"{benchmark.name} {path}: no multiple-choice question that can be read "
            f"({n_open} open questions, {len(contents.bad_rows)} bad rows){hint}"
        )
    return contents


def load_open(benchmark: Benchmark, path: Path, *, skip_bad: bool) -> Contents:
    """Read a benchmark for its open questions.

    Bad rows that have choices do not stop it; any row that could be an open question does.

    Args:
        benchmark: as for ``read_contents``.
        path: as for ``read_contents``.
        skip_bad: as for ``load``.

    Raises:
        BenchmarkError: as for ``read_contents``; there are bad rows and they may not be skipped;
            there is no open question.
    """
    contents = read_contents(benchmark, path)
    if not skip_bad:
        _refuse(contents, [row for row in contents.bad_rows if row.has_choices is not True], path)
    if not contents.open_questions:
        raise BenchmarkError(
            f"{benchmark.name} {path}: no open question that can be read "
            f"({len(contents.samples)} multiple-choice questions, {len(contents.bad_rows)} bad "
            f"rows); expected questions with a reference answer and no choices"
        )
    return contents


def _refuse(contents: Contents, bad_rows: Sequence[BadRow], path: Path) -> None:
    n_bad = len(bad_rows)
    if not n_bad:
        return
    n_rows = len(contents.samples) + len(contents.open_questions) + len(contents.bad_rows)
    lines = [str(row) for row in bad_rows[:_SHOWN_BAD_ROWS]]
    if n_bad > _SHOWN_BAD_ROWS:
        lines.append(f"and {n_bad - _SHOWN_BAD_ROWS} more")
    raise BenchmarkError(
        f"{contents.benchmark} {path}: {n_bad} of {n_rows} rows cannot be read:\n  "
        + "\n  ".join(lines)
        + "\nMend them, or skip them with --skip-bad"
    )
