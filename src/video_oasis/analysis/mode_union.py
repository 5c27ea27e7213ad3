"""What two ways of answering would reach if one always knew which of them is right.

Such an oracle gains by luck alone: of two answers picked blindly and apart, one is right with
probability 1 - (1 - 1/k)² for k choices, 44 percent of four, not 25. Two ways that share their
habits often pick the same wrong choice and gain less. So beside the union stand both: what two
independent guessers reach, and the answer-permutation null, the share of a sample's choices that
the two answers cover, which keeps how alike they are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import (
    Floats,
    Resampling,
    divide,
    percentile_interval,
    spread_constants,
)
from video_oasis.analysis.cells import CellSums, Level, sum_cells
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid
from video_oasis.errors import SchemaError


@dataclass(frozen=True, slots=True)
class UnionRow:
    """Two ways of answering over the samples of one benchmark or of all; first draw.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        first: the first way, a model of the grid.
        second: the second way.
        n_videos: videos of the samples counted.
        n: samples that both answered; every number of the row is over these.
        first_accuracy: accuracy of the first.
        second_accuracy: accuracy of the second.
        chance: mean of 1/k, what one guess reaches.
        union: share of samples that at least one is right on.
        union_low: lower end of its video-clustered bootstrap interval; null with fewer than two
            videos, as are the other ends.
        union_high: its upper end.
        union_chance: mean of 1 - (1 - 1/k)², what two independent guesses reach.
        null: mean share of the choices that the two answers cover.
        excess: union - null.
        excess_low: lower end of its interval, both resampled together.
        excess_high: its upper end.
        corrected: excess / (1 - null), comparable with an accuracy that is corrected for chance.
    """

    level: str
    benchmark: str
    first: str
    second: str
    n_videos: int
    n: int
    first_accuracy: float | None
    second_accuracy: float | None
    chance: float | None
    union: float | None
    union_low: float | None
    union_high: float | None
    union_chance: float | None
    null: float | None
    excess: float | None
    excess_low: float | None
    excess_high: float | None
    corrected: float | None


def measure_unions(
    grid: AnswerGrid, pairs: Sequence[tuple[str, str]], *, resampling: Resampling | None = None
) -> pl.DataFrame:
    """Measure the oracle union of pairs of models.

    Args:
        grid: the answers; slots are named by their model, so models must differ in name.
        pairs: the pairs by name.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``UnionRow``; pairs without a sample that both answered are left
        out.

    Raises:
        SchemaError: the grid lacks a model.
    """
    number_of = {slot.model: k for k, slot in enumerate(grid.slots)}
    absent = {name for pair in pairs for name in pair} - number_of.keys()
    if absent:
        raise SchemaError(f"long table: no rows of model {', '.join(sorted(absent))}")
    first, second = ([number_of[pair[side]] for pair in pairs] for side in (0, 1))
    pieces = _measure(grid, first, second, resampling or Resampling()) if pairs else ()
    return build_frame(UnionRow, pieces).filter(pl.col("n") > 0)


def _measure(
    grid: AnswerGrid, first: list[int], second: list[int], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    names = {
        "first": np.array([grid.slots[k].model for k in first], dtype=object),
        "second": np.array([grid.slots[k].model for k in second], dtype=object),
    }
    for cell in sum_cells(grid, partial(_sample_values, grid, first, second), resampling):
        if cell.level in (Level.BENCHMARK, Level.POOLED):
            yield names | _measure_cell(cell, resampling)


def _sample_values(grid: AnswerGrid, first: list[int], second: list[int], span: slice) -> Floats:
    """Return seven values of the samples, P columns of each, as ``_measure_cell`` has them."""
    ours, theirs = grid.prediction[first, span], grid.prediction[second, span]
    both = (ours >= 0) & (theirs >= 0)
    right = both & grid.is_right[first, span]
    other_right = both & grid.is_right[second, span]
    chance = 1 / grid.samples["n_choices"].to_numpy()[span]
    return np.concatenate(
        [
            both,
            right,
            other_right,
            right | other_right,
            both * chance,
            both * (1 - (1 - chance) ** 2),
            both * chance * (1 + (ours != theirs)),
        ],
        dtype=np.float64,
    ).T


def _measure_cell(cell: CellSums, resampling: Resampling) -> dict[str, Any]:
    both, right, other_right, either, chance, union_chance, covered = cell.totals.reshape(7, -1)
    drawn = cell.resampled.reshape(7, len(both), -1)
    n_videos = cell.support.reshape(7, -1)[0]
    can_resample = cell.can_resample.reshape(7, -1)[0]
    union, null = divide(either, both), divide(covered, both)
    replicates = spread_constants(divide(drawn[3], drawn[0]), union, n_videos)
    (low, high), (excess_low, excess_high) = (
        percentile_interval(
            each,
            np.where(can_resample, estimate, np.nan),
            confidence=resampling.confidence,
        )
        for each, estimate in (
            (replicates, union),
            (replicates - divide(drawn[6], drawn[0]), union - null),
        )
    )
    return {
        "level": cell.level.value,
        "benchmark": cell.benchmark,
        "n_videos": n_videos,
        "n": both,
        "first_accuracy": divide(right, both),
        "second_accuracy": divide(other_right, both),
        "chance": divide(chance, both),
        "union": union,
        "union_low": low,
        "union_high": high,
        "union_chance": divide(union_chance, both),
        "null": null,
        "excess": union - null,
        "excess_low": excess_low,
        "excess_high": excess_high,
        "corrected": divide(union - null, 1 - null),
    }
