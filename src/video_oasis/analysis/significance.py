"""Tests of an excess over chance, and of a difference between paired answers."""

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import bdtr, ndtr

from video_oasis.analysis.bootstrap import MIN_CLUSTERS, Floats, Numbers
from video_oasis.holm import adjust_by_holm


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


def mcnemar_test(n_only_first: Numbers, n_only_second: Numbers) -> Floats:
    """Test two-sidedly and exactly whether two paired answers are right equally often.

    Of the pairs in which one alone is right, half are expected to be right in the first; the p
    value is twice the smaller binomial tail. Pairs are taken as independent.

    Args:
        n_only_first: pairs of which the first alone is right, one number for each test.
        n_only_second: pairs of which the second alone is right.

    Returns:
        p values; 1 where no pair differs.
    """
    n_differing = np.asarray(n_only_first + n_only_second, dtype=np.float64)
    fewer = np.asarray(np.minimum(n_only_first, n_only_second), dtype=np.float64)
    p_values: Floats = np.minimum(1, 2 * bdtr(fewer, n_differing.astype(np.int64), 0.5))
    return p_values


def correct_by_level(frame: pl.DataFrame) -> pl.DataFrame:
    """Fill in ``p_holm`` from ``p_value``: the rows of one ``level`` are one family."""
    if frame.is_empty():
        return frame
    return pl.concat(
        rows.with_columns(
            p_holm=pl.Series(adjust_by_holm(rows["p_value"].to_list()), dtype=pl.Float64)
        )
        for rows in frame.partition_by("level", maintain_order=True)
    )
