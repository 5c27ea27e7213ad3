"""How far models stand by a choice when the choices are shown in another order."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import divide
from video_oasis.analysis.cells import Level
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid


@dataclass(frozen=True, slots=True)
class RotationRow:
    """One model under one diagnostic, its choices shown in several rotations.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        diagnostic: the diagnostic.
        model: the model.
        n: samples whose vote is settled: every rotation is answered, or two differ.
        same: share of them that get the same choice under every rotation.
        accuracy: mean share of a sample's answers that are right, in all rotations and draws, over
            those samples.
        always_right: share of them that are right under every rotation.
        always_right_chance: the share that would be if the right choice were any of the sample's:
            of those with the same choice, one in its number of choices.
    """

    level: str
    benchmark: str
    diagnostic: str
    model: str
    n: int
    same: float | None
    accuracy: float | None
    always_right: float | None
    always_right_chance: float | None


def measure_rotations(grid: AnswerGrid, table: pl.DataFrame) -> pl.DataFrame:
    """Measure each model under each diagnostic that was asked of it in several rotations.

    Args:
        grid: the answers.
        table: the long table that it was arranged from.

    Returns:
        A frame with the columns of ``RotationRow``.
    """
    rotated = table.filter(pl.col("rotation") > 0).select("diagnostic", "model").unique()
    pairs = set(rotated.cast(pl.String).rows())
    numbers = [
        k
        for k, slot in enumerate(grid.slots)
        if (slot.diagnostic, slot.model) in pairs and slot.diagnostic not in grid.parted
    ]
    return build_frame(RotationRow, _measure(grid.keep(numbers))).filter(pl.col("n") > 0)


def _measure(grid: AnswerGrid) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    settled = grid.is_settled & (grid.n_rows > 0)
    same = settled & (grid.prediction >= 0)
    values = {
        "same": same,
        "accuracy": np.where(settled, np.nan_to_num(divide(grid.n_correct, grid.n_scored)), 0),
        "always_right": grid.is_right,
        "always_right_chance": same / grid.samples["n_choices"].to_numpy(),
    }
    names = {
        "diagnostic": np.array([slot.diagnostic for slot in grid.slots], dtype=object),
        "model": np.array([slot.model for slot in grid.slots], dtype=object),
    }
    places = [(Level.BENCHMARK, name, span) for name, span in grid.benchmarks.items()]
    for level, benchmark, span in [*places, (Level.POOLED, "", slice(None))]:
        n = np.count_nonzero(settled[:, span], axis=1)
        yield {
            **names,
            "level": level.value,
            "benchmark": benchmark,
            "n": n,
            **{name: divide(of[:, span].sum(axis=1), n) for name, of in values.items()},
        }
