"""Which samples several models answer without the evidence, and how often luck would do that.

A sample is a shortcut in a test at threshold c if at least c of the test's models are right, and in
the union ``any`` if it is one in any test that applies to it (arXiv 2603.29616, section 3). Answers
that are not there yet, or that failed, leave a verdict unknown wherever they could still change it.
A test's models are all that the grid has for it; the samples it applies to are those with a row.

The null level is exact and keeps the models' correlation: with the answers as given, each choice of
a sample is taken as the target in turn, and the share of choices that would have made it a shortcut
is what guessing alone gives. Where answers are missing, the share is among those choices that would
have made the verdict known, since only such samples are counted. A choice whose text repeats a
picked one counts as not picked, as the chance level of one over the published choices has it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, TypeVar

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
from video_oasis.analysis.cells import CellSums, sum_cells
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid
from video_oasis.errors import SchemaError

UNION: Final = "any"
"""Name of the union of tests among the tests."""

_NULL_ROUNDING: Final = 1e-5

Mark = TypeVar("Mark", np.bool_, np.int16)

_VOTE_COLUMNS: Final = {
    "benchmark": pl.String,
    "sample_id": pl.String,
    "task": pl.String,
    "video": pl.String,
    "test": pl.String,
    "n_models": pl.Int64,
    "votes": pl.Int64,
    "n_missing": pl.Int64,
}


@dataclass(frozen=True, slots=True)
class ConsensusRow:
    """How many samples of one set are shortcuts in one test at one threshold.

    Attributes:
        level: a ``Level``: task, benchmark or pooled.
        benchmark: empty if pooled.
        task: empty unless the level is ``task``.
        test: a diagnostic, or ``any`` for the union.
        threshold: the number of right models that makes a sample a shortcut.
        n_models: models of the test; of the largest test for the union.
        n: samples the test applies to.
        n_known: those with a known verdict.
        n_unknown: the others.
        n_shortcuts: those with a known verdict that are shortcuts.
        observed: share of shortcuts among the known; null if none is known.
        observed_low: lower end of the video-clustered bootstrap interval; null with fewer than two
            videos, as are the other ends.
        observed_high: its upper end.
        null: mean share over the same samples that guessing alone gives.
        corrected: (observed - null) / (1 - null); null where the null level is 1.
        corrected_low: lower end of its interval, observed and null resampled together.
        corrected_high: its upper end.
        lower_bound: share of shortcuts among all n if every unknown sample were none.
        upper_bound: the same if every unknown sample were one.
    """

    level: str
    benchmark: str
    task: str
    test: str
    threshold: int
    n_models: int
    n: int
    n_known: int
    n_unknown: int
    n_shortcuts: int
    observed: float | None
    observed_low: float | None
    observed_high: float | None
    null: float | None
    corrected: float | None
    corrected_low: float | None
    corrected_high: float | None
    lower_bound: float | None
    upper_bound: float | None


@dataclass(frozen=True, slots=True)
class _Ballot:
    """Votes of S samples in T tests and, last, their union; each array is (T + 1) x S.

    For the union, votes are those of the test with most of them, and reach is the largest.
    """

    applies: NDArray[np.bool_]
    votes: NDArray[np.int16]
    reach: NDArray[np.int16]
    """Votes if every missing answer were right."""

    def shortcut(self, threshold: int) -> NDArray[np.bool_]:
        return self.votes >= threshold

    def known(self, threshold: int) -> NDArray[np.bool_]:
        return self.applies & (self.shortcut(threshold) | (self.reach < threshold))


def count_votes(grid: AnswerGrid) -> pl.DataFrame:
    """Count the right answers to each sample in each test that applies to it.

    Returns:
        ``benchmark, sample_id, task, video, test, n_models``, ``votes`` (models that are right in
        their first draw) and ``n_missing`` (models without a scored answer).

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    ballot = _count(grid, slice(None))
    columns = grid.samples.select("benchmark", "sample_id", "task", "video")
    frames = [
        columns.with_columns(
            test=pl.lit(test),
            n_models=pl.lit(slots.stop - slots.start, pl.Int64),
            votes=pl.Series(ballot.votes[number], dtype=pl.Int64),
            n_missing=pl.Series(ballot.reach[number] - ballot.votes[number], dtype=pl.Int64),
        ).filter(pl.Series(ballot.applies[number]))
        for number, (test, slots) in enumerate(grid.tests.items())
    ]
    return pl.concat(frames) if frames else pl.DataFrame(schema=_VOTE_COLUMNS)


def decide_verdicts(grid: AnswerGrid, threshold: int) -> pl.DataFrame:
    """Decide for each sample and test, and for the union, whether the sample is a shortcut.

    Returns:
        ``benchmark, sample_id, test, votes, n_models, threshold, shortcut``; ``shortcut`` is null
        while the verdict is unknown. For the union (test ``any``) votes and n_models are those of
        the test with most of them.

    Raises:
        SchemaError: the threshold is below 1, or a diagnostic makes several requests of one sample.
    """
    if threshold < 1:
        raise SchemaError(f"threshold is {threshold}; expected 1 or more")
    ballot = _count(grid, slice(None))
    shortcut, known = ballot.shortcut(threshold), ballot.known(threshold)
    columns = grid.samples.select("benchmark", "sample_id")
    frames = [
        columns.with_columns(
            test=pl.lit(test),
            votes=pl.Series(ballot.votes[number], dtype=pl.Int64),
            n_models=pl.lit(n_models, pl.Int64),
            threshold=pl.lit(threshold, pl.Int64),
            shortcut=pl.when(pl.Series(known[number])).then(pl.Series(shortcut[number])),
        ).filter(pl.Series(ballot.applies[number]))
        for number, (test, n_models) in enumerate(_test_sizes(grid).items())
    ]
    return pl.concat(frames)


def measure_consensus(grid: AnswerGrid, *, resampling: Resampling | None = None) -> pl.DataFrame:
    """Measure the share of shortcuts at every threshold, beside what guessing alone gives.

    Args:
        grid: the answers; all its diagnostics are tests of the union.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``ConsensusRow``, thresholds from 1 to the number of models.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    return build_frame(ConsensusRow, _measure(grid, resampling or Resampling())).filter(
        pl.col("n") > 0
    )


def _test_sizes(grid: AnswerGrid) -> dict[str, int]:
    sizes = {test: slots.stop - slots.start for test, slots in grid.tests.items()}
    return {**sizes, UNION: max(sizes.values(), default=0)}


def _count(grid: AnswerGrid, span: slice) -> _Ballot:
    if grid.parted:
        raise SchemaError(
            f"diagnostic {', '.join(sorted(grid.parted))}: several requests for one sample, and a "
            f"vote needs one; leave it out of the tests"
        )
    applies = _per_test(grid, grid.n_rows[:, span] > 0) > 0
    votes = _per_test(grid, grid.is_right[:, span])
    missing = _per_test(grid, grid.prediction[:, span] < 0)
    return _Ballot(
        applies=_with_union(applies),
        votes=_with_union(votes),
        reach=_with_union(np.where(applies, votes + missing, 0)),
    )


def _per_test(grid: AnswerGrid, marks: NDArray[np.bool_]) -> NDArray[np.int16]:
    """Count marked slots in each test: K x S to T x S."""
    counts = np.zeros((len(grid.tests), marks.shape[1]), np.int16)
    for number, slots in enumerate(grid.tests.values()):
        np.sum(marks[slots], axis=0, dtype=np.int16, out=counts[number])
    return counts


def _with_union(by_test: NDArray[Mark]) -> NDArray[Mark]:
    return np.concatenate([by_test, by_test.max(axis=0, keepdims=True, initial=0)])


def _thresholds(grid: AnswerGrid) -> list[tuple[int, str, int, int]]:
    """List number of the test, its name, its number of models, and each threshold."""
    return [
        (number, test, n_models, threshold)
        for number, (test, n_models) in enumerate(_test_sizes(grid).items())
        for threshold in range(1, n_models + 1)
    ]


def _sample_values(grid: AnswerGrid, span: slice) -> Floats:
    """Return shortcut, known and null share of the samples, one column each for a threshold."""
    ballot = _count(grid, span)
    shortcuts, knowns, nulls = [], [], []
    shares = _null_shares(grid, span, ballot)
    for number, _, _, threshold in _thresholds(grid):
        known = ballot.known(threshold)[number]
        knowns.append(known)
        shortcuts.append(known & ballot.shortcut(threshold)[number])
        nulls.append(np.where(known, shares[threshold - 1, number], 0))
    return np.array([*shortcuts, *knowns, *nulls], dtype=np.float64).T


def _null_shares(grid: AnswerGrid, span: slice, ballot: _Ballot) -> Floats:
    """Return the share of choices that would make each sample a shortcut, C x (T + 1) x S.

    The share is among the choices that would make the verdict known.
    """
    prediction = grid.prediction[:, span]
    n_choices = grid.samples["n_choices"].to_numpy()[span]
    missing = (ballot.reach - ballot.votes)[:-1]
    thresholds = range(1, max(_test_sizes(grid).values()) + 1)
    n_shortcut = np.zeros((len(thresholds), *ballot.votes.shape), np.int16)
    n_not = np.zeros_like(n_shortcut)
    n_picked = np.zeros_like(ballot.votes)
    for choice in range(int(prediction.max(initial=-1)) + 1):
        picks = _per_test(grid, prediction == choice)
        votes, reach = _with_union(picks), _with_union(picks + missing)
        picked = votes > 0
        n_picked += picked
        for threshold in thresholds:
            n_shortcut[threshold - 1] += votes >= threshold
            n_not[threshold - 1] += picked & (reach < threshold)
    # Choices that nobody picked are all alike.
    n_unpicked = n_choices - n_picked
    reach = _with_union(missing)
    for threshold in thresholds:
        n_not[threshold - 1] += np.where(reach < threshold, n_unpicked, 0)
    return np.nan_to_num(divide(n_shortcut, n_shortcut + n_not))


def _measure(grid: AnswerGrid, resampling: Resampling) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    thresholds = _thresholds(grid)
    numbers = [number for number, _, _, _ in thresholds]
    names = {
        "test": np.array([test for _, test, _, _ in thresholds], dtype=object),
        "n_models": np.array([n_models for _, _, n_models, _ in thresholds]),
        "threshold": np.array([threshold for _, _, _, threshold in thresholds]),
    }
    applies = _count(grid, slice(None)).applies
    for cell in sum_cells(grid, partial(_sample_values, grid), resampling):
        n_applies = np.count_nonzero(applies[:, cell.samples], axis=1)[numbers]
        yield names | _measure_cell(cell, n_applies, resampling)


def _measure_cell(cell: CellSums, n: NDArray[np.intp], resampling: Resampling) -> dict[str, Any]:
    n_rows = len(n)
    shortcuts, known, nulls = cell.totals.reshape(3, n_rows)
    _, n_videos, _ = cell.support.reshape(3, n_rows)
    _, can_resample, _ = cell.can_resample.reshape(3, n_rows)
    resampled_shortcuts, resampled_known, resampled_nulls = cell.resampled.reshape(3, n_rows, -1)
    observed, null = divide(shortcuts, known), divide(nulls, known)
    corrected = _correct(observed, null)
    observed_replicates = spread_constants(
        divide(resampled_shortcuts, resampled_known), observed, n_videos
    )
    null_replicates = divide(resampled_nulls, resampled_known)
    low, high = percentile_interval(
        np.concatenate([observed_replicates, _correct(observed_replicates, null_replicates)]),
        np.where(np.tile(can_resample, 2), np.hstack([observed, corrected]), np.nan),
        confidence=resampling.confidence,
    )
    return {
        "level": cell.level.value,
        "benchmark": cell.benchmark,
        "task": cell.task,
        "n": n,
        "n_known": known,
        "n_unknown": n - known,
        "n_shortcuts": shortcuts,
        "observed": observed,
        "observed_low": low[:n_rows],
        "observed_high": high[:n_rows],
        "null": null,
        "corrected": corrected,
        "corrected_low": low[n_rows:],
        "corrected_high": high[n_rows:],
        "lower_bound": divide(shortcuts, n),
        "upper_bound": divide(shortcuts + n - known, n),
    }


def _correct(observed: Floats, null: Floats) -> Floats:
    # Resampled sums are in single precision: a null level of 1 is one up to its rounding.
    return divide(observed - null, np.where(null > 1 - _NULL_ROUNDING, np.nan, 1 - null))
