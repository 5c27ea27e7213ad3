"""Which frames are picked from curves of relevance whose right selection is known."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import SchemaError
from video_oasis.media.keyframes import MOST_SPLITS, pick_adaptively, pick_top

FLAT = [0.3] * 64
# Frames 20 to 23 show what is asked for.
ONE_PEAK = [0.9 if 20 <= i < 24 else 0.1 for i in range(64)]
# Frames 5, 18, 40 and 61 do, each alone.
MANY_PEAKS = [0.9 if i in (5, 18, 40, 61) else 0.1 for i in range(64)]
# The first half does throughout.
PLATEAU = [0.9 if i < 32 else 0.1 for i in range(64)]


def test_a_flat_curve_is_sampled_evenly() -> None:
    assert pick_adaptively(FLAT, 4) == (0, 16, 32, 48)
    assert pick_adaptively(FLAT, 16) == tuple(range(0, 64, 4))
    assert pick_top(FLAT, 4) == (0, 1, 2, 3)


def test_one_peak_gets_every_frame() -> None:
    # The four best have a mean of 1, all 64 one of 4/64, after scaling: far more than 0.8 apart.
    assert pick_adaptively(ONE_PEAK, 4) == (20, 21, 22, 23)
    assert pick_top(ONE_PEAK, 4) == (20, 21, 22, 23)


def test_a_peak_shorter_than_the_budget_is_taken_and_the_rest_spread() -> None:
    long = [0.9 if 200 <= i < 204 else 0.1 for i in range(640)]
    # The 16 best have a mean of 0.25, and the 8 best of the first half one of 0.5: not enough. The
    # second quarter has a share of 4, and the peak is just that; the other quarters are flat.
    assert pick_adaptively(long, 16) == (
        *(0, 40, 80, 120),
        *(200, 201, 202, 203),
        *(320, 360, 400, 440),
        *(480, 520, 560, 600),
    )
    # Plain ranking takes the peak and then, of equals, the earliest.
    assert pick_top(long, 16) == (*range(12), 200, 201, 202, 203)


def test_many_peaks_get_a_frame_each() -> None:
    assert pick_adaptively(MANY_PEAKS, 4) == (5, 18, 40, 61)
    assert pick_top(MANY_PEAKS, 4) == (5, 18, 40, 61)
    # With eight frames each half has two peaks and a share of 4 (mean 0.5 against 2/32), and each
    # quarter one peak and a share of 2 (0.5 against 1/16): neither stands out. Each eighth gets
    # one frame: its peak, or else its first.
    assert pick_adaptively(MANY_PEAKS, 8) == (5, 8, 18, 24, 32, 40, 48, 61)


def test_a_long_plateau_is_covered_and_the_rest_not_forgotten() -> None:
    # The best 16 lie 0.5 above the mean, so each half gets 8, and each half is flat.
    assert pick_adaptively(PLATEAU, 16) == tuple(range(0, 64, 4))
    # Plain ranking spends everything on the plateau's first frames.
    assert pick_top(PLATEAU, 16) == tuple(range(16))


def test_an_odd_frame_goes_to_the_half_with_the_better_frame() -> None:
    late = [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 1.0, 0.5]
    # Three best: mean 2/3 against 2.5/8. The second half gets two frames, one for each quarter.
    assert pick_adaptively(late, 3) == (0, 4, 6)
    assert pick_adaptively(late[::-1], 3) == (1, 2, 4)


def test_a_stretch_is_split_only_so_often() -> None:
    # After five halvings of 4,096 frames a stretch has 128, and takes its share of 4 as they come.
    picked = pick_adaptively([0.5] * 4096, 4 * 2**MOST_SPLITS)
    assert picked[:5] == (0, 1, 2, 3, 128)


def test_what_is_too_little_is_taken_whole() -> None:
    assert pick_adaptively([0.1, 0.9], 16) == (0, 1)
    assert pick_top([0.1, 0.9], 16) == (0, 1)
    assert pick_adaptively([], 16) == pick_top([], 16) == ()


@pytest.mark.parametrize("pick", [pick_top, pick_adaptively])
@pytest.mark.parametrize(("relevance", "n"), [([0.1], 0), ([0.1, float("nan")], 1)])
def test_nonsense_is_refused(pick: object, relevance: list[float], n: int) -> None:
    assert callable(pick)
    with pytest.raises(SchemaError, match="expected"):
        pick(relevance, n)


curves = st.lists(st.floats(-1, 1, allow_subnormal=False), max_size=300)


@given(curves, st.integers(1, 70))
def test_the_budget_is_met_in_order_and_without_repeats(relevance: list[float], n: int) -> None:
    for picked in (pick_top(relevance, n), pick_adaptively(relevance, n)):
        assert len(picked) == min(n, len(relevance))
        assert all(first < second for first, second in pairwise(picked))
        assert all(0 <= position < len(relevance) for position in picked)


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=200), st.integers(1, 70))
def test_a_most_relevant_frame_is_always_among_them(relevance: list[int], n: int) -> None:
    assert relevance.index(max(relevance)) in pick_top(relevance, n)
    assert max(relevance) in {relevance[each] for each in pick_adaptively(relevance, n)}


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=200), st.integers(1, 40))
def test_scale_and_offset_of_the_scores_do_not_matter(relevance: list[int], n: int) -> None:
    # Powers of two, so that no rounding makes or breaks a tie.
    moved = [4.0 * each + 8.0 for each in relevance]
    assert pick_adaptively(moved, n) == pick_adaptively([float(each) for each in relevance], n)


@given(st.integers(1, 64), st.integers(1, 16))
def test_a_flat_curve_leaves_no_long_gap(n_per_frame: int, n: int) -> None:
    size = n * n_per_frame
    edges = (0, *pick_adaptively([1.0] * size, n), size)
    assert max(second - first for first, second in pairwise(edges)) <= 4 * n_per_frame
