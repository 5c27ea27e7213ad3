"""What the analyses measure of a world whose shortcuts are known, beside its closed form."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION, decide_verdicts, measure_consensus
from video_oasis.analysis.contribution import measure_contribution
from video_oasis.analysis.grid import arrange

MakeWorld = Callable[..., tuple[pl.DataFrame, Any]]

N_SAMPLES = 24_416
N_CHOICES = 4
HERDING = 0.3
ABILITIES = [
    [1.0, 1.0, 1.0],
    [0.9, 0.8, 0.7],
    [0.9, 0.9, 0.4],
    [0.6, 0.6, 0.6],
    [1.0, 0.5, 0.0],
    [0.8, 0.8, 0.8],
]
LEAKS = [0.05, 0.1, 0.3, 0.2, 0.1, 0.0]
NO_LEAKS = [0.0] * 6
THRESHOLDS = (1, 2, 3)
QUICK = Resampling(n_resamples=300)


def reach(probabilities: Sequence[float], threshold: int) -> float:
    """Probability that at least so many of independent events happen."""
    counts = np.array([1.0])
    for p in probabilities:
        counts = np.convolve(counts, [1 - p, p])
    return float(counts[threshold:].sum())


def reach_of_choice(
    test: int, leaks: Sequence[float], threshold: int, *, is_target: bool, is_favourite: bool
) -> float:
    """Probability that enough models of a test pick a choice, given what it is."""
    guessed = HERDING * is_favourite + (1 - HERDING) / N_CHOICES
    known = [a * is_target + (1 - a) * guessed for a in ABILITIES[test]]
    return leaks[test] * reach(known, threshold) + (1 - leaks[test]) * reach(
        [guessed] * len(known), threshold
    )


def expect(tests: Sequence[int], leaks: Sequence[float], threshold: int) -> tuple[float, float]:
    """Expected observed and null share of a test, or of the union of several.

    Any choice is the favourite of one sample in four. Given which it is, the tests are independent.
    The null is the share of choices, target or not, that enough models of some test pick.
    """
    by_role = {}
    for is_target in (True, False):
        missed = [
            math.prod(
                1 - reach_of_choice(t, leaks, threshold, is_target=is_target, is_favourite=fav)
                for t in tests
            )
            for fav in (True, False)
        ]
        by_role[is_target] = 1 - missed[0] / N_CHOICES - missed[1] * (1 - 1 / N_CHOICES)
    observed = by_role[True]
    return observed, (observed + (N_CHOICES - 1) * by_role[False]) / N_CHOICES


def sampling_error(share: float) -> float:
    """Four standard errors of a share, no less than the share's own grain."""
    return 4 * math.sqrt(max(share * (1 - share), 1 / N_SAMPLES) / N_SAMPLES)


@pytest.fixture(scope="module")
def leaking(make_world: MakeWorld) -> tuple[pl.DataFrame, Any]:
    return make_world(N_SAMPLES, abilities=ABILITIES, leaks=LEAKS, herding=HERDING)


def test_ratio_null_and_corrected_ratio_are_what_was_put_in(
    leaking: tuple[pl.DataFrame, Any],
) -> None:
    measured = measure_consensus(arrange(leaking[0]), resampling=QUICK)
    rows = {
        (row["test"], row["threshold"]): row
        for row in measured.filter(pl.col("level") == "pooled").iter_rows(named=True)
    }
    tests = {**{f"test-{t}": [t] for t in range(6)}, UNION: list(range(6))}
    assert rows.keys() == {(test, c) for test in tests for c in THRESHOLDS}
    for (test, c), row in rows.items():
        observed, null = expect(tests[test], LEAKS, c)
        corrected = (observed - null) / (1 - null)
        assert row["observed"] == pytest.approx(observed, abs=sampling_error(observed)), (test, c)
        assert row["null"] == pytest.approx(null, abs=sampling_error(null)), (test, c)
        # Twice the half width of a 95 % interval: again about four standard errors.
        width = row["corrected_high"] - row["corrected_low"]
        assert row["corrected"] == pytest.approx(corrected, abs=width), (test, c)


def test_corrected_ratio_tells_planted_tests_from_an_idle_one(
    leaking: tuple[pl.DataFrame, Any],
) -> None:
    measured = measure_consensus(arrange(leaking[0]), resampling=QUICK).filter(
        pl.col("level") == "pooled", pl.col("threshold") == 3
    )
    low = dict(measured.select("test", "corrected_low").iter_rows())
    assert {test for test, lower in low.items() if lower > 0} == {
        *(f"test-{t}" for t in range(5)),
        UNION,
    }


def test_every_planted_sample_of_able_models_is_found(leaking: tuple[pl.DataFrame, Any]) -> None:
    table, leaked = leaking
    grid = arrange(table)
    for c in THRESHOLDS:
        verdicts = decide_verdicts(grid, c).filter(pl.col("test") == "test-0")
        assert verdicts["shortcut"].to_numpy()[leaked[0]].all()


def test_unique_shortcuts_are_what_was_put_in(leaking: tuple[pl.DataFrame, Any]) -> None:
    measured = measure_contribution(arrange(leaking[0])).filter(pl.col("level") == "pooled")
    assert measured.height == 18
    for row in measured.iter_rows(named=True):
        this = int(row["test"].removeprefix("test-"))
        unique = 0.0
        for fav, share in ((True, 1 / N_CHOICES), (False, 1 - 1 / N_CHOICES)):
            reached = [
                reach_of_choice(t, LEAKS, row["threshold"], is_target=True, is_favourite=fav)
                for t in range(6)
            ]
            others = math.prod(1 - reached[t] for t in range(6) if t != this)
            unique += share * reached[this] * others
        assert row["n_unique"] / N_SAMPLES == pytest.approx(unique, abs=sampling_error(unique))
        assert row["n_perhaps_unique"] == 0


@pytest.mark.parametrize("failing", [0.0, 0.1])
def test_without_a_real_shortcut_the_corrected_ratio_is_zero(
    make_world: MakeWorld, failing: float
) -> None:
    table, _ = make_world(
        N_SAMPLES, abilities=ABILITIES, leaks=NO_LEAKS, herding=HERDING, failing=failing
    )
    measured = measure_consensus(arrange(table), resampling=QUICK).filter(
        pl.col("level") == "pooled"
    )
    union = measured.filter(pl.col("test") == UNION)
    assert union["threshold"].to_list() == [1, 2, 3]
    for row in union.iter_rows(named=True):
        assert row["corrected_low"] <= 0 <= row["corrected_high"]
    # Luck alone puts nearly all samples into the union of six tests and three models each.
    assert union["observed"][0] > 0.9
    # 95 of 100 such intervals hold 0, so nearly all of the 21 must.
    holds = (pl.col("corrected_low") <= 0) & (pl.col("corrected_high") >= 0)
    assert measured.filter(holds).height >= 18
