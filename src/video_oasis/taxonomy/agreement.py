"""How far the models of a panel agree on categories, and two panels with each other."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    MIN_CLUSTERS,
    ClusterSums,
    Floats,
    Resampling,
    divide,
    percentile_interval,
    resample_sums,
    seeded_generator,
    spread_constants,
)
from video_oasis.errors import SchemaError
from video_oasis.kappa import correct_for_chance, expect_agreeing, share_agreeing
from video_oasis.schema import SampleKey
from video_oasis.taxonomy.votes import Outcome, Vote, decide, only_of

_SMALLEST: Final = 1e-6
"""Differences below it are of rounding."""


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """Agreement of the models of one panel, over samples that at least two name a category for.

    Intervals are of the video-clustered bootstrap, null where there are fewer than two videos.

    Attributes:
        n_models: the panel's models.
        n_samples: the samples.
        same: mean over samples of the share of pairs of models that agree.
        same_low: lower end of its interval.
        same_high: its upper end.
        expected: the share that the frequencies of the categories make likely by themselves.
        kappa: Fleiss': (same - expected) / (1 - expected); null where expected is 1.
        kappa_low: lower end of its interval; null also where resamples do not differ.
        kappa_high: its upper end.
    """

    n_models: int
    n_samples: int
    same: float | None
    same_low: float | None
    same_high: float | None
    expected: float | None
    kappa: float | None
    kappa_low: float | None
    kappa_high: float | None


@dataclass(frozen=True, slots=True)
class PanelOverlap:
    """What another panel makes of the same samples.

    Attributes:
        models: the other panel's models.
        threshold: so many of them must agree.
        n_shared: how many of them are in the panel too; their votes count in both.
        n_samples: samples that both are asked about.
        n_accepted: samples that the other panel accepts.
        n_both: samples that both accept.
        n_same: those of them with the same category.
        same: n_same / n_both; null where that is 0.
        same_low: lower end of its interval, of the video-clustered bootstrap.
        same_high: its upper end.
        expected: the share that the frequencies of the categories in both make likely.
    """

    models: tuple[str, ...]
    threshold: int
    n_shared: int
    n_samples: int
    n_accepted: int
    n_both: int
    n_same: int
    same: float | None
    same_low: float | None
    same_high: float | None
    expected: float | None


def measure_panel(
    votes: Mapping[SampleKey, Sequence[Vote]],
    models: Sequence[str],
    categories: Sequence[str],
    videos: Mapping[SampleKey, str],
    *,
    resampling: Resampling | None = None,
) -> PanelAgreement:
    """Measure the agreement of a panel's models.

    Args:
        votes: of each sample.
        models: the panel.
        categories: the categories.
        videos: the video of each sample, unique over all benchmarks.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.
    """
    resampling = resampling or Resampling()
    columns = {category: number for number, category in enumerate(categories)}
    counts = np.zeros((len(votes), len(categories)), np.int64)
    for row, of_sample in enumerate(votes.values()):
        for vote in only_of(of_sample, models):
            if vote.category is not None:
                counts[row, columns[vote.category]] += 1
    used = counts.sum(axis=1) > 1
    if not used.any():
        return PanelAgreement(len(models), 0, *[None] * 7)
    counts = counts[used]
    sums = np.column_stack([np.ones(len(counts)), share_agreeing(counts), counts])
    clusters = _number_videos([videos[key] for key in votes])[used]
    same, expected, kappa = _measure(sums.sum(axis=0)[:, None])
    replicates = _resample(sums, clusters, resampling, "panel")
    same_low, same_high = _find_share_interval(replicates, same, clusters, resampling)
    kappa_low = kappa_high = None
    if replicates is not None:
        resampled = _measure(replicates)[2]
        defined = resampled[~np.isnan(resampled)]
        # Where resamples do not differ, they say nothing of how sure a kappa is.
        if len(defined) and np.ptp(defined) > _SMALLEST:
            kappa_low, kappa_high = _interval(resampled[None, :], kappa, resampling)
    return PanelAgreement(
        n_models=len(models),
        n_samples=len(counts),
        same=float(same[0]),
        same_low=same_low,
        same_high=same_high,
        expected=float(expected[0]),
        kappa=_number(kappa[0]),
        kappa_low=kappa_low,
        kappa_high=kappa_high,
    )


def _measure(sums: Floats) -> tuple[Floats, Floats, Floats]:
    """Return same, expected and kappa of each column of sums: n, same, votes by category."""
    same, expected = divide(sums[1], sums[0]), expect_agreeing(sums[2:])
    return same, expected, correct_for_chance(same, expected)


def measure_overlap(
    votes: Mapping[SampleKey, Sequence[Vote]],
    panel: Sequence[str],
    threshold: int,
    other: Sequence[str],
    other_threshold: int,
    videos: Mapping[SampleKey, str],
    *,
    resampling: Resampling | None = None,
) -> PanelOverlap:
    """Measure how often another panel gives the same category, where both accept one.

    Args:
        votes: of each sample, by the models of both panels.
        panel: the panel's models.
        threshold: its threshold.
        other: the other panel's models.
        other_threshold: its threshold.
        videos: the video of each sample, unique over all benchmarks.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: the other panel is the same as the panel.
    """
    if set(panel) == set(other):
        raise SchemaError(f"the other panel is the same: {', '.join(other)}")
    resampling = resampling or Resampling()
    ours = [decide(only_of(each, panel), threshold) for each in votes.values()]
    theirs = [decide(only_of(each, other), other_threshold) for each in votes.values()]
    both = [
        (our, their, video)
        for (our, our_outcome), (their, their_outcome), video in zip(
            ours, theirs, (videos[key] for key in votes), strict=True
        )
        if our_outcome is their_outcome is Outcome.ACCEPTED
    ]
    is_same = np.array([our == their for our, their, _ in both], np.float64)
    n_both, n_same = len(both), int(is_same.sum())
    low = high = None
    if both:
        clusters = _number_videos([video for _, _, video in both])
        sums = np.column_stack([np.ones(n_both), is_same])
        replicates = _resample(sums, clusters, resampling, "overlap", *other)
        share = np.array([n_same / n_both])
        low, high = _find_share_interval(replicates, share, clusters, resampling)
    our_counts = Counter(our for our, _, _ in both)
    their_counts = Counter(their for _, their, _ in both)
    return PanelOverlap(
        models=tuple(other),
        threshold=other_threshold,
        n_shared=len(set(panel) & set(other)),
        n_samples=len(votes),
        n_accepted=sum(outcome is Outcome.ACCEPTED for _, outcome in theirs),
        n_both=n_both,
        n_same=n_same,
        same=n_same / n_both if n_both else None,
        same_low=low,
        same_high=high,
        expected=sum(n * their_counts[name] for name, n in our_counts.items()) / n_both**2
        if n_both
        else None,
    )


def _number_videos(videos: Sequence[str]) -> NDArray[np.intp]:
    numbers = {video: number for number, video in enumerate(dict.fromkeys(videos))}
    return np.array([numbers[video] for video in videos], np.intp)


def _resample(
    sums: Floats, clusters: NDArray[np.intp], resampling: Resampling, *names: str
) -> NDArray[np.float32] | None:
    """Return the column sums of each resample of the videos, None if there are too few videos."""
    there, places = np.unique(clusters, return_inverse=True)
    n_clusters = len(there)
    if n_clusters < MIN_CLUSTERS:
        return None
    by_cluster = np.zeros((n_clusters, sums.shape[1]))
    np.add.at(by_cluster, places, sums)
    (resampled,) = resample_sums(
        [ClusterSums(np.arange(n_clusters), by_cluster)],
        n_clusters=n_clusters,
        n_resamples=resampling.n_resamples,
        generator=seeded_generator(resampling.seed, "categories", *names),
    )
    return resampled


def _find_share_interval(
    replicates: NDArray[np.float32] | None,
    share: Floats,
    clusters: NDArray[np.intp],
    resampling: Resampling,
) -> tuple[float | None, float | None]:
    """Return the interval of the share that the second sum is of the first."""
    if replicates is None:
        return None, None
    resampled = divide(replicates[1], replicates[0])[None, :]
    spread = spread_constants(resampled, share, np.array([len(np.unique(clusters))]))
    return _interval(spread, share, resampling)


def _interval(
    replicates: Floats, estimates: Floats, resampling: Resampling
) -> tuple[float | None, float | None]:
    low, high = percentile_interval(replicates, estimates, confidence=resampling.confidence)
    return _number(low[0]), _number(high[0])


def _number(value: np.floating) -> float | None:
    return None if np.isnan(value) else float(value)
