"""How much answers change when a model is shown less than the video, or its frames out of order.

A benchmark that measures video understanding loses accuracy when the evidence goes. So each model's
answers under the reference are compared with its own answers under every other input, over the
samples read under both. All answers are those of the first draw.

Under ``reverse`` an accuracy below chance is a good sign: a model that follows the order of events
picks the choice that fits the reversed ones (arXiv 2410.07752). Under ``blind`` the difference is
what the video gains, and the leak is the part of the right answers that needs none of it.
"""

import math
from collections.abc import Collection, Iterator
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
    subtract_shares,
)
from video_oasis.analysis.cells import CellSums, sum_cells
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid, Slot
from video_oasis.analysis.significance import correct_by_level, mcnemar_test
from video_oasis.errors import SchemaError

REFERENCE: Final = "standard"
"""The diagnostic that shows the video as usual."""

COMPARED: Final = (
    "shuffle",
    "reverse",
    "center_frame",
    "random_frame",
    "blind",
    "audio",
    "summary",
)
"""The inputs that the reference is compared with, where they were asked."""


@dataclass(frozen=True, slots=True)
class DependenceRow:
    """One model under the reference and under another input, over one set of samples.

    Intervals are of the video-clustered bootstrap and null with fewer than two videos; numbers are
    null where their denominator is 0.

    Attributes:
        level: ``task``, ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        task: empty unless the level is ``task``.
        model: the model.
        other: the diagnostic that the reference is compared with.
        n_videos: videos of the samples counted.
        n: samples read under both inputs; every number of the row is over these.
        reference_accuracy: accuracy under the reference.
        other_accuracy: accuracy under the other input.
        chance: mean of 1/n_choices.
        difference: reference_accuracy - other_accuracy; for ``blind`` the gain of seeing.
        difference_low: lower end of its interval, both resampled together.
        difference_high: its upper end.
        n_only_reference: samples that are right under the reference alone.
        n_only_other: samples that are right under the other input alone.
        p_value: McNemar's exact two-sided test of the difference; it takes samples as independent,
            which the interval does not.
        p_holm: p_value corrected by Holm over all rows of the same level: tasks x models x inputs.
        other_excess: other_accuracy - chance.
        other_excess_low: lower end of its interval.
        other_excess_high: its upper end.
        is_below_chance: whether that interval lies below 0; null where there is none.
        leak: share of the samples right under the reference that are right under the other input.
        leak_low: lower end of its interval.
        leak_high: its upper end.
        leak_chance: mean of 1/n_choices over the samples right under the reference.
        same: share of samples with the same prediction under both.
        same_low: lower end of its interval.
        same_high: its upper end.
        same_expected: the share that the model's frequencies of each choice index under either
            input make likely by themselves, among samples with equally many choices.
    """

    level: str
    benchmark: str
    task: str
    model: str
    other: str
    n_videos: int
    n: int
    reference_accuracy: float | None
    other_accuracy: float | None
    chance: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    n_only_reference: int
    n_only_other: int
    p_value: float | None
    p_holm: float | None
    other_excess: float | None
    other_excess_low: float | None
    other_excess_high: float | None
    is_below_chance: bool | None
    leak: float | None
    leak_low: float | None
    leak_high: float | None
    leak_chance: float | None
    same: float | None
    same_low: float | None
    same_high: float | None
    same_expected: float | None


def measure_dependence(
    grid: AnswerGrid,
    *,
    reference: str = REFERENCE,
    others: Collection[str] = COMPARED,
    resampling: Resampling | None = None,
) -> pl.DataFrame:
    """Compare each model's answers under the reference with its answers under other inputs.

    Args:
        grid: the answers.
        reference: the diagnostic that shows the video as usual.
        others: the diagnostics to compare it with; those that were not asked are left out.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``DependenceRow``, by level; empty if the reference was not
        asked. Models that were asked under one of two inputs only are left out, and so are sets of
        samples without one that is read under both.

    Raises:
        SchemaError: one of the diagnostics makes several requests of one sample.
    """
    parted = grid.parted & {reference, *others}
    if parted:
        raise SchemaError(
            f"diagnostic {', '.join(sorted(parted))}: several requests for one sample, and a "
            f"comparison needs one; leave it out"
        )
    frame = build_frame(
        DependenceRow, _measure(grid, _pair(grid, reference, others), resampling or Resampling())
    )
    return correct_by_level(frame.filter(pl.col("n") > 0))


@dataclass(frozen=True, slots=True)
class _Pairs:
    """The answers of one model to two inputs, for P pairs: arrays are P x S."""

    slots: list[Slot]
    """Those of the other inputs."""
    reference: NDArray[np.int16]
    other: NDArray[np.int16]
    both: NDArray[np.bool_]
    reference_right: NDArray[np.bool_]
    other_right: NDArray[np.bool_]

    n_choices: NDArray[np.int32]

    def expect_same(self, samples: slice | NDArray[np.intp]) -> Floats:
        """Return the share of equal predictions that their frequencies make likely."""
        both, n_choices = self.both[:, samples], self.n_choices[samples]
        n_indices = int(n_choices.max()) + 1
        shape = (len(both), n_indices, n_indices)
        # One flat index for pair, number of choices and prediction.
        stratum = np.arange(len(both))[:, None] * n_indices + n_choices

        def count(prediction: NDArray[np.int16]) -> NDArray[np.intp]:
            flat = (stratum * n_indices + prediction[:, samples])[both]
            return np.bincount(flat, minlength=math.prod(shape)).reshape(shape)

        reference, other = count(self.reference), count(self.other)
        expected = divide((reference * other).sum(axis=2), reference.sum(axis=2))
        return divide(np.nansum(expected, axis=1), np.count_nonzero(both, axis=1))


def _pair(grid: AnswerGrid, reference: str, others: Collection[str]) -> _Pairs:
    number_of = {slot: number for number, slot in enumerate(grid.slots)}
    slots = [
        slot
        for slot in grid.slots
        if slot.diagnostic in set(others) - {reference} and Slot(reference, slot.model) in number_of
    ]
    ours = [number_of[Slot(reference, slot.model)] for slot in slots]
    theirs = [number_of[slot] for slot in slots]
    return _Pairs(
        slots=slots,
        reference=grid.prediction[ours],
        other=grid.prediction[theirs],
        both=(grid.prediction[ours] >= 0) & (grid.prediction[theirs] >= 0),
        reference_right=grid.is_right[ours],
        other_right=grid.is_right[theirs],
        n_choices=grid.samples["n_choices"].to_numpy(),
    )


def _sample_values(grid: AnswerGrid, pairs: _Pairs, span: slice) -> Floats:
    """Return seven values of the samples, P columns of each, in the order ``_measure_cell`` has."""
    both = pairs.both[:, span]
    right = both & pairs.reference_right[:, span]
    other_right = both & pairs.other_right[:, span]
    chance = 1 / grid.samples["n_choices"].to_numpy()[span]
    return np.concatenate(
        [
            both,
            right & ~other_right,
            other_right & ~right,
            right & other_right,
            both & (pairs.reference[:, span] == pairs.other[:, span]),
            both * chance,
            right * chance,
        ],
        dtype=np.float64,
    ).T


def _measure(grid: AnswerGrid, pairs: _Pairs, resampling: Resampling) -> Iterator[dict[str, Any]]:
    if not pairs.slots:
        return
    names = {
        "model": np.array([slot.model for slot in pairs.slots], dtype=object),
        "other": np.array([slot.diagnostic for slot in pairs.slots], dtype=object),
        "p_holm": np.full(len(pairs.slots), np.nan),
    }
    for cell in sum_cells(grid, partial(_sample_values, grid, pairs), resampling):
        expected = {"same_expected": pairs.expect_same(cell.samples)}
        yield names | _measure_cell(cell, resampling) | expected


def _measure_cell(cell: CellSums, resampling: Resampling) -> dict[str, Any]:
    both, only_reference, only_other, both_right, same, chances, right_chances = (
        cell.totals.reshape(7, -1)
    )
    n_videos, _, _, _, _, _, n_videos_right = cell.support.reshape(7, -1)
    can_resample, _, _, _, _, _, can_resample_right = cell.can_resample.reshape(7, -1)
    n_pairs = len(both)
    drawn = cell.resampled.reshape(7, n_pairs, -1)
    drawn_shares = divide(drawn, drawn[0])

    right, other_right = only_reference + both_right, only_other + both_right
    accuracy, other_accuracy = divide(right, both), divide(other_right, both)
    chance, leak, same_share = divide(chances, both), divide(both_right, right), divide(same, both)
    differences = subtract_shares(
        drawn_shares[1],
        drawn_shares[2],
        shares=(divide(only_reference, both), divide(only_other, both)),
        n_clusters=(n_videos, n_videos),
    )
    other_excesses = (
        spread_constants(drawn_shares[2] + drawn_shares[3], other_accuracy, n_videos)
        - drawn_shares[5]
    )
    leaks = spread_constants(divide(drawn[3], drawn[1] + drawn[3]), leak, n_videos_right)
    sames = spread_constants(drawn_shares[4], same_share, n_videos)
    estimates = np.array([accuracy - other_accuracy, other_accuracy - chance, leak, same_share])
    can_resample_each = [can_resample, can_resample, can_resample_right, can_resample]
    low, high = (
        ends.reshape(4, n_pairs)
        for ends in percentile_interval(
            np.concatenate([differences, other_excesses, leaks, sames]),
            np.where(can_resample_each, estimates, np.nan).ravel(),
            confidence=resampling.confidence,
        )
    )
    return {
        "level": cell.level.value,
        "benchmark": cell.benchmark,
        "task": cell.task,
        "n_videos": n_videos,
        "n": both,
        "reference_accuracy": accuracy,
        "other_accuracy": other_accuracy,
        "chance": chance,
        "difference": estimates[0],
        "difference_low": low[0],
        "difference_high": high[0],
        "n_only_reference": only_reference,
        "n_only_other": only_other,
        "p_value": mcnemar_test(only_reference, only_other),
        "other_excess": estimates[1],
        "other_excess_low": low[1],
        "other_excess_high": high[1],
        "is_below_chance": np.where(np.isnan(high[1]), np.full(n_pairs, None), high[1] < 0),
        "leak": leak,
        "leak_low": low[2],
        "leak_high": high[2],
        "leak_chance": divide(right_chances, right),
        "same": same_share,
        "same_low": low[3],
        "same_high": high[3],
    }
