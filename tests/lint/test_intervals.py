import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from video_oasis.lint.intervals import score_mean


@pytest.mark.parametrize(("n_right", "n"), [(0, 12), (3, 12), (90, 200), (12, 12), (1, 2)])
def test_one_question_for_each_video_is_the_exact_binomial_interval(n_right: int, n: int) -> None:
    scores = np.array([1.0] * n_right + [0.0] * (n - n_right))
    found = score_mean(scores, np.arange(n), chance=0.25)
    exact = binomtest(n_right, n, 0.25, alternative="two-sided").proportion_ci(method="exact")
    assert found.n_effective == pytest.approx(n)
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))
    assert found.p_value == pytest.approx(binomtest(n_right, n, 0.25, "greater").pvalue)


def test_videos_answered_alike_count_once() -> None:
    # Ten videos of five questions, all right or all wrong: the information of ten questions.
    scores = np.repeat([1.0, 0.0] * 5, 5)
    videos = np.repeat(np.arange(10), 5)
    found = score_mean(scores, videos, chance=0.25)
    # 50 · (0.25/49) / (10/9 · 10 · 2.5² / 50²) = 9.18, and t at 9 instead of 49 degrees of freedom:
    # (2.0096 / 2.2622)² = 0.789.
    assert found.n_effective == pytest.approx(9.18 * 0.789, rel=1e-3)
    assert found.low < binomtest(25, 50).proportion_ci(method="exact").low


def test_fractions_that_vary_less_than_coins_do_not_narrow_the_interval() -> None:
    found = score_mean(np.full(20, 0.5), np.arange(20), chance=0.25)
    exact = binomtest(10, 20).proportion_ci(method="exact")
    assert found.n_effective == 20
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high))


def test_one_video_tells_next_to_nothing() -> None:
    found = score_mean(np.ones(30), np.zeros(30, dtype=np.int64), chance=0.25)
    assert found.n_effective == 1
    assert found.low == pytest.approx(0.025)


def test_choosing_among_candidates_is_paid_for() -> None:
    scores = np.array([1.0] * 10 + [0.0] * 10)
    plain = score_mean(scores, np.arange(20), chance=0.25)
    chosen = score_mean(scores, np.arange(20), chance=0.25, n_candidates=4)
    assert chosen.p_value == pytest.approx(4 * plain.p_value)
    assert chosen.low < plain.low
    assert chosen.high > plain.high


@given(
    rows=st.lists(
        st.tuples(st.sampled_from([0.0, 0.25, 1 / 3, 0.5, 1.0]), st.integers(0, 5)),
        min_size=1,
        max_size=40,
    ),
    chance=st.floats(0.05, 0.95),
)
def test_interval_contains_the_mean(rows: list[tuple[float, int]], chance: float) -> None:
    scores = np.array([score for score, _ in rows])
    _, videos = np.unique([video for _, video in rows], return_inverse=True)
    found = score_mean(scores, videos, chance=chance)
    assert 0 <= found.low <= found.mean <= found.high <= 1
    assert 0 <= found.p_value <= 1
    assert 0 < found.n_effective <= len(rows)
