"""Tests of an excess over chance."""

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
