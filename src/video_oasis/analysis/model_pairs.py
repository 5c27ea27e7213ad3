"""How far every two models differ on the samples that both answered.

The two are compared sample by sample, so what both find easy or hard drops out. A sample counts
with the share of its answers (draws, rotations) that are right, as in the accuracy. Where each
sample was asked once, the sign test over samples is McNemar's test.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    Floats,
    Resampling,
    divide,
    percentile_interval,
    subtract_shares,
)
from video_oasis.analysis.cells import CellSums, Level, average_benchmarks, sum_cells
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid
from video_oasis.analysis.significance import correct_by_level, mcnemar_test, score_test


@dataclass(frozen=True, slots=True)
class ModelPairRow:
    """Two models over the samples of one benchmark or of all.

    Attributes:
        level: ``benchmark``, ``pooled`` or ``macro``, the mean over the benchmarks that have any
            sample both answered.
        benchmark: empty unless the level is ``benchmark``.
        first: the first model.
        second: the second model.
        n_benchmarks: benchmarks with a sample that both answered.
        n_videos: videos of the samples counted.
        n: samples that both answered; every number of the row is over these.
        first_accuracy: accuracy of the first.
        second_accuracy: accuracy of the second.
        chance: mean of 1/n_choices.
        difference: first_accuracy - second_accuracy.
        difference_low: lower end of its video-clustered bootstrap interval, both resampled
            together; null with fewer than two videos.
        difference_high: its upper end.
        n_first_better: samples that the first is right on more often.
        n_second_better: samples that the second is right on more often.
        p_value: the larger of two two-sided tests of the difference: the exact sign test, which
            takes samples as independent, and its form that is robust to shared videos, which needs
            many of them; null for the macro average and with fewer than two videos.
        p_holm: p_value corrected by Holm over all rows of the same level: pairs x benchmarks.
    """

    level: str
    benchmark: str
    first: str
    second: str
    n_benchmarks: int
    n_videos: int
    n: int
    first_accuracy: float | None
    second_accuracy: float | None
    chance: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    n_first_better: int
    n_second_better: int
    p_value: float | None
    p_holm: float | None


def compare_models(
    grid: AnswerGrid,
    named: Sequence[tuple[str, str]] | None = None,
    *,
    resampling: Resampling | None = None,
) -> pl.DataFrame:
    """Compare the slots of a grid.

    Args:
        grid: the answers; slots are named by their model, so models must differ in name.
        named: the pairs to compare, those left out that the grid has not both of; by default every
            two.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``ModelPairRow``: for each benchmark, pooled, macro. Pairs
        without a sample that both answered are left out.
    """
    numbers = {slot.model: number for number, slot in enumerate(grid.slots)}
    pairs = [
        (numbers[first], numbers[second])
        for first, second in (combinations(numbers, 2) if named is None else named)
        if {first, second} <= numbers.keys()
    ]
    pieces = _measure(grid, pairs, resampling or Resampling()) if pairs else ()
    return correct_by_level(build_frame(ModelPairRow, pieces).filter(pl.col("n") > 0))


@dataclass(frozen=True, slots=True)
class _Estimates:
    """What is known of P pairs on one set of samples."""

    n_videos: NDArray[np.intp]
    n: Floats
    first: Floats
    second: Floats
    chance: Floats
    n_first_better: Floats
    n_second_better: Floats
    can_resample: NDArray[np.bool_]
    replicates: Floats
    """Of the difference, P x resamples."""


def _measure(
    grid: AnswerGrid, pairs: list[tuple[int, int]], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    first, second = (list(numbers) for numbers in zip(*pairs, strict=True))
    names = {
        "first": np.array([grid.slots[k].model for k in first], dtype=object),
        "second": np.array([grid.slots[k].model for k in second], dtype=object),
        "p_holm": np.full(len(pairs), np.nan),
    }
    by_benchmark: list[_Estimates] = []
    values = partial(_sample_values, grid, first, second)
    for cell in sum_cells(grid, values, resampling):
        if cell.level not in (Level.BENCHMARK, Level.POOLED):
            continue
        estimates = _estimate(cell)
        if cell.level is Level.BENCHMARK:
            by_benchmark.append(estimates)
            n_benchmarks = (estimates.n > 0).astype(np.int64)
        else:
            n_benchmarks = np.sum([each.n > 0 for each in by_benchmark], axis=0)
        yield {
            **names,
            "level": cell.level.value,
            "benchmark": cell.benchmark,
            "n_benchmarks": n_benchmarks,
            "p_value": _test(cell, estimates),
            **_finish(estimates, resampling),
        }
    if by_benchmark:
        used = np.array([each.n > 0 for each in by_benchmark])
        yield {
            **names,
            "level": Level.MACRO.value,
            "benchmark": "",
            "n_benchmarks": used.sum(axis=0),
            "p_value": np.full(len(pairs), np.nan),
            **_finish(_average(by_benchmark, used), resampling),
        }


def _sample_values(grid: AnswerGrid, first: list[int], second: list[int], span: slice) -> Floats:
    """Return eight values of the samples, P columns of each, as ``_estimate`` has them."""
    n_scored = grid.n_scored[:, span]
    right = np.nan_to_num(divide(grid.n_correct[:, span], n_scored))
    both = (n_scored[first] > 0) & (n_scored[second] > 0)
    difference = both * (right[first] - right[second])
    return np.concatenate(
        [
            both,
            both * right[first],
            both / grid.samples["n_choices"].to_numpy()[span],
            np.maximum(difference, 0),
            np.maximum(-difference, 0),
            difference,
            difference > 0,
            difference < 0,
        ],
        dtype=np.float64,
    ).T


def _estimate(cell: CellSums) -> _Estimates:
    both, right, chance, gain, loss, _, n_better, n_worse = cell.totals.reshape(8, -1)
    drawn = cell.resampled.reshape(8, len(both), -1)
    n_videos = cell.support.reshape(8, -1)[0]
    return _Estimates(
        n_videos=n_videos,
        n=both,
        first=divide(right, both),
        second=divide(right - gain + loss, both),
        chance=divide(chance, both),
        n_first_better=n_better,
        n_second_better=n_worse,
        can_resample=cell.can_resample.reshape(8, -1)[0],
        replicates=subtract_shares(
            divide(drawn[3], drawn[0]),
            divide(drawn[4], drawn[0]),
            shares=(divide(gain, both), divide(loss, both)),
            n_clusters=(n_videos, n_videos),
        ),
    )


def _test(cell: CellSums, estimates: _Estimates) -> Floats:
    """Test the differences both ways and return the larger p value of each."""
    total = cell.totals.reshape(8, -1)[5]
    squares = cell.squares.reshape(8, -1)[5]
    robust = 2 * score_test(np.abs(total), squares, estimates.n_videos)
    exact = mcnemar_test(estimates.n_first_better, estimates.n_second_better)
    larger: Floats = np.maximum(robust, exact)
    return larger


def _average(members: list[_Estimates], used: NDArray[np.bool_]) -> _Estimates:
    def mean(name: str) -> Floats:
        return average_benchmarks([getattr(each, name) for each in members], used)

    def add(name: str) -> Any:
        return np.sum([getattr(each, name) for each in members], axis=0)

    return _Estimates(
        n_videos=add("n_videos"),
        n=add("n"),
        first=mean("first"),
        second=mean("second"),
        chance=mean("chance"),
        n_first_better=add("n_first_better"),
        n_second_better=add("n_second_better"),
        can_resample=np.all([each.can_resample for each in members] | ~used, axis=0),
        replicates=mean("replicates"),
    )


def _finish(estimates: _Estimates, resampling: Resampling) -> dict[str, Any]:
    difference = estimates.first - estimates.second
    low, high = percentile_interval(
        estimates.replicates,
        np.where(estimates.can_resample, difference, np.nan),
        confidence=resampling.confidence,
    )
    return {
        "n_videos": estimates.n_videos,
        "n": estimates.n,
        "first_accuracy": estimates.first,
        "second_accuracy": estimates.second,
        "chance": estimates.chance,
        "difference": difference,
        "difference_low": low,
        "difference_high": high,
        "n_first_better": estimates.n_first_better,
        "n_second_better": estimates.n_second_better,
    }
