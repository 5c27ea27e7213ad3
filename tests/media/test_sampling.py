import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import MediaError, SchemaError
from video_oasis.media.sampling import (
    CENTRE,
    PerSecond,
    PictureSettings,
    RandomMoment,
    Sampling,
    Uniform,
    WithinSpans,
    shown_at,
)


def test_uniform_times_are_midpoints_of_equal_segments() -> None:
    assert Uniform(4).times(10, 18) == (11, 13, 15, 17)


def test_the_centre_is_the_middle_of_the_window() -> None:
    assert Sampling(CENTRE, 2, 5).times(60) == (3.5,)


def test_rate_below_the_cap_gives_one_frame_for_each_second() -> None:
    assert PerSecond(1, 128).times(0, 3) == (0.5, 1.5, 2.5)


def test_rate_above_the_cap_is_spread_over_the_window() -> None:
    assert PerSecond(1, 4).times(0, 80) == (10, 30, 50, 70)


def test_a_clip_shorter_than_the_rates_step_still_gives_a_frame() -> None:
    assert PerSecond(1, 128).times(4, 4.2) == (4.1,)


def test_random_moments_differ_by_content_and_by_seed() -> None:
    draws = {
        RandomMoment(seed, content).times(0, 100) for seed in (0, 1) for content in ("a", "b", "c")
    }
    assert len(draws) == 6
    assert RandomMoment(0, "a").times(0, 100) == RandomMoment(0, "a").times(0, 100)


def test_random_moments_spread_over_the_window() -> None:
    times = [RandomMoment(0, str(i)).times(10, 20)[0] for i in range(2000)]
    assert min(times) >= 10
    assert max(times) < 20
    assert sum(times) / len(times) == pytest.approx(15, abs=0.2)


def within(*spans: tuple[float, float], fps: float = 1, cap: int = 128) -> WithinSpans:
    return WithinSpans(spans, fps, cap)


def test_spans_are_sampled_at_their_rate_and_nothing_else_is() -> None:
    assert within((10, 13)).times(0, 60) == (10.5, 11.5, 12.5)
    assert within((10, 12), (40, 42)).times(0, 60) == (10.5, 11.5, 40.5, 41.5)
    assert within((40, 42), (10, 12)).times(0, 60) == (10.5, 11.5, 40.5, 41.5)
    assert within((0, 30), (50, 60), cap=4).times(0, 60) == (5, 15, 25, 55)


def test_a_span_alone_is_sampled_as_a_clip_of_its_own() -> None:
    assert within((7.3, 19.8)).times(0, 60) == pytest.approx(PerSecond(1, 128).times(7.3, 19.8))


def test_a_moment_gets_a_frame() -> None:
    assert within((5, 5), (9, 9), (20, 20)).times(0, 60) == (5, 9, 20)
    assert within((0, 0)).times(0, 60) == (0.25,)
    assert within((4, 4)).times(4, 4) == (4,)


def test_spans_that_overlap_are_one() -> None:
    assert within((10, 12), (11, 14), (11.5, 11.5)).times(0, 60) == (10.5, 11.5, 12.5, 13.5)


def test_of_spans_only_what_lies_in_the_window_counts() -> None:
    assert within((0, 12), (58, 70), (80, 90)).times(10, 60) == (10.5, 11.5, 58.5, 59.5)
    with pytest.raises(MediaError, match="80–90 s of a clip that runs from 10 to 60 s") as caught:
        within((80, 90)).times(10, 60)
    assert caught.value.kind == "reference"


def test_the_most_frames_of_spans_are_known_before_the_video_is() -> None:
    assert within((10, 13), (20, 20)).most == 4
    assert within((10, 500)).most == 128
    assert Sampling(within((80, 90)), 10, 60).count_at_most(None) == 0


@pytest.mark.parametrize("spans", [(), ((3, 2),), ((-1, 2),), ((0, float("inf")),)])
def test_spans_must_be_sound(spans: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(SchemaError, match="spans"):
        WithinSpans(spans, 1, 128)


@given(
    st.lists(st.tuples(st.floats(0, 100), st.floats(0, 50)), min_size=1, max_size=6),
    st.integers(1, 40),
)
def test_times_within_spans_ascend_and_lie_near_a_span(
    lengths: list[tuple[float, float]], cap: int
) -> None:
    spans = tuple((start, start + length) for start, length in lengths)
    times = WithinSpans(spans, 1, cap).times(0, 200)
    assert 1 <= len(times) <= cap
    assert list(times) == sorted(times)
    for time in times:
        assert any(start - 0.51 <= time <= end + 0.51 for start, end in spans)


def test_window_end_beyond_the_video_means_its_end() -> None:
    assert Sampling(Uniform(2), 4, 99).times(8) == (5, 7)


def test_window_of_no_length_is_one_moment() -> None:
    times = Sampling(Uniform(3), 4, 4).times(8)
    assert shown_at([0, 2, 4, 6], times) == [2]


@pytest.mark.parametrize(("start", "end"), [(8, 9), (5, 3)])
def test_window_without_video_is_an_error(start: float, end: float) -> None:
    with pytest.raises(MediaError, match="clip window") as caught:
        Sampling(CENTRE, start, end).times(8)
    assert caught.value.kind == "window"


def test_frame_shown_is_the_last_presented_by_then() -> None:
    # Variable rate: the frame of 1.0 s stands until 3.0 s.
    assert shown_at([0, 1, 3, 3.1], [0, 0.99, 1, 2.9, 3.05]) == [0, 1, 2]


def test_a_time_meant_for_a_frames_start_is_that_frame() -> None:
    thirds = [i / 3 for i in range(10)]
    assert shown_at(thirds, [0.1 + 0.2 + 0.7 / 3 * 1 - 0.7 / 3 + 1 - 0.3]) == [3]


def test_of_frames_presented_together_the_last_is_shown() -> None:
    assert shown_at([0, 1, 1, 2], [1]) == [2]


@given(
    st.lists(st.floats(0, 100), min_size=1, max_size=40).map(sorted),
    st.integers(1, 200),
)
def test_more_frames_than_the_clip_has_are_never_repeated(seconds: list[float], n: int) -> None:
    positions = shown_at(seconds, Uniform(n).times(0, 100))
    assert positions == sorted(set(positions))
    assert len(positions) <= min(n, len(seconds))


def test_all_that_decides_the_pictures_is_in_the_id() -> None:
    samplings = [
        Sampling(CENTRE),
        Sampling(Uniform(2)),
        Sampling(PerSecond(1, 1)),
        Sampling(RandomMoment(1, "1")),
        Sampling(CENTRE, 0.5),
        Sampling(CENTRE, None, 0.5),
        Sampling(CENTRE, pictures=PictureSettings(longest_side=100)),
        Sampling(CENTRE, pictures=PictureSettings(jpeg_quality=84)),
    ]
    assert len({sampling.id for sampling in samplings}) == len(samplings)
    assert Sampling(Uniform(1)).id == samplings[0].id


def test_pictures_are_scaled_down_and_never_up() -> None:
    settings = PictureSettings(longest_side=768)
    assert settings.fit(1920, 1080) == (768, 432)
    assert settings.fit(1080, 1920) == (432, 768)
    assert settings.fit(640, 360) == (640, 360)
    assert PictureSettings(longest_side=10).fit(4000, 3) == (10, 1)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Uniform(0),
        lambda: PerSecond(0, 4),
        lambda: PerSecond(1, 0),
        lambda: PictureSettings(longest_side=0),
        lambda: PictureSettings(jpeg_quality=96),
    ],
)
def test_senseless_settings_are_refused(make: type) -> None:
    with pytest.raises(SchemaError, match="expected"):
        make()
