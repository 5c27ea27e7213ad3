import math

import numpy as np
import pytest

from video_oasis.analysis.bootstrap import (
    ClusterSums,
    Resampling,
    divide,
    draw_counts,
    percentile_interval,
    resample_sums,
    seeded_generator,
    spread_constants,
)
from video_oasis.errors import SettingsError


def test_counts_are_poisson_of_mean_one() -> None:
    (counts,) = draw_counts(500, n_resamples=400, generator=seeded_generator(0, "a"))
    assert counts.shape == (500, 400)
    shares = np.bincount(counts.astype(int).ravel(), minlength=9)[:5] / counts.size
    expected = np.exp(-1) / np.array([1, 1, 2, 6, 24])
    np.testing.assert_allclose(shares, expected, atol=0.005)


def test_draws_a_piece_at_a_time_when_clusters_are_many() -> None:
    pieces = draw_counts(1 << 20, n_resamples=5, generator=seeded_generator(0, "a"))
    assert [piece.shape[1] for piece in pieces] == [4, 1]


def test_stream_depends_on_seed_and_names_alone() -> None:
    assert seeded_generator(1, "a", "b").random() == seeded_generator(1, "a", "b").random()
    streams = {
        seeded_generator(1, "a").random(),
        seeded_generator(2, "a").random(),
        seeded_generator(1, "b").random(),
        seeded_generator(1, "a", "b").random(),
        seeded_generator(1, "ab").random(),
    }
    assert len(streams) == 5


def test_parts_are_summed_over_the_same_draws() -> None:
    whole = ClusterSums(np.arange(4), np.array([[1.0], [2.0], [3.0], [4.0]]))
    left = ClusterSums(np.array([0, 2]), np.array([[1.0], [3.0]]))
    right = ClusterSums(np.array([1, 3]), np.array([[2.0], [4.0]]))
    sums = resample_sums(
        [whole, left, right], n_clusters=4, n_resamples=30, generator=seeded_generator(0)
    )
    np.testing.assert_allclose(sums[0], sums[1] + sums[2])
    assert sums[0].shape == (1, 30)


def test_interval_has_the_width_of_the_closed_form() -> None:
    # 400 clusters of one: the standard error of a share of 0.3 is sqrt(0.3 * 0.7 / 400).
    correct = (np.arange(400) < 120).astype(float)
    part = ClusterSums(np.arange(400), np.column_stack([correct, np.ones(400)]))
    (sums,) = resample_sums([part], n_clusters=400, n_resamples=4000, generator=seeded_generator(3))
    low, high = percentile_interval(divide(sums[:1], sums[1:]), np.array([0.3]), confidence=0.95)
    half_width = 1.96 * math.sqrt(0.3 * 0.7 / 400)
    assert low[0] == pytest.approx(0.3 - half_width, abs=0.005)
    assert high[0] == pytest.approx(0.3 + half_width, abs=0.005)


def test_interval_covers_the_truth_when_clusters_share_their_luck() -> None:
    # Samples of a video are all right or all wrong: intervals that took samples for independent
    # would be half as wide as they must be and cover far less.
    generator = np.random.default_rng(5)
    covered = 0
    for trial in range(200):
        video_correct = 4.0 * (generator.random(60) < 0.4)
        part = ClusterSums(np.arange(60), np.column_stack([video_correct, np.full(60, 4.0)]))
        (sums,) = resample_sums(
            [part], n_clusters=60, n_resamples=400, generator=seeded_generator(trial)
        )
        estimate = np.array([video_correct.sum() / 240])
        low, high = percentile_interval(divide(sums[:1], sums[1:]), estimate, confidence=0.95)
        covered += bool(low[0] <= 0.4 <= high[0])
    # 95 percent of 200 with a binomial standard deviation of 3.
    assert covered >= 180


def test_interval_reads_between_replicates_and_skips_undefined_ones() -> None:
    replicates = np.array([[0.0, 1.0, 2.0, 3.0, 4.0], [4.0, np.nan, 0.0, np.nan, 2.0]])
    low, high = percentile_interval(replicates, np.array([2.0, 2.0]), confidence=0.5)
    np.testing.assert_allclose(low, [1.0, 1.0])
    np.testing.assert_allclose(high, [3.0, 3.0])


def test_interval_is_undefined_where_estimate_or_replicates_are() -> None:
    replicates = np.array([[0.0, 1.0], [np.nan, np.nan]])
    low, high = percentile_interval(replicates, np.array([np.nan, 0.5]), confidence=0.9)
    assert np.isnan(low).all()
    assert np.isnan(high).all()


def test_interval_holds_the_estimate() -> None:
    low, high = percentile_interval(np.array([[0.5, 0.6]]), np.array([0.9]), confidence=0.9)
    assert low[0] < high[0] == 0.9


@pytest.mark.parametrize("n_clusters", [2, 10, 200])
def test_constant_shares_get_the_clopper_pearson_bound(n_clusters: int) -> None:
    shares = np.array([1.0, 0.0, 0.5])
    replicates = np.tile(shares[:, None], (1, 4000))
    spread = spread_constants(replicates, shares, np.full(3, n_clusters))
    low, high = percentile_interval(spread, shares, confidence=0.95)
    bound = 0.025 ** (1 / n_clusters)
    np.testing.assert_allclose(low, [bound, 0, 0.5], atol=2e-3)
    np.testing.assert_allclose(high, [1, 1 - bound, 0.5], atol=2e-3)


def test_divides_to_nan_by_zero() -> None:
    np.testing.assert_array_equal(divide(np.array([1, 0]), np.array([2, 0])), [0.5, np.nan])


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"n_resamples": 0}, "n_resamples is 0"), ({"confidence": 1.0}, "confidence is 1.0")],
)
def test_refuses_settings_that_make_no_interval(settings: dict[str, float], named: str) -> None:
    with pytest.raises(SettingsError, match=named):
        Resampling(**settings)  # type: ignore[arg-type]
