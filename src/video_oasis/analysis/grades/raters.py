"""How far two raters agree on yes or no, and how far that is beyond chance."""

from dataclasses import dataclass

import numpy as np

from video_oasis.analysis.bootstrap import Floats
from video_oasis.analysis.grades.estimates import (
    Cell,
    Estimate,
    Parts,
    Shares,
    differ,
    estimate,
    estimate_shares,
)
from video_oasis.kappa import correct_for_chance


@dataclass(frozen=True, slots=True)
class RaterAgreement:
    """Agreement of two raters.

    Attributes:
        same: share of answers of which both say the same.
        kappa: Cohen's, (same - expected) / (1 - expected), where expected is what the two raters'
            own shares of yes make likely by themselves; empty where that is 1, and without an
            interval where resamples do not differ.
    """

    same: Estimate
    kappa: Estimate


def list_rater_parts(first: Floats, second: Floats, weights: Floats) -> Parts:
    """Return what to measure of C pairs of raters.

    Args:
        first: 1 where the first says yes, 0 where no, NaN where nothing, U x C.
        second: likewise.
        weights: what each answer counts, U x C.
    """
    both = np.where(np.isnan(first + second), 0, weights)
    return {
        "same": (both * (first == second), both),
        "first_yes": (both * np.nan_to_num(first), both),
        "second_yes": (both * np.nan_to_num(second), both),
    }


def read_rater_agreement(cell: Cell) -> list[RaterAgreement]:
    """Return the agreement of each of the pairs whose parts were measured."""
    same, first, second = cell["same"], cell["first_yes"], cell["second_yes"]
    kappa = estimate_kappa(
        same,
        expect_same(first.values, second.values),
        expect_same(first.replicates, second.replicates),
    )
    return [RaterAgreement(*numbers) for numbers in zip(estimate_shares(same), kappa, strict=True)]


def expect_same(first: Floats, second: Floats) -> Floats:
    """Return how often two raters would agree if only their shares of yes decided."""
    expected: Floats = first * second + (1 - first) * (1 - second)
    return expected


def estimate_kappa(same: Shares, expected: Floats, replicates: Floats) -> list[Estimate]:
    """Correct shares of agreement for chance.

    Args:
        same: the shares that agree.
        expected: the shares that chance makes likely.
        replicates: those of the expected shares.
    """
    resampled = correct_for_chance(same.replicates, replicates)
    return estimate(
        correct_for_chance(same.values, expected),
        resampled,
        same.can_resample & differ(resampled),
        same.confidence,
    )
