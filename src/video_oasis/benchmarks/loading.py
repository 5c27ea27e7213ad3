"""A benchmark's files to all that they hold, bad rows told about at once."""

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

    Args:
        benchmark: as for ``read_contents``.
        path: as for ``read_contents``.
        skip_bad: go on without the bad rows; they stay in the contents as the record.

    Raises:
        BenchmarkError: as for ``read_contents``; there are bad rows and they may not be skipped;
            there is no multiple-choice question.
    """
    contents = read_contents(benchmark, path)
    n_bad = len(contents.bad_rows)
    if n_bad and not skip_bad:
        n_rows = n_bad + len(contents.samples) + len(contents.open_questions)
        lines = [str(row) for row in contents.bad_rows[:_SHOWN_BAD_ROWS]]
        if n_bad > _SHOWN_BAD_ROWS:
            lines.append(f"and {n_bad - _SHOWN_BAD_ROWS} more")
        raise BenchmarkError(
            f"{benchmark.name} {path}: {n_bad} of {n_rows} rows cannot be read:\n  "
            + "\n  ".join(lines)
            + "\nMend them, or skip them with --skip-bad"
        )
    if not contents.samples:
        raise BenchmarkError(
            f"{benchmark.name} {path}: no multiple-choice question that can be read "
            f"({len(contents.open_questions)} open questions, {n_bad} bad rows)"
        )
    return contents
