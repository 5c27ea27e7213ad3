"""How often each model is right, beside chance, and how sure that is."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    Floats,
    Resampling,
    divide,
    percentile_interval,
    spread_constants,
)
from video_oasis.analysis.cells import (
    CellSums,
    Level,
    average_benchmarks,
    list_members,
    sum_cells,
)
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import STATUSES, AnswerGrid
from video_oasis.analysis.significance import score_test
from video_oasis.schema import Status

_STATUS_COLUMNS: Final[Mapping[str, int]] = {
    "n_scored": STATUSES.index(Status.OK),
    "n_unparsed": STATUSES.index(Status.UNPARSED),
    "n_refused": STATUSES.index(Status.REFUSED),
    "n_error": STATUSES.index(Status.ERROR),
    "n_missing": STATUSES.index(Status.MISSING),
}


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """Accuracy of one model under one diagnostic over one set of samples.

    A sample's parts, rotations and draws are averaged first, so every sample counts the same.
    Accuracy is over answers with status ok; what the others could make of it are the two bounds.

    Attributes:
        level: a ``Level``.
        group: the group of benchmarks; empty unless the level is ``group_macro``.
        benchmark: empty unless the level is ``benchmark`` or ``task``.
        task: empty unless the level is ``task``.
        diagnostic: the diagnostic.
        model: the model.
        n_benchmarks: benchmarks with any row.
        n_samples: samples with any row.
        n_videos: videos with a scored answer.
        n: rows of the long table (samples x parts x rotations x draws).
        n_scored: those with status ok; n is the sum of this and the next four.
        n_unparsed: those with status unparsed.
        n_refused: those with status refused.
        n_error: those with status error.
        n_missing: those with status missing.
        accuracy: over the scored answers; null if there are none.
        accuracy_low: lower end of the video-clustered bootstrap interval; null with fewer than two
            videos, as are the other ends and the p value.
        accuracy_high: its upper end.
        chance: mean of 1/n_choices over the same scored answers.
        excess: accuracy - chance.
        excess_low: lower end of the interval of the excess, resampled in pairs.
        excess_high: its upper end.
        above_chance: whether that interval lies above 0.
        p_value: one-sided cluster-robust score test of the excess; null at the macro levels.
        lower_bound: accuracy if every answer that is not scored were wrong.
        upper_bound: accuracy if every answer that is not scored were right.
    """

    level: str
    group: str
    benchmark: str
    task: str
    diagnostic: str
    model: str
    n_benchmarks: int
    n_samples: int
    n_videos: int
    n: int
    n_scored: int
    n_unparsed: int
    n_refused: int
    n_error: int
    n_missing: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    chance: float | None
    excess: float | None
    excess_low: float | None
    excess_high: float | None
    above_chance: bool | None
    p_value: float | None
    lower_bound: float | None
    upper_bound: float | None


def measure_accuracy(
    grid: AnswerGrid,
    *,
    groups: Mapping[str, str] | None = None,
    resampling: Resampling | None = None,
) -> pl.DataFrame:
    """Measure the accuracy of every slot at every level.

    A macro average is the plain mean over benchmarks, and null if one of them has no scored answer.

    Args:
        grid: the answers.
        groups: the group of each benchmark; benchmarks without one are in the overall macro only.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``AccuracyRow``.
    """
    pieces = _measure(grid, groups or {}, resampling or Resampling())
    return build_frame(AccuracyRow, pieces).filter(pl.col("n") > 0)


@dataclass(frozen=True, slots=True)
class _Estimates:
    """One set of samples; identity and counts are columns of the frame already."""

    columns: dict[str, Any]
    accuracy: Floats
    chance: Floats
    lower_bound: Floats
    upper_bound: Floats
    p_value: Floats
    can_resample: NDArray[np.bool_]
    accuracy_replicates: Floats
    chance_replicates: Floats


def _measure(
    grid: AnswerGrid, groups: Mapping[str, str], resampling: Resampling
) -> Iterator[dict[str, Any]]:
    names = {
        "diagnostic": np.array([slot.diagnostic for slot in grid.slots], dtype=object),
        "model": np.array([slot.model for slot in grid.slots], dtype=object),
    }
    by_benchmark: dict[str, _Estimates] = {}
    for cell in sum_cells(grid, partial(_sample_values, grid), resampling):
        estimates = _estimate(grid, cell)
        if cell.level is Level.BENCHMARK:
            by_benchmark[cell.benchmark] = estimates
        elif cell.level is Level.POOLED:
            asked = [one.columns["n_benchmarks"] for one in by_benchmark.values()]
            estimates.columns["n_benchmarks"] = np.sum(asked, axis=0)
        yield names | _finish(estimates, resampling)

    measured = list(by_benchmark.values())
    for group, members in list_members(list(by_benchmark), groups).items():
        average = _average(
            [measured[number] for number in members], level=Level.GROUP_MACRO, group=group
        )
        yield names | _finish(average, resampling)
    if measured:
        average = _average(measured, level=Level.MACRO, group="")
        yield names | _finish(average, resampling)


def _sample_values(grid: AnswerGrid, span: slice) -> Floats:
    """Return correct, scored and excess of the samples, K columns of each."""
    scored = (grid.n_scored[:, span] > 0).astype(np.float64)
    correct = np.nan_to_num(divide(grid.n_correct[:, span], grid.n_scored[:, span]))
    chance = scored / grid.samples["n_choices"].to_numpy()[span]
    return np.concatenate([correct, scored, correct - chance]).T


def _estimate(grid: AnswerGrid, cell: CellSums) -> _Estimates:
    n_slots = len(grid.slots)
    correct, scored, excess = cell.totals.reshape(3, n_slots)
    _, n_videos, _ = cell.support.reshape(3, n_slots)
    _, can_resample, _ = cell.can_resample.reshape(3, n_slots)
    resampled_correct, resampled_scored, resampled_excess = cell.resampled.reshape(3, n_slots, -1)
    n_rows = grid.n_rows[:, cell.samples]
    n_correct = grid.n_correct[:, cell.samples]
    n_unscored = n_rows - grid.n_scored[:, cell.samples]
    n_samples = np.count_nonzero(n_rows, axis=1)
    counts = grid.status_counts[cell.tasks].sum(axis=0)
    accuracy = divide(correct, scored)
    return _Estimates(
        columns={
            "level": cell.level.value,
            "group": "",
            "benchmark": cell.benchmark,
            "task": cell.task,
            "n_benchmarks": (n_samples > 0).astype(np.int64),
            "n_samples": n_samples,
            "n_videos": n_videos,
            "n": counts.sum(axis=1),
            **{column: counts[:, number] for column, number in _STATUS_COLUMNS.items()},
        },
        accuracy=accuracy,
        chance=divide(correct - excess, scored),
        lower_bound=divide(np.nansum(divide(n_correct, n_rows), axis=1), n_samples),
        upper_bound=divide(np.nansum(divide(n_correct + n_unscored, n_rows), axis=1), n_samples),
        p_value=score_test(excess, cell.squares.reshape(3, n_slots)[2], n_videos),
        can_resample=can_resample,
        accuracy_replicates=spread_constants(
            divide(resampled_correct, resampled_scored), accuracy, n_videos
        ),
        chance_replicates=divide(resampled_correct - resampled_excess, resampled_scored),
    )


def _average(members: list[_Estimates], *, level: Level, group: str) -> _Estimates:
    """Average benchmarks, for each slot those that it has rows in."""
    asked = np.array([one.columns["n"] > 0 for one in members])

    def mean(name: str) -> Floats:
        return average_benchmarks([getattr(one, name) for one in members], asked)

    def add(column: str) -> NDArray[np.int64]:
        total: NDArray[np.int64] = np.sum([one.columns[column] for one in members], axis=0)
        return total

    counted = ("n_samples", "n_videos", "n", *_STATUS_COLUMNS)
    return _Estimates(
        columns={
            "level": level.value,
            "group": group,
            "benchmark": "",
            "task": "",
            "n_benchmarks": asked.sum(axis=0),
            **{column: add(column) for column in counted},
        },
        accuracy=mean("accuracy"),
        chance=mean("chance"),
        lower_bound=mean("lower_bound"),
        upper_bound=mean("upper_bound"),
        p_value=np.full(asked.shape[1], np.nan),
        can_resample=np.all([one.can_resample for one in members] | ~asked, axis=0),
        accuracy_replicates=mean("accuracy_replicates"),
        chance_replicates=mean("chance_replicates"),
    )


def _finish(estimates: _Estimates, resampling: Resampling) -> dict[str, Any]:
    """Add intervals to estimates and return the columns of the frame."""
    accuracy = estimates.accuracy
    excess = accuracy - estimates.chance
    n_slots = len(accuracy)
    low, high = percentile_interval(
        np.concatenate(
            [
                estimates.accuracy_replicates,
                estimates.accuracy_replicates - estimates.chance_replicates,
            ]
        ),
        np.where(np.tile(estimates.can_resample, 2), np.hstack([accuracy, excess]), np.nan),
        confidence=resampling.confidence,
    )
    excess_low = low[n_slots:]
    return {
        **estimates.columns,
        "accuracy": accuracy,
        "accuracy_low": low[:n_slots],
        "accuracy_high": high[:n_slots],
        "chance": estimates.chance,
        "excess": excess,
        "excess_low": excess_low,
        "excess_high": high[n_slots:],
        "above_chance": np.where(np.isnan(excess_low), np.full(n_slots, None), excess_low > 0),
        "p_value": estimates.p_value,
        "lower_bound": estimates.lower_bound,
        "upper_bound": estimates.upper_bound,
    }
