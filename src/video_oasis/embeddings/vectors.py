"""Says what a sound embedding is: finite and of length one."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from video_oasis.errors import SchemaError

Vectors = npt.NDArray[np.float32]
"""One embedding a row, each of length one."""

_LENGTH_TOLERANCE: Final = 1e-3
"""What half precision may do to a length of one."""


def unit_rows(rows: npt.NDArray[Any], what: str) -> Vectors:
    """Scale rows to length one.

    Args:
        rows: [n, d], of any number format.
        what: what the rows are, for messages.

    Raises:
        SchemaError: it is no such array, or a row is not finite or has no direction.
    """
    _check_shape(rows, what)
    exact = rows.astype(np.float64)
    lengths = np.linalg.norm(exact, axis=1)
    # Numbers below what half precision can hold would give a direction made of rounding.
    _check_rows(np.isfinite(lengths) & (lengths > 1e-6), what, "not finite or all zero")
    rows_of_length_one: Vectors = (exact / lengths[:, None]).astype(np.float32)
    return rows_of_length_one


def check_unit(rows: npt.NDArray[Any], what: str) -> None:
    """Check that rows are finite and of length one.

    Args:
        rows: [n, d].
        what: what the rows are, for messages.

    Raises:
        SchemaError: it is no such array, or a row is not.
    """
    _check_shape(rows, what)
    lengths = np.linalg.norm(rows, axis=1)
    _check_rows(np.abs(lengths - 1) < _LENGTH_TOLERANCE, what, "not of length one")


def _check_shape(rows: npt.NDArray[Any], what: str) -> None:
    if rows.ndim != 2 or 0 in rows.shape:
        raise SchemaError(f"{what}: an array of shape {rows.shape}; expected one vector a row")


def _check_rows(is_sound: npt.NDArray[np.bool_], what: str, fault: str) -> None:
    wrong = np.flatnonzero(~is_sound)
    if len(wrong):
        raise SchemaError(
            f"{what}: {len(wrong)} of {len(is_sound)} vectors are {fault}, the first is number "
            f"{wrong[0] + 1}"
        )
