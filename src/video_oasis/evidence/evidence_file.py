"""Writes rows of evidence whole or not at all, and reads them back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.errors import RunError
from video_oasis.whole_file import write_whole


def merge_evidence(
    rows: Iterable[Mapping[str, Any]],
    columns: Mapping[str, pl.DataType],
    key: Sequence[str],
    file: Path,
) -> None:
    """Write rows as Parquet, beside those of the file that have another key.

    What other settings need is not lost, so a run may be gone on with in several ways.

    Args:
        rows: the rows; columns that one lacks are null.
        columns: all columns with their types.
        key: the columns that name a row.
        file: the file; it need not be there.

    Raises:
        RunError: the file is damaged or cannot be written.
    """
    rows = list(rows)
    if not rows:
        return
    merged: dict[tuple[Any, ...], Mapping[str, Any]] = {}
    for row in (*read_evidence(file, columns), *rows):
        merged[tuple(row[name] for name in key)] = row
    values = {name: [row.get(name) for row in merged.values()] for name in columns}
    parquet = BytesIO()
    pl.DataFrame(values, schema=columns).write_parquet(parquet)
    try:
        write_whole(file, parquet.getvalue())
    except OSError as error:
        raise RunError(f"{file}: cannot be written ({error.strerror or error})") from error


def read_evidence(file: Path, columns: Mapping[str, pl.DataType]) -> Iterator[dict[str, Any]]:
    """Give the rows of a file; none if there is no file.

    Raises:
        RunError: the file is damaged.
    """
    if not file.is_file():
        return
    try:
        frame = pl.read_parquet(file).match_to_schema(pl.Schema(columns))
    except (OSError, pl.exceptions.PolarsError) as error:
        raise RunError(
            f"{file}: cannot be read ({error}); remove it and run 'oasis run' again: what was "
            "decoded and asked already is kept elsewhere"
        ) from error
    yield from frame.iter_rows(named=True)
