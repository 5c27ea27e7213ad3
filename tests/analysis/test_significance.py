import math

import numpy as np
import pytest

from video_oasis.analysis.significance import mcnemar_test, score_test


def test_score_is_the_sum_over_its_null_standard_error() -> None:
    # Cluster sums 1, 2, -1, 2: 4 / sqrt(10) = 1.265, and a normal exceeds that with p 0.103.
    p = score_test(np.array([4.0]), np.array([10.0]), np.array([4]))
    assert p[0] == pytest.approx(0.1030, abs=1e-4)


def test_a_few_clusters_that_agree_are_not_significant() -> None:
    # Two clusters, both all right: the statistic is sqrt(2).
    p = score_test(np.array([2 * 0.75]), np.array([2 * 0.75**2]), np.array([2]))
    assert p[0] == pytest.approx(0.5 * math.erfc(1.0), abs=1e-12)


def test_no_excess_is_a_coin_and_one_cluster_says_nothing() -> None:
    p = score_test(np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([3, 1]))
    assert p[0] == 0.5
    assert math.isnan(p[1])


def test_level_holds_under_the_null() -> None:
    generator = np.random.default_rng(2)
    excess = (generator.random((4000, 50)) < 0.25) - 0.25
    p = score_test(excess.sum(axis=1), np.square(excess).sum(axis=1), np.full(4000, 50))
    assert np.mean(p < 0.05) < 0.065


def test_mcnemar_is_twice_the_smaller_binomial_tail() -> None:
    p = mcnemar_test(np.array([0, 5, 6, 3, 1]), np.array([0, 5, 0, 4, 4]))
    assert p == pytest.approx([1, 1, 2 / 64, 1, 2 * (1 + 5) / 32])
