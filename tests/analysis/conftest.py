"""Long tables written row by row."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from video_oasis.schema import LONG_TABLE_COLUMNS

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]

_DEFAULTS = {
    "benchmark": "bench",
    "video": "",
    "task": "task",
    "diagnostic": "blind",
    "part": 0,
    "draw": 0,
    "request": "request",
    "status": "ok",
    "reason": "",
    "prediction": None,
    "correct": None,
    "target_probability": None,
    "n_choices": 4,
}


def _make_table(rows: Iterable[dict[str, Any]]) -> pl.DataFrame:
    schema = {name: getattr(pl, kind) for name, kind in LONG_TABLE_COLUMNS.items()}
    full = [
        {**_DEFAULTS, **row, "video": row.get("video", f"{row['sample_id']}.mp4")} for row in rows
    ]
    return pl.DataFrame(full, schema=schema)


@pytest.fixture(scope="session")
def make_table() -> MakeTable:
    """Build a long table from rows that name only what matters; one video for each sample."""
    return _make_table


@pytest.fixture(scope="session")
def make_votes() -> MakeVotes:
    """Build a long table from an array of picks, tests x models x samples, and the targets.

    A pick of -1 is an answer that failed, -2 one without a row.
    """

    def build(
        picks: NDArray[np.integer], targets: NDArray[np.integer], **columns: Any
    ) -> pl.DataFrame:
        rows = [
            {
                "sample_id": f"s{s:05}",
                "diagnostic": f"test-{t}",
                "model": f"model-{m}",
                "status": "ok" if pick >= 0 else "error",
                "prediction": int(pick) if pick >= 0 else None,
                "correct": bool(pick == targets[s]) if pick >= 0 else None,
                **{
                    name: (value[s] if isinstance(value, (list, np.ndarray)) else value)
                    for name, value in columns.items()
                },
            }
            for (t, m, s), pick in np.ndenumerate(picks)
            if pick > -2
        ]
        return _make_table(rows)

    return build
