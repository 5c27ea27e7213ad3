"""Spearman's rank correlation of weighted values, with an interval that resamples clusters."""

from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from video_oasis.analysis.bootstrap import (
    MIN_CLUSTERS,
    Floats,
    Resampling,
    draw_counts,
    seeded_generator,
)
from video_oasis.analysis.grades.estimates import NO_ESTIMATE, Estimate, differ, estimate

Levels = NDArray[np.intp]

_CELLS_AT_ONCE: Final = 1 << 22
_MAX_LEVELS: Final = 100
_SMALLEST: Final = 1e-9


def correlate_ranks(
    first: Floats,
    second: Floats,
    clusters: NDArray[np.integer],
    *,
    resampling: Resampling,
    name: str,
    weights: Floats | None = None,
) -> Estimate:
    """Estimate Spearman's rank correlation, equal values sharing their mean rank.

    Args:
        first: one value for each of n things.
        second: the other value of each.
        clusters: the number of the cluster, such as a video, that each lies in.
        resampling: how to resample the clusters.
        name: what is correlated; with the seed it fixes the draws.
        weights: what each counts; by default all the same.

    Returns:
        The correlation; empty where either value is the same everywhere, without an interval with
        fewer than two clusters or where resamples do not differ.
    """
    if not len(first):
        return NO_ESTIMATE
    weights = np.ones(len(first)) if weights is None else weights
    levels = np.column_stack([_number_levels(first), _number_levels(second)])
    value = _correlate(levels, weights[:, None])
    coarse = np.column_stack([_coarsen(column) for column in levels.T])
    # Equal pairs of levels are added up first: scores of 0 to 5 make few.
    distinct, of_thing = np.unique(coarse, axis=0, return_inverse=True)
    _, cluster = np.unique(clusters, return_inverse=True)
    n_clusters = int(cluster.max()) + 1
    mass = sparse.coo_array(
        (weights, (of_thing.ravel(), cluster)), shape=(len(distinct), n_clusters)
    ).tocsr()
    replicates: list[Floats] = []
    at_once = max(1, _CELLS_AT_ONCE // len(distinct))
    for counts in draw_counts(
        n_clusters,
        n_resamples=resampling.n_resamples,
        generator=seeded_generator(resampling.seed, name),
    ):
        replicates.extend(
            _correlate(distinct, mass @ counts[:, start : start + at_once].astype(np.float64))
            for start in range(0, counts.shape[1], at_once)
        )
    resampled = np.concatenate(replicates)[None]
    lost = value - _correlate(coarse, weights[:, None])
    return estimate(
        value,
        lost + resampled,
        differ(resampled) & (n_clusters >= MIN_CLUSTERS),
        resampling.confidence,
    )[0]


def _number_levels(values: Floats) -> Levels:
    """Number the distinct values in order of size."""
    _, level = np.unique(values, return_inverse=True)
    return level


def _coarsen(level: Levels) -> Levels:
    """Take neighbours together where there are more levels than resamples need to tell apart."""
    n_levels = int(level.max()) + 1
    return level if n_levels <= _MAX_LEVELS else level * _MAX_LEVELS // n_levels


def _correlate(levels: Levels, mass: Floats) -> Floats:
    """Correlate the ranks of M pairs of levels, for each column of M x R masses."""
    total = mass.sum(axis=0)
    first, second = (_rank(column, mass) - total / 2 for column in levels.T)
    joint, one, other = (
        (mass * ranks).sum(axis=0) for ranks in (first * second, first**2, second**2)
    )
    product = np.sqrt(one * other)
    # Where a value is constant, what is left is rounding.
    varies = product > _SMALLEST * total**3
    correlations: Floats = np.divide(joint, product, out=np.full_like(joint, np.nan), where=varies)
    return correlations


def _rank(level: Levels, mass: Floats) -> Floats:
    """Rank levels by the mass below them and half of their own, M x R."""
    things = np.arange(len(level))
    of_level = sparse.coo_array((np.ones(len(level)), (level, things))).tocsr() @ mass
    ranks: Floats = (np.cumsum(of_level, axis=0) - of_level / 2)[level]
    return ranks
