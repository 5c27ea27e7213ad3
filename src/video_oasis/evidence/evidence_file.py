"""Writes rows of evidence whole or not at all, and reads them back."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.errors import RunError


def write_evidence(
    rows: Iterable[Mapping[str, Any]], columns: Mapping[str, pl.DataType], file: Path
) -> None:
    """Write rows as Parquet, in place of what the file held; columns a row lacks are null.

    Raises:
        RunError: the file cannot be written.
    """
    values: dict[str, list[Any]] = {name: [] for name in columns}
    for row in rows:
        for name, of_column in values.items():
            of_column.append(row.get(name))
    unfinished = file.with_name(f".{file.name}.part")
    try:
        pl.DataFrame(values, schema=columns).write_parquet(unfinished)
        unfinished.replace(file)
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
