"""Whether the shortcuts that an audit finds are real, new, and not its own models' quirks.

- Correlation rate: other models, shown the whole video, solve most of the shortcuts too.
- Difficulty baseline: keeping what models get wrong is another way to filter; how far it keeps the
  same samples shows what the tests add.
- Robustness: another set of models should find the same shortcuts and keep the same samples.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any, Final

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
from video_oasis.analysis.consensus import count_ballot, count_models
from video_oasis.analysis.dependence import REFERENCE
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid
from video_oasis.analysis.overlap import OverlapRow, SampleSet, compare_sets
from video_oasis.errors import SchemaError

MODELS_JOINED_BY: Final = " & "
"""What stands between the names of models and of tests in ``RobustnessRow``."""


@dataclass(frozen=True, slots=True)
class CorrelationRow:
    """How many of one test's shortcuts a validator model solves under the reference.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        test: the diagnostic, or ``any`` for the union.
        threshold: the number of right models that makes a sample a shortcut.
        model: the validator.
        n_shortcuts: samples known to be shortcuts.
        n_read: those of them that the validator answered.
        n_solved: those of them that it answered right.
        rate: the correlation rate n_solved / n_read; null if there are none.
        rate_low: lower end of its video-clustered bootstrap interval; null with fewer than two
            videos.
        rate_high: its upper end.
        chance: mean of 1/n_choices over the same samples.
        rate_elsewhere: share that the validator solves of the samples known to be no shortcuts in
            the test; a rate is worth noting as far as it is above this.
        lower_bound: rate over all shortcuts if every unread answer were wrong.
        upper_bound: the same if every unread answer were right.
    """

    level: str
    benchmark: str
    test: str
    threshold: int
    model: str
    n_shortcuts: int
    n_read: int
    n_solved: int
    rate: float | None
    rate_low: float | None
    rate_high: float | None
    chance: float | None
    rate_elsewhere: float | None
    lower_bound: float | None
    upper_bound: float | None


@dataclass(frozen=True, slots=True)
class RobustnessRow:
    """What changes if other models are put in the place of those used.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        models: the other models by name, with `` & `` between them.
        tests: the tests in which they take the place of the models used, likewise.
        threshold: the number of right models that makes a sample a shortcut.
        kind: ``shortcut`` for the samples that are one in any test, ``distilled`` for those known
            to be one in none.
        n: samples whose verdict is known with both; all that follows is over these.
        n_unknown: the other samples.
        n_first: samples of the kind with the models used.
        n_second: samples of the kind with the others.
        n_both: samples of the kind with both.
        n_both_expected: how many would be if one said nothing about the other.
        jaccard: n_both over the samples of the kind with either; null if there are none.
        share_of_first: n_both / n_first; null if that is 0.
        share_of_second: n_both / n_second; null if that is 0.
    """

    level: str
    benchmark: str
    models: str
    tests: str
    threshold: int
    kind: str
    n: int
    n_unknown: int
    n_first: int
    n_second: int
    n_both: int
    n_both_expected: float | None
    jaccard: float | None
    share_of_first: float | None
    share_of_second: float | None


def measure_correlation(
    grid: AnswerGrid,
    *,
    tests: Collection[str],
    validators: Collection[str],
    threshold: int | None = None,
    reference: str = REFERENCE,
    resampling: Resampling | None = None,
) -> pl.DataFrame:
    """Measure how many shortcuts of each test validator models solve when shown the video.

    Args:
        grid: the answers.
        tests: the diagnostics whose verdicts count.
        validators: models asked under the reference that took no part in any of the tests.
        threshold: the right models that make a sample a shortcut; by default all of a test's, and
            for the union all of the largest test's.
        reference: the diagnostic that shows the video as usual.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        A frame with the columns of ``CorrelationRow``, without rows that have no shortcut.

    Raises:
        SchemaError: a validator is a model of one of the tests, or was not asked under the
            reference; a test was not asked, or makes several requests of one sample; or the
            threshold is below 1.
    """
    found_by = grid.only(tests)
    overlapping = sorted(set(validators) & {slot.model for slot in found_by.slots})
    if overlapping:
        raise SchemaError(
            f"validators: {', '.join(overlapping)} took part in finding the shortcuts; expected "
            f"models that are in none of the tests {', '.join(found_by.tests)}"
        )
    shown = grid.only([reference])
    number_of = {slot.model: number for number, slot in enumerate(shown.slots)}
    absent = sorted(set(validators) - number_of.keys())
    if absent:
        raise SchemaError(
            f"validators: {', '.join(absent)} not asked under {reference}; expected some of "
            f"{', '.join(number_of)}"
        )
    asked = [number_of[model] for model in sorted(set(validators))]
    pieces = _correlate(found_by, shown, asked, threshold, resampling or Resampling())
    return build_frame(CorrelationRow, pieces).filter(pl.col("n_shortcuts") > 0)


def _correlate(
    found_by: AnswerGrid,
    shown: AnswerGrid,
    asked: Sequence[int],
    threshold: int | None,
    resampling: Resampling,
) -> Iterator[dict[str, Any]]:
    if not found_by.slots or not asked:
        return
    sizes = count_models(found_by)
    thresholds = [n_models if threshold is None else threshold for n_models in sizes.values()]
    names = {
        "test": np.repeat(np.array(list(sizes), dtype=object), len(asked)),
        "threshold": np.repeat(thresholds, len(asked)),
        "model": np.tile(
            np.array([shown.slots[number].model for number in asked], dtype=object), len(sizes)
        ),
    }
    values = partial(_sample_values, found_by, shown, asked, thresholds)
    for cell in sum_cells(shown, values, resampling):
        if cell.level is not Level.TASK:
            yield names | _measure_correlation_cell(cell, resampling)


def _sample_values(
    found_by: AnswerGrid,
    shown: AnswerGrid,
    asked: Sequence[int],
    thresholds: Sequence[int],
    span: slice,
) -> Floats:
    """Return six values of the samples, one column of each for every test and validator."""
    ballot = count_ballot(found_by, span)
    numbers = range(len(thresholds))
    shortcut = np.array([ballot.shortcut(c)[t] for t, c in zip(numbers, thresholds, strict=True)])
    known = np.array([ballot.known(c)[t] for t, c in zip(numbers, thresholds, strict=True)])
    read = shown.is_settled[asked, span]
    right = shown.is_right[asked, span]
    chance = read / shown.samples["n_choices"].to_numpy()[span]
    none = known & ~shortcut
    marks = [
        (shortcut, np.ones_like(read)),
        (shortcut, read),
        (shortcut, right),
        (shortcut, chance),
        (none, read),
        (none, right),
    ]
    n_samples = read.shape[1]
    return np.concatenate(
        [(tests[:, None] * models[None]).reshape(-1, n_samples) for tests, models in marks],
        dtype=np.float64,
    ).T


def _measure_correlation_cell(cell: CellSums, resampling: Resampling) -> dict[str, Any]:
    shortcuts, read, solved, chances, other_read, other_solved = cell.totals.reshape(6, -1)
    n_videos, can_resample = cell.support.reshape(6, -1)[1], cell.can_resample.reshape(6, -1)[1]
    _, drawn_read, drawn_solved, _, _, _ = cell.resampled.reshape(6, len(read), -1)
    rate = divide(solved, read)
    low, high = percentile_interval(
        spread_constants(divide(drawn_solved, drawn_read), rate, n_videos),
        np.where(can_resample, rate, np.nan),
        confidence=resampling.confidence,
    )
    return {
        "level": cell.level.value,
        "benchmark": cell.benchmark,
        "n_shortcuts": shortcuts,
        "n_read": read,
        "n_solved": solved,
        "rate": rate,
        "rate_low": low,
        "rate_high": high,
        "chance": divide(chances, read),
        "rate_elsewhere": divide(other_solved, other_read),
        "lower_bound": divide(solved, shortcuts),
        "upper_bound": divide(solved + shortcuts - read, shortcuts),
    }


def find_difficult(
    grid: AnswerGrid, *, models: Collection[str] | None = None, reference: str = REFERENCE
) -> pl.DataFrame:
    """Find the samples that all of some models miss when shown the video.

    Args:
        grid: the answers.
        models: the models; by default all that were asked under the reference.
        reference: the diagnostic that shows the video as usual.

    Returns:
        ``benchmark, sample_id, is_difficult`` in the order of the grid; ``is_difficult`` is null
        where no model is known to be right and an answer is missing.

    Raises:
        SchemaError: the reference was not asked, or not of one of the models.
    """
    shown = grid.only([reference])
    asked = {slot.model for slot in shown.slots}
    absent = sorted(set(models or asked) - asked)
    if absent:
        raise SchemaError(
            f"long table: no rows of {reference} and model {', '.join(absent)}; it has "
            f"{', '.join(sorted(asked))}"
        )
    chosen = [k for k, slot in enumerate(shown.slots) if slot.model in (models or asked)]
    solved = shown.is_right[chosen].any(axis=0)
    missed = ~solved & shown.is_settled[chosen].all(axis=0)
    return grid.samples.select(SAMPLE_KEY).with_columns(
        is_difficult=pl.when(pl.Series(solved | missed)).then(pl.Series(missed))
    )


def measure_difficulty_overlap(
    grid: AnswerGrid,
    distilled: pl.DataFrame,
    *,
    models: Collection[str] | None = None,
    reference: str = REFERENCE,
) -> pl.DataFrame:
    """Measure how far the distilled set is the set of samples that all of some models miss.

    Args:
        grid: the answers.
        distilled: ``benchmark, sample_id`` and ``is_kept``, null where that is not known.
        models: the models that define the difficult samples; by default all that were asked under
            the reference.
        reference: the diagnostic that shows the video as usual.

    Returns:
        A frame with the columns of ``OverlapRow``: the first set is ``difficult``, the second
        ``distilled``.

    Raises:
        SchemaError: the reference was not asked, or not of one of the models.
    """
    difficult = find_difficult(grid, models=models, reference=reference)
    kept = difficult.join(distilled, on=SAMPLE_KEY, how="left", maintain_order="left")["is_kept"]
    if not grid.samples.height:
        return build_frame(OverlapRow, [])
    overlap = compare_sets(
        grid, SampleSet.from_marks(difficult["is_difficult"]), SampleSet.from_marks(kept)
    )
    return build_frame(OverlapRow, [{"first": "difficult", "second": "distilled", **overlap}])


def measure_robustness(
    grid: AnswerGrid, *, used: Mapping[str, Collection[str]], threshold: int | None = None
) -> pl.DataFrame:
    """Measure how far every other set of models finds the same shortcuts.

    Other models of the same number take the place of those used in every test that has them all;
    the other tests keep theirs.

    Args:
        grid: the answers of every model asked under the tests, used or not.
        used: the models used in each test; the tests are these.
        threshold: the right models that make a sample a shortcut; by default all of those used in
            the test with most of them.

    Returns:
        A frame with the columns of ``RobustnessRow``; empty if no test has models to spare.

    Raises:
        SchemaError: a test or a model used was not asked, a test makes several requests of one
            sample, or the threshold is below 1.
    """
    tests = grid.only(used)
    slot_numbers = {(slot.diagnostic, slot.model): k for k, slot in enumerate(tests.slots)}
    absent = [
        f"{test} and model {model}"
        for test, models in used.items()
        for model in models
        if (test, model) not in slot_numbers
    ]
    if absent:
        raise SchemaError(f"long table: no rows of {'; '.join(absent)}")
    if threshold is None:
        threshold = max((len(set(models)) for models in used.values()), default=1)
    pieces = _replace_models(tests, {t: frozenset(used[t]) for t in tests.tests}, threshold)
    return build_frame(RobustnessRow, pieces)


def _replace_models(
    grid: AnswerGrid, used: Mapping[str, frozenset[str]], threshold: int
) -> Iterator[dict[str, Any]]:
    if not grid.samples.height:
        return
    asked = {
        test: frozenset(slot.model for slot in grid.slots[slots])
        for test, slots in grid.tests.items()
    }
    first = _find_shortcuts(grid, used, threshold)
    for models in _list_replacements(used, asked):
        replaced = [
            test
            for test in used
            if len(used[test]) == len(models) and models <= asked[test] and models != used[test]
        ]
        second = _find_shortcuts(grid, {**used, **dict.fromkeys(replaced, models)}, threshold)
        names = {
            "models": MODELS_JOINED_BY.join(sorted(models)),
            "tests": MODELS_JOINED_BY.join(replaced),
            "threshold": threshold,
        }
        yield names | {"kind": "shortcut"} | compare_sets(grid, first, second)
        kept, kept_by_others = first.complement(), second.complement()
        yield names | {"kind": "distilled"} | compare_sets(grid, kept, kept_by_others)


def _list_replacements(
    used: Mapping[str, frozenset[str]], asked: Mapping[str, frozenset[str]]
) -> list[frozenset[str]]:
    """List every set of models that some test could use in the place of its own, by name."""
    found = {
        frozenset(models)
        for test in used
        for models in combinations(asked[test], len(used[test]))
        if used[test] != set(models)
    }
    return sorted(found, key=sorted)


def _find_shortcuts(
    grid: AnswerGrid, used: Mapping[str, frozenset[str]], threshold: int
) -> SampleSet:
    """Find the shortcuts of the union with these models only."""
    ballot = count_ballot(
        grid.keep([k for k, slot in enumerate(grid.slots) if slot.model in used[slot.diagnostic]])
    )
    return SampleSet(members=ballot.shortcut(threshold)[-1], known=ballot.known(threshold)[-1])
