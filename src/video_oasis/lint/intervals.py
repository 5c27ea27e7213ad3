"""Exact intervals and tests for mean scores."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import betainc, betaincinv, stdtrit

LEVEL: Final = 0.05
"""One minus the coverage of every interval."""


@dataclass(frozen=True, slots=True)
class MeanScore:
    """A mean of scores between 0 and 1, with its interval and its test against chance.

    Attributes:
        mean: the mean score.
        low: lower end of the 95 % interval.
        high: upper end of it.
        n_effective: the number of independent questions that would be as informative.
        p_value: one-sided: how likely chance is to score as high.
    """

    mean: float
    low: float
    high: float
    n_effective: float
    p_value: float


def score_mean(
    scores: npt.NDArray[np.float64],
    videos: npt.NDArray[np.int64],
    *,
    chance: float,
    n_candidates: int = 1,
) -> MeanScore:
    """Estimate a mean score whose questions come in videos.

    One rule for all: the Clopper-Pearson interval at the effective number of questions (Korn and
    Graubard 1998, Survey Methodology 24, 193-201). For scores of 0 and 1 with one question for each
    video that is the exact binomial interval. Where questions share videos, the variance between
    videos sets the effective number, and Student's t at (videos - 1) degrees of freedom widens it
    further; it is never above the number of questions.

    Args:
        scores: one score for each question, in [0, 1]; ties give fractions.
        videos: the video of each question, as a number.
        chance: the mean score of picking at random.
        n_candidates: how many rules the one scored was chosen from for doing best on these very
            questions; the interval and the p-value are corrected for that (Bonferroni).
    """
    mean = float(scores.mean())
    n_effective = _effective_number(scores, videos, mean)
    n_right = mean * n_effective
    n_wrong = n_effective - n_right
    tail = LEVEL / 2 / n_candidates
    return MeanScore(
        mean=mean,
        low=float(betaincinv(n_right, n_wrong + 1, tail)) if mean > 0 else 0.0,
        high=float(betaincinv(n_right + 1, n_wrong, 1 - tail)) if mean < 1 else 1.0,
        n_effective=n_effective,
        p_value=(
            min(1.0, n_candidates * float(betainc(n_right, n_wrong + 1, chance)))
            if mean > 0
            else 1.0
        ),
    )


def _effective_number(
    scores: npt.NDArray[np.float64], videos: npt.NDArray[np.int64], mean: float
) -> float:
    n = len(scores)
    deviations = np.bincount(videos, weights=scores - mean)
    n_videos = len(deviations)
    if n_videos == 1:
        return 1.0
    if mean in {0.0, 1.0}:
        return float(n_videos)
    variance = n_videos / (n_videos - 1) * float(deviations @ deviations) / n**2
    binomial_variance = mean * (1 - mean) / (n - 1)
    if variance <= binomial_variance / n:
        return float(n)
    t_ratio = float(stdtrit(n - 1, 1 - LEVEL / 2) / stdtrit(n_videos - 1, 1 - LEVEL / 2))
    return min(float(n), n * binomial_variance / variance * t_ratio**2)
