"""Tests of an excess over chance, and their correction for many tests."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from video_oasis.analysis.bootstrap import MIN_CLUSTERS, Floats


def score_test(totals: Floats, squares: Floats, n_clusters: NDArray[np.intp]) -> Floats:
    """Test one-sidedly whether per-cluster sums of (correct - chance) have a mean above 0.

    The statistic is the cluster-robust score statistic: the sum over its standard error with the
    variance taken about the null value 0. With G clusters it cannot exceed the root of G, so a few
    clusters that agree by luck are never highly significant.

    Args:
        totals: sum over clusters, one for each test.
        squares: sum over clusters of the squared cluster sums.
        n_clusters: number of clusters.

    Returns:
        p values; NaN with fewer than two clusters.
    """
    statistic = np.divide(totals, np.sqrt(squares), out=np.zeros_like(totals), where=squares > 0)
    return np.where(n_clusters >= MIN_CLUSTERS, ndtr(-statistic), np.nan)


def correct_holm(p_values: Floats) -> Floats:
    """Adjust p values for the size of their family (Holm 1979); NaN stays NaN and outside it."""
    adjusted = np.full(len(p_values), np.nan)
    order = np.argsort(p_values)[: np.count_nonzero(~np.isnan(p_values))]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(1, np.maximum.accumulate(p_values[order] * factors))
    return adjusted
