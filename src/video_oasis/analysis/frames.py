"""Row types as polars frames: columns computed piece by piece, joined and typed."""

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Final, TypeVar

import numpy as np
import polars as pl

Row = TypeVar("Row")

_TYPES: Final[Mapping[object, pl.DataType]] = {
    str: pl.String(),
    int: pl.Int64(),
    float: pl.Float64(),
    bool: pl.Boolean(),
    float | None: pl.Float64(),
    bool | None: pl.Boolean(),
}


def row_schema(row_type: type) -> dict[str, pl.DataType]:
    """Return the columns of a frame whose rows are of a dataclass with plain fields."""
    return {field.name: _TYPES[field.type] for field in fields(row_type)}


def build_frame(row_type: type, pieces: Iterable[Mapping[str, Any]]) -> pl.DataFrame:
    """Join pieces of columns into one frame of a row type; NaN becomes null.

    Args:
        row_type: a dataclass whose fields name and type the columns.
        pieces: each with a value or an array for every field, arrays of one piece of one length.
    """
    schema = row_schema(row_type)
    columns: dict[str, list[Any]] = {name: [] for name in schema}
    for piece in pieces:
        n_rows = next((len(v) for v in piece.values() if isinstance(v, np.ndarray)), 1)
        for name, column in columns.items():
            values = piece[name]
            column.extend(values.tolist() if isinstance(values, np.ndarray) else [values] * n_rows)
    return pl.DataFrame(columns, schema=schema, strict=False).with_columns(
        pl.selectors.float().fill_nan(None)
    )


def read_rows(row_type: type[Row], frame: pl.DataFrame) -> tuple[Row, ...]:
    """Return the rows of a frame that ``build_frame`` made, as the dataclass they are of."""
    return tuple(row_type(**row) for row in frame.iter_rows(named=True))
