from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import SchemaError
from video_oasis.media import views
from video_oasis.media.sampling import Uniform
from video_oasis.schema import Frame

FRAMES = tuple(Frame(f"d{i}", 5.0 + i) for i in range(8))

counts = st.integers(0, 60)


def _frames(n: int) -> tuple[Frame, ...]:
    return tuple(Frame(f"d{i}", 0.5 * i) for i in range(n))


def test_uniform_takes_the_middles_of_equal_runs() -> None:
    assert [frame.digest for frame in views.uniform(FRAMES, 2)] == ["d2", "d6"]
    assert views.uniform(FRAMES, 9) == FRAMES


def test_centre_is_the_middle_frame() -> None:
    assert [frame.digest for frame in views.centre(_frames(5))] == ["d2"]
    assert [frame.digest for frame in views.centre(FRAMES)] == ["d4"]


def test_reverse_has_new_monotone_times() -> None:
    shown = views.reverse(FRAMES)
    assert [frame.digest for frame in shown] == [f"d{i}" for i in range(7, -1, -1)]
    assert [frame.seconds for frame in shown] == [float(i) for i in range(8)]


@given(counts, st.integers(), st.text())
def test_shuffle_keeps_the_pictures_and_leaks_no_time(n: int, seed: int, content: str) -> None:
    frames = _frames(n)
    shown = views.shuffle(frames, seed=seed, content=content)
    assert shown == views.shuffle(frames, seed=seed, content=content)
    assert sorted(f.digest for f in shown) == sorted(f.digest for f in frames)
    assert all(a.seconds < b.seconds for a, b in pairwise(shown))


def test_new_times_are_the_same_whatever_the_order() -> None:
    shuffles = [views.shuffle(FRAMES, seed=seed, content="s") for seed in range(20)]
    assert len({tuple(f.digest for f in shown) for shown in shuffles}) == 20
    assert {tuple(f.seconds for f in shown) for shown in shuffles} == {
        tuple(float(i) for i in range(8))
    }


def test_one_frame_reordered_is_the_frame_itself() -> None:
    # A degenerate trial is recognised by its equal request.
    assert views.shuffle(FRAMES[:1], seed=0, content="s") == FRAMES[:1]
    assert views.reverse(FRAMES[:1]) == FRAMES[:1]


def test_frames_of_equal_times_get_times_apart() -> None:
    shown = views.with_monotone_times([Frame("a", 2.0), Frame("b", 2.0)])
    assert shown[0].seconds < shown[1].seconds


def test_random_frame_depends_on_content_alone() -> None:
    draws = [views.random_frame(FRAMES, seed=0, content=str(i)) for i in range(60)]
    assert draws == [views.random_frame(FRAMES, seed=0, content=str(i)) for i in range(60)]
    assert len(set(draws)) == len(FRAMES)


def test_chunks_of_uniform_frames_are_uniform_in_each_part() -> None:
    frames = tuple(Frame(str(time), time) for time in Uniform(128).times(0, 64))
    parts = views.chunks(frames, 8, 16)
    assert [tuple(f.seconds for f in part) for part in parts] == [
        Uniform(16).times(8 * i, 8 * i + 8) for i in range(8)
    ]


@given(counts, st.integers(1, 10), st.integers(1, 10))
def test_chunks_are_in_order_full_and_without_repeats(n: int, k: int, per_chunk: int) -> None:
    frames = _frames(n)
    parts = views.chunks(frames, k, per_chunk)
    assert len(parts) == min(k, n)
    assert all(1 <= len(part) <= per_chunk for part in parts)
    together = [frame for part in parts for frame in part]
    assert together == sorted(set(together), key=lambda frame: frame.seconds)


@pytest.mark.parametrize(("k", "n"), [(0, 1), (1, 0)])
def test_chunks_need_sense(k: int, n: int) -> None:
    with pytest.raises(SchemaError, match="expected at least 1"):
        views.chunks(FRAMES, k, n)
