"""How much accuracy a model loses from the original samples to those of a distilled set.

The distilled samples are among the original ones, so both accuracies are taken over the same draws
of videos: their difference is far surer than the two alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    Floats,
    Resampling,
    divide,
    percentile_interval,
    spread_constants,
    subtract_shares,
)
from video_oasis.analysis.cells import CellSums, Level, average_benchmarks, sum_cells
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid, Slot
from video_oasis.errors import SchemaError


@dataclass(frozen=True, slots=True)
class GapRow:
    """One model on the original and on the distilled samples of one benchmark or of all.

    Intervals are of the video-clustered bootstrap, and null where a set has fewer than two videos.

    Attributes:
        level: ``benchmark``, ``pooled`` or ``macro``, the mean over the benchmarks that have scored
            samples in both sets.
        benchmark: empty unless the level is ``benchmark``.
        model: the model.
        n_benchmarks: benchmarks with scored samples in both sets.
        n_original: scored samples of the original set.
        n_distilled: scored samples of the distilled set.
        original: accuracy on the original set.
        original_low: lower end of its interval.
        original_high: its upper end.
        original_chance: mean of 1/n_choices on the original set.
        distilled: accuracy on the distilled set; null if it has no scored sample.
        distilled_low: lower end of its interval.
        distilled_high: its upper end.
        distilled_chance: mean of 1/n_choices on the distilled set.
        gap: original - distilled.
        gap_low: lower end of its interval, both resampled together.
        gap_high: its upper end.
    """

    level: str
    benchmark: str
    model: str
    n_benchmarks: int
    n_original: int
    n_distilled: int
    original: float | None
    original_low: float | None
    original_high: float | None
    original_chance: float | None
    distilled: float | None
    distilled_low: float | None
    distilled_high: float | None
    distilled_chance: float | None
    gap: float | None
    gap_low: float | None
    gap_high: float | None


def measure_gap(
    original: AnswerGrid, distilled: AnswerGrid, *, resampling: Resampling | None = None
) -> pl.DataFrame:
    """Measure the gap of every slot of both grids.

    Args:
        original: the answers about all samples.
        distilled: the answers about some of them, perhaps scored by corrected targets; slots are
            named by their model, so models must differ in name.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``GapRow``: for each benchmark, pooled, macro. Models without a
        scored original sample are left out.

    Raises:
        SchemaError: a distilled sample is not among the original ones.
    """
    values = _place(original, distilled)
    pieces = _measure(original, values, resampling or Resampling())
    return build_frame(GapRow, pieces).filter(pl.col("n_original") > 0)


@dataclass(frozen=True, slots=True)
class _Scores:
    """Of M models and the S original samples: the share right and whether scored, M x S each."""

    models: list[str]
    original: Floats
    is_original: NDArray[np.bool_]
    distilled: Floats
    is_distilled: NDArray[np.bool_]


def _place(original: AnswerGrid, distilled: AnswerGrid) -> _Scores:
    """Lay the distilled answers beside the original ones, sample by sample."""
    places = distilled.samples.select(SAMPLE_KEY).join(
        original.samples.select(SAMPLE_KEY).with_row_index("place"),
        on=SAMPLE_KEY,
        how="left",
        maintain_order="left",
    )["place"]
    if places.null_count():
        row = distilled.samples.row(int(places.is_null().arg_true()[0]), named=True)
        raise SchemaError(
            f"{row['benchmark']} sample {row['sample_id']!r} is in the distilled set and not among "
            f"the original samples"
        )
    number_of: dict[Slot, int] = {slot: k for k, slot in enumerate(distilled.slots)}
    ours = [k for k, slot in enumerate(original.slots) if slot in number_of]
    theirs = [number_of[original.slots[k]] for k in ours]
    shape = (len(ours), original.samples.height)
    shares, scored = np.zeros(shape), np.zeros(shape, np.bool_)
    at = places.to_numpy()
    shares[:, at] = np.nan_to_num(divide(distilled.n_correct[theirs], distilled.n_scored[theirs]))
    scored[:, at] = distilled.n_scored[theirs] > 0
    return _Scores(
        models=[original.slots[k].model for k in ours],
        original=np.nan_to_num(divide(original.n_correct[ours], original.n_scored[ours])),
        is_original=original.n_scored[ours] > 0,
        distilled=shares,
        is_distilled=scored,
    )


def _sample_values(grid: AnswerGrid, scores: _Scores, span: slice) -> Floats:
    """Return six values of the samples, M columns of each, in the order ``_estimate`` has them."""
    chance = 1 / grid.samples["n_choices"].to_numpy()[span]
    in_original, in_distilled = scores.is_original[:, span], scores.is_distilled[:, span]
    return np.concatenate(
        [
            in_original,
            scores.original[:, span],
            in_original * chance,
            in_distilled,
            scores.distilled[:, span],
            in_distilled * chance,
        ],
        dtype=np.float64,
    ).T


@dataclass(frozen=True, slots=True)
class _Estimates:
    n_original: Floats
    n_distilled: Floats
    original: Floats
    distilled: Floats
    original_chance: Floats
    distilled_chance: Floats
    can_resample: NDArray[np.bool_]
    original_replicates: Floats
    distilled_replicates: Floats
    gap_replicates: Floats


def _measure(grid: AnswerGrid, scores: _Scores, resampling: Resampling) -> Iterator[dict[str, Any]]:
    if not scores.models:
        return
    names = {"model": np.array(scores.models, dtype=object)}
    by_benchmark: list[_Estimates] = []
    for cell in sum_cells(grid, partial(_sample_values, grid, scores), resampling):
        if cell.level not in (Level.BENCHMARK, Level.POOLED):
            continue
        estimates = _estimate(cell)
        if cell.level is Level.BENCHMARK:
            by_benchmark.append(estimates)
            in_both = _are_in_both([estimates])
        else:
            in_both = _are_in_both(by_benchmark)
        yield {
            **names,
            "level": cell.level.value,
            "benchmark": cell.benchmark,
            "n_benchmarks": in_both.sum(axis=0),
            **_finish(estimates, resampling),
        }
    if by_benchmark:
        in_both = _are_in_both(by_benchmark)
        yield {
            **names,
            "level": Level.MACRO.value,
            "benchmark": "",
            "n_benchmarks": in_both.sum(axis=0),
            **_finish(_average(by_benchmark, in_both), resampling),
        }


def _are_in_both(members: list[_Estimates]) -> NDArray[np.bool_]:
    return np.array([(each.n_original > 0) & (each.n_distilled > 0) for each in members])


def _estimate(cell: CellSums) -> _Estimates:
    n_original, right, chance, n_distilled, right_distilled, chance_distilled = cell.totals.reshape(
        6, -1
    )
    drawn = cell.resampled.reshape(6, len(right), -1)
    n_videos, n_videos_distilled = cell.support.reshape(6, -1)[[0, 3]]
    can_resample = cell.can_resample.reshape(6, -1)
    original, distilled = divide(right, n_original), divide(right_distilled, n_distilled)
    drawn_original, drawn_distilled = divide(drawn[1], drawn[0]), divide(drawn[4], drawn[3])
    return _Estimates(
        n_original=n_original,
        n_distilled=n_distilled,
        original=original,
        distilled=distilled,
        original_chance=divide(chance, n_original),
        distilled_chance=divide(chance_distilled, n_distilled),
        can_resample=can_resample[[0, 3]],
        original_replicates=spread_constants(drawn_original, original, n_videos),
        distilled_replicates=spread_constants(drawn_distilled, distilled, n_videos_distilled),
        gap_replicates=subtract_shares(
            drawn_original,
            drawn_distilled,
            shares=(original, distilled),
            n_clusters=(n_videos, n_videos_distilled),
        ),
    )


def _average(members: list[_Estimates], used: NDArray[np.bool_]) -> _Estimates:
    def mean(name: str) -> Floats:
        return average_benchmarks([getattr(each, name) for each in members], used)

    def add(name: str) -> Floats:
        total: Floats = np.sum([getattr(each, name) for each in members] * used, axis=0)
        return total

    return _Estimates(
        n_original=add("n_original"),
        n_distilled=add("n_distilled"),
        original=mean("original"),
        distilled=mean("distilled"),
        original_chance=mean("original_chance"),
        distilled_chance=mean("distilled_chance"),
        can_resample=np.all(
            [each.can_resample | ~in_use for each, in_use in zip(members, used, strict=True)],
            axis=0,
        ),
        original_replicates=mean("original_replicates"),
        distilled_replicates=mean("distilled_replicates"),
        gap_replicates=mean("gap_replicates"),
    )


def _finish(estimates: _Estimates, resampling: Resampling) -> dict[str, Any]:
    in_original, in_distilled = estimates.can_resample
    values = {
        "original": (estimates.original, estimates.original_replicates, in_original),
        "distilled": (estimates.distilled, estimates.distilled_replicates, in_distilled),
        "gap": (
            estimates.original - estimates.distilled,
            estimates.gap_replicates,
            in_original & in_distilled,
        ),
    }
    finished: dict[str, Any] = {
        "n_original": estimates.n_original,
        "n_distilled": estimates.n_distilled,
        "original_chance": estimates.original_chance,
        "distilled_chance": estimates.distilled_chance,
    }
    for name, (estimate, replicates, can_resample) in values.items():
        low, high = percentile_interval(
            replicates,
            np.where(can_resample, estimate, np.nan),
            confidence=resampling.confidence,
        )
        finished |= {name: estimate, f"{name}_low": low, f"{name}_high": high}
    return finished
