"""How far reviewers agree about the samples that several of them judged."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import krippendorff
import numpy as np
from numpy.typing import NDArray

from video_oasis.judgements.judgement import DROPS, Decision, Judgement
from video_oasis.judgements.standing import list_standing
from video_oasis.kappa import correct_for_chance, expect_agreeing, share_agreeing
from video_oasis.schema import SampleKey

Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class ReviewerAgreement:
    """Agreement over the samples that at least two reviewers have an opinion of.

    Intervals come from resampling the samples; one is null where resamples do not differ.

    Attributes:
        split: what counts as the same: ``decision`` for the decision itself and, of corrections,
            the choice; ``outcome`` for whether the sample is dropped, kept (as it is or corrected)
            or restored.
        n_samples: the samples.
        n_reviewers: reviewers with an opinion of any of them.
        same: mean over samples of the share of pairs of reviewers that agree.
        same_low: lower end of its interval.
        same_high: upper end of its interval.
        statistic: which kappa it is: ``cohen`` where there are two reviewers, else ``fleiss``,
            with what chance makes likely from the opinions of all samples together, so that not
            every sample needs as many.
        kappa: agreement beyond chance; null where everyone always decides the same.
        kappa_low: lower end of its interval.
        kappa_high: upper end of its interval.
        alpha: Krippendorff's, nominal; null where everyone always decides the same.
        alpha_low: lower end of its interval.
        alpha_high: upper end of its interval.
    """

    split: str
    n_samples: int
    n_reviewers: int
    same: float
    same_low: float | None
    same_high: float | None
    statistic: str
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None
    alpha: float | None
    alpha_low: float | None
    alpha_high: float | None


def measure_agreement(
    judgements: Iterable[Judgement],
    *,
    n_resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
) -> tuple[ReviewerAgreement, ...]:
    """Measure agreement on the decisions and on what they come to.

    Args:
        judgements: the judgements; those that do not stand and those without an opinion are left
            out.
        n_resamples: bootstrap resamples behind each interval.
        confidence: share of them that lies within an interval.
        seed: fixes the resamples.

    Returns:
        One row for each split; none if no sample has two opinions.
    """
    by_sample: dict[SampleKey, list[Judgement]] = {}
    for each in list_standing(judgements):
        if each.decision is not Decision.SKIP:
            by_sample.setdefault(each.key, []).append(each)
    opinions = [each for each in by_sample.values() if len(each) > 1]
    if not opinions:
        return ()
    drawn = np.random.default_rng(seed).multinomial(
        len(opinions), np.full(len(opinions), 1 / len(opinions)), size=n_resamples
    )
    return tuple(
        _measure(split, name, opinions, drawn, confidence)
        for split, name in (("decision", _name_decision), ("outcome", _name_outcome))
    )


def _name_decision(judgement: Judgement) -> str:
    if judgement.choice is None:
        return judgement.decision.value
    return f"{judgement.decision.value} {judgement.choice}"


def _name_outcome(judgement: Judgement) -> str:
    if judgement.decision in DROPS:
        return "drop"
    return "restore" if judgement.decision is Decision.RESTORE else "keep"


def _measure(
    split: str,
    name: Callable[[Judgement], str],
    opinions: Sequence[Sequence[Judgement]],
    drawn: NDArray[np.int64],
    confidence: float,
) -> ReviewerAgreement:
    reviewers = sorted({each.reviewer for row in opinions for each in row})
    names = sorted({name(each) for row in opinions for each in row})
    # Reviewers x samples x names: 1 where the reviewer's opinion of the sample has the name.
    marks = np.zeros((len(reviewers), len(opinions), len(names)))
    for number, row in enumerate(opinions):
        for each in row:
            marks[reviewers.index(each.reviewer), number, names.index(name(each))] = 1
    counts = marks.sum(axis=0)
    # The first row is the samples themselves, the others are resamples.
    weights = np.vstack([np.ones(len(opinions)), drawn])
    same = weights @ share_agreeing(counts) / len(opinions)
    if len(reviewers) == 2:
        first, second = (weights @ mark / len(opinions) for mark in marks)
        expected = (first * second).sum(axis=1)
    else:
        expected = expect_agreeing((weights @ counts).T)
    kappa = correct_for_chance(same, expected)
    alpha = _measure_alpha(counts, weights.astype(np.int64))
    same_low, same_high = _find_interval(same, confidence)
    if same[0] in (0, 1):
        # Every sample agrees: no resample says how few they are, the exact binomial bound does.
        bound = ((1 - confidence) / 2) ** (1 / len(opinions))
        same_low, same_high = (bound, 1.0) if same[0] else (0.0, 1 - bound)
    kappa_low, kappa_high = _find_interval(kappa, confidence)
    alpha_low, alpha_high = _find_interval(alpha, confidence)
    return ReviewerAgreement(
        split=split,
        n_samples=len(opinions),
        n_reviewers=len(reviewers),
        same=float(same[0]),
        same_low=same_low,
        same_high=same_high,
        statistic="cohen" if len(reviewers) == 2 else "fleiss",
        kappa=_number(kappa[0]),
        kappa_low=kappa_low,
        kappa_high=kappa_high,
        alpha=_number(alpha[0]),
        alpha_low=alpha_low,
        alpha_high=alpha_high,
    )


def _measure_alpha(counts: Floats, weights: NDArray[np.int64]) -> Floats:
    """Return alpha with every sample counted as often as each row of weights says."""

    def measure(counts: Floats) -> float:
        # One value everywhere leaves nothing to disagree about, and the package nothing to divide.
        if np.count_nonzero(counts.any(axis=0)) < 2:
            return np.nan
        return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))

    return np.array([measure(np.repeat(counts, times, axis=0)) for times in weights])


def _find_interval(values: Floats, confidence: float) -> tuple[float | None, float | None]:
    """Return the interval of the resamples behind the first value, widened to hold it."""
    estimate, resampled = values[0], values[1:]
    resampled = resampled[np.isfinite(resampled)]
    if np.isnan(estimate) or not len(resampled) or np.ptp(resampled) < 1e-12:
        return None, None
    low, high = np.quantile(resampled, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(min(low, estimate)), float(max(high, estimate))


def _number(value: np.floating) -> float | None:
    return None if np.isnan(value) else float(value)
