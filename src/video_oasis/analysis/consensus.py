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

Groups of benchmarks come in two ways, both named: all samples of the group pooled, and the plain
mean over its benchmarks. The corrected ratio of a mean is that of the mean observed and mean null.
"""

from collections.abc import Collection, Iterator, Mapping
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
from video_oasis.analysis.cells import (
    CellSums,
    Level,
    average_benchmarks,
    list_members,
    sum_cells,
)
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import ANY_CHOICE, AnswerGrid
from video_oasis.errors import SchemaError, SettingsError

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
        level: a ``Level``.
        group: the group of benchmarks; empty unless the level is one of a group.
        benchmark: empty unless the level is ``benchmark`` or ``task``.
        task: empty unless the level is ``task``.
        n_benchmarks: benchmarks with samples the test applies to.
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
    group: str
    benchmark: str
    task: str
    n_benchmarks: int
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
class Ballot:
    """Votes of S samples in T tests and, last, their union; each array is (T + 1) x S.

    Attributes:
        applies: whether the test applies to the sample.
        votes: models that are right; for the union those of the test with most of them.
        reach: votes if every answer to come were right; for the union the largest.
    """

    applies: NDArray[np.bool_]
    votes: NDArray[np.int16]
    reach: NDArray[np.int16]

    def shortcut(self, threshold: int) -> NDArray[np.bool_]:
        """Tell which samples are known to be shortcuts.

        Raises:
            SchemaError: the threshold is below 1.
        """
        if threshold < 1:
            raise SchemaError(f"threshold is {threshold}; expected 1 or more")
        return self.votes >= threshold

    def known(self, threshold: int) -> NDArray[np.bool_]:
        """Tell which verdicts are known, among the samples that each test applies to."""
        return self.applies & (self.shortcut(threshold) | (self.reach < threshold))


def count_votes(grid: AnswerGrid) -> pl.DataFrame:
    """Count the right answers to each sample in each test that applies to it.

    Returns:
        ``benchmark, sample_id, task, video, test, n_models``, ``votes`` (models that are right in
        their first draw) and ``n_missing`` (models that answers to come can still make right).

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    ballot = count_ballot(grid)
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
    ballot = count_ballot(grid)
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
        for number, (test, n_models) in enumerate(count_models(grid).items())
    ]
    return pl.concat(frames)


def measure_consensus(
    grid: AnswerGrid,
    *,
    groups: Mapping[str, str] | None = None,
    resampling: Resampling | None = None,
) -> pl.DataFrame:
    """Measure the share of shortcuts at every threshold, beside what guessing alone gives.

    Args:
        grid: the answers; all its diagnostics are tests of the union.
        groups: the group of each benchmark; None for tasks, benchmarks and all pooled only, without
            groups and without the mean over benchmarks.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``ConsensusRow``, thresholds from 1 to the number of models.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    return build_frame(ConsensusRow, _measure(grid, groups, resampling or Resampling())).filter(
        pl.col("n") > 0
    )


def count_models(grid: AnswerGrid) -> dict[str, int]:
    """Return the number of models of each test, and last of the union: the largest."""
    sizes = {test: slots.stop - slots.start for test, slots in grid.tests.items()}
    return {**sizes, UNION: max(sizes.values(), default=0)}


def choose_threshold(threshold: int | None, n_models: Collection[int]) -> int:
    """Return how many models of a test must be right for a shortcut.

    Args:
        threshold: the number stated; None for all models of the test that has most.
        n_models: the number of models of each test.

    Raises:
        SettingsError: no test has so many models, or the number is below 1.
    """
    largest = max(n_models, default=threshold or 1)
    chosen = largest if threshold is None else threshold
    if not 1 <= chosen <= largest:
        raise SettingsError(
            f"threshold is {chosen}, and the largest test has {largest} models; expected 1 to "
            f"{largest}"
        )
    return chosen


def count_ballot(grid: AnswerGrid, span: slice = slice(None)) -> Ballot:
    """Count the votes on a range of samples.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    if grid.parted:
        raise SchemaError(
            f"diagnostic {', '.join(sorted(grid.parted))}: several requests for one sample, and a "
            f"vote needs one; leave it out of the tests"
        )
    applies = _per_test(grid, grid.n_rows[:, span] > 0) > 0
    votes = _per_test(grid, grid.is_right[:, span])
    missing = _per_test(grid, grid.may_be_right[:, span])
    return Ballot(
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
        for number, (test, n_models) in enumerate(count_models(grid).items())
        for threshold in range(1, n_models + 1)
    ]


def _sample_values(grid: AnswerGrid, span: slice) -> Floats:
    """Return shortcut, known and null share of the samples, one column each for a threshold."""
    ballot = count_ballot(grid, span)
    shortcuts, knowns, nulls = [], [], []
    shares = null_shares(grid, span, ballot)
    for number, _, _, threshold in _thresholds(grid):
        known = ballot.known(threshold)[number]
        knowns.append(known)
        shortcuts.append(known & ballot.shortcut(threshold)[number])
        nulls.append(np.where(known, shares[threshold - 1, number], 0))
    return np.array([*shortcuts, *knowns, *nulls], dtype=np.float64).T


def null_shares(grid: AnswerGrid, span: slice, ballot: Ballot) -> Floats:
    """Return the share of choices that would make each sample a shortcut, C x (T + 1) x S.

    The share is among the choices that would make the verdict known.
    """
    prediction, open_to = grid.prediction[:, span], grid.open_to[:, span]
    n_choices = grid.samples["n_choices"].to_numpy()[span]
    # A test that does not apply to a sample has no rows of it, so all its slots look open.
    open_to_all = np.where(ballot.applies[:-1], _per_test(grid, open_to == ANY_CHOICE), 0)
    thresholds = range(1, max(count_models(grid).values()) + 1)
    n_shortcut = np.zeros((len(thresholds), *ballot.votes.shape), np.int16)
    n_not = np.zeros_like(n_shortcut)
    n_picked = np.zeros_like(ballot.votes)
    for choice in range(int(max(prediction.max(initial=-1), open_to.max(initial=-1))) + 1):
        picks = _per_test(grid, prediction == choice)
        missing = open_to_all + _per_test(grid, open_to == choice)
        votes, reach = _with_union(picks), _with_union(picks + missing)
        picked = _with_union(_per_test(grid, (prediction == choice) | (open_to == choice))) > 0
        n_picked += picked
        for threshold in thresholds:
            n_shortcut[threshold - 1] += votes >= threshold
            n_not[threshold - 1] += picked & (reach < threshold)
    # Choices that nobody picked are all alike.
    n_unpicked = n_choices - n_picked
    reach = _with_union(open_to_all)
    for threshold in thresholds:
        n_not[threshold - 1] += np.where(reach < threshold, n_unpicked, 0)
    return np.nan_to_num(divide(n_shortcut, n_shortcut + n_not))


@dataclass(frozen=True, slots=True)
class _Estimates:
    """One set of samples; identity and counts are columns of the frame already."""

    columns: dict[str, Any]
    observed: Floats
    null: Floats
    lower_bound: Floats
    upper_bound: Floats
    can_resample: NDArray[np.bool_]
    observed_replicates: Floats
    null_replicates: Floats


def _measure(
    grid: AnswerGrid, groups: Mapping[str, str] | None, resampling: Resampling
) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    thresholds = _thresholds(grid)
    numbers = [number for number, _, _, _ in thresholds]
    names = {
        "test": np.array([test for _, test, _, _ in thresholds], dtype=object),
        "n_models": np.array([n_models for _, _, n_models, _ in thresholds]),
        "threshold": np.array([threshold for _, _, _, threshold in thresholds]),
    }
    applies = count_ballot(grid).applies
    by_benchmark: dict[str, _Estimates] = {}
    for cell in sum_cells(grid, partial(_sample_values, grid), resampling, groups=groups):
        n_applies = np.count_nonzero(applies[:, cell.samples], axis=1)[numbers]
        estimates = _estimate(cell, n_applies)
        if cell.level is Level.BENCHMARK:
            by_benchmark[cell.benchmark] = estimates
        elif cell.level is not Level.TASK:
            estimates.columns["n_benchmarks"] = np.sum(
                [
                    one.columns["n_benchmarks"]
                    for benchmark, one in by_benchmark.items()
                    if cell.level is Level.POOLED or (groups or {}).get(benchmark) == cell.group
                ],
                axis=0,
            )
        yield names | _finish(estimates, resampling)

    if groups is None or not by_benchmark:
        return
    measured = list(by_benchmark.values())
    for group, members in list_members(list(by_benchmark), groups).items():
        average = _average(
            [measured[number] for number in members], level=Level.GROUP_MACRO, group=group
        )
        yield names | _finish(average, resampling)
    yield names | _finish(_average(measured, level=Level.MACRO, group=""), resampling)


def _estimate(cell: CellSums, n: NDArray[np.intp]) -> _Estimates:
    n_rows = len(n)
    shortcuts, known, nulls = cell.totals.reshape(3, n_rows)
    _, n_videos, _ = cell.support.reshape(3, n_rows)
    _, can_resample, _ = cell.can_resample.reshape(3, n_rows)
    resampled_shortcuts, resampled_known, resampled_nulls = cell.resampled.reshape(3, n_rows, -1)
    observed = divide(shortcuts, known)
    return _Estimates(
        columns={
            "level": cell.level.value,
            "group": cell.group,
            "benchmark": cell.benchmark,
            "task": cell.task,
            "n_benchmarks": (n > 0).astype(np.int64),
            "n": n,
            "n_known": known,
            "n_unknown": n - known,
            "n_shortcuts": shortcuts,
        },
        observed=observed,
        null=divide(nulls, known),
        lower_bound=divide(shortcuts, n),
        upper_bound=divide(shortcuts + n - known, n),
        can_resample=can_resample,
        observed_replicates=spread_constants(
            divide(resampled_shortcuts, resampled_known), observed, n_videos
        ),
        null_replicates=divide(resampled_nulls, resampled_known),
    )


def _average(members: list[_Estimates], *, level: Level, group: str) -> _Estimates:
    """Average benchmarks, for each test those that it applies to."""
    used = np.array([one.columns["n"] > 0 for one in members])

    def mean(name: str) -> Floats:
        return average_benchmarks([getattr(one, name) for one in members], used)

    return _Estimates(
        columns={
            "level": level.value,
            "group": group,
            "benchmark": "",
            "task": "",
            "n_benchmarks": used.sum(axis=0),
            **{
                column: np.sum([one.columns[column] for one in members], axis=0)
                for column in ("n", "n_known", "n_unknown", "n_shortcuts")
            },
        },
        observed=mean("observed"),
        null=mean("null"),
        lower_bound=mean("lower_bound"),
        upper_bound=mean("upper_bound"),
        can_resample=np.all([one.can_resample for one in members] | ~used, axis=0),
        observed_replicates=mean("observed_replicates"),
        null_replicates=mean("null_replicates"),
    )


def _finish(estimates: _Estimates, resampling: Resampling) -> dict[str, Any]:
    """Add corrected ratios and intervals, and return the columns of the frame."""
    observed, null = estimates.observed, estimates.null
    corrected = _correct(observed, null)
    n_rows = len(observed)
    replicates = estimates.observed_replicates
    low, high = percentile_interval(
        np.concatenate([replicates, _correct(replicates, estimates.null_replicates)]),
        np.where(np.tile(estimates.can_resample, 2), np.hstack([observed, corrected]), np.nan),
        confidence=resampling.confidence,
    )
    return {
        **estimates.columns,
        "observed": observed,
        "observed_low": low[:n_rows],
        "observed_high": high[:n_rows],
        "null": null,
        "corrected": corrected,
        "corrected_low": low[n_rows:],
        "corrected_high": high[n_rows:],
        "lower_bound": estimates.lower_bound,
        "upper_bound": estimates.upper_bound,
    }


def _correct(observed: Floats, null: Floats) -> Floats:
    # Resampled sums are in single precision: a null level of 1 is one up to its rounding.
    return divide(observed - null, np.where(null > 1 - _NULL_ROUNDING, np.nan, 1 - null))
