"""What each diagnostic that shows frames asks for and shows."""

from collections.abc import Callable

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Evidence
from video_oasis.errors import SettingsError
from video_oasis.schema import Frame, Request, Sample, Video

SHOWING_FRAMES = ("standard", "center_frame", "random_frame", "shuffle", "reverse", "chunk")


def make_frames(n: int) -> tuple[Frame, ...]:
    return tuple(Frame(f"d{i}", 10.0 + i) for i in range(n))


def shown(
    name: str, sample: Sample, n: int, *, max_frames: int | None = None, seed: int = 0
) -> list[Request]:
    """Return the requests of a diagnostic for a sample of which n frames were taken."""
    evidence = Evidence(make_frames(n), max_frames, seed)
    return [trial.request for trial in DIAGNOSTICS[name].trials(sample, evidence)]


def times(name: str, video: Video, duration_seconds: float) -> tuple[float, ...]:
    """Return the moments that a diagnostic wants of a video of this length."""
    sampling = DIAGNOSTICS[name].sampling
    assert sampling is not None
    wanted = sampling(Sample("s1", "bench", video, "What?", ("a", "b"), 0, "t"), FrameSettings())
    assert wanted is not None
    return wanted.times(duration_seconds)


def test_standard_takes_one_frame_a_second_up_to_the_budget() -> None:
    assert times("standard", Video("v"), 4.0) == (0.5, 1.5, 2.5, 3.5)
    long = times("standard", Video("v"), 1280.0)
    assert len(long) == 128
    assert long[:2] == (5.0, 15.0)


@pytest.mark.parametrize("name", ["shuffle", "reverse", "chunk"])
def test_the_others_take_the_whole_budget_however_short_the_clip(name: str) -> None:
    assert len(times(name, Video("v"), 4.0)) == 128


def test_the_clip_window_is_kept_to() -> None:
    window = Video("v", start_seconds=20.0, end_seconds=30.0)
    assert times("center_frame", window, 100.0) == (25.0,)
    (moment,) = times("random_frame", window, 100.0)
    assert 20.0 <= moment < 30.0
    for name in ("standard", "shuffle", "reverse", "chunk"):
        assert all(20.0 < moment < 30.0 for moment in times(name, window, 100.0))


def test_random_frames_differ_between_samples_and_seeds(
    make_sample: Callable[..., Sample],
) -> None:
    take = DIAGNOSTICS["random_frame"].sampling
    assert take is not None
    moments = {
        sampling.times(100.0)
        for i in range(5)
        for seed in range(2)
        if (sampling := take(make_sample(id=f"s{i}"), FrameSettings(seed=seed))) is not None
    }
    assert len(moments) == 10


@pytest.mark.parametrize("name", SHOWING_FRAMES)
def test_a_request_shows_the_question_and_never_where_it_is_from(
    name: str, make_sample: Callable[..., Sample]
) -> None:
    sample = make_sample(video=Video("secret_name.mp4", 3.0, 7.0))
    for request in shown(name, sample, 1 if "frame" in name else 16):
        assert sample.question in request.text
        assert all(choice in request.text for choice in sample.choices)
        assert "secret" not in request.text
        assert request.letters == ("A", "B", "C", "D")


def test_standard_shows_frames_in_order_with_their_own_times(
    make_sample: Callable[..., Sample],
) -> None:
    (request,) = shown("standard", make_sample(), 5)
    assert request.frames == make_frames(5)


def test_reverse_shows_the_same_frames_backwards_with_new_times(
    make_sample: Callable[..., Sample],
) -> None:
    (request,) = shown("reverse", make_sample(), 4)
    assert request.frames == (Frame("d3", 0), Frame("d2", 1), Frame("d1", 2), Frame("d0", 3))


def test_shuffle_shows_the_same_frames_in_another_order_with_new_times(
    make_sample: Callable[..., Sample],
) -> None:
    (request,) = shown("shuffle", make_sample(), 128)
    original = tuple(frame.digest for frame in make_frames(128))
    assert sorted(request.pictures) == sorted(original)
    assert request.pictures != original
    assert [frame.seconds for frame in request.frames] == [float(i) for i in range(128)]
    # On average a random order leaves one frame in place.
    assert sum(map(str.__eq__, request.pictures, original)) < 10


def test_an_order_is_fixed_by_seed_and_sample(make_sample: Callable[..., Sample]) -> None:
    (first,) = shown("shuffle", make_sample(), 50)
    (again,) = shown("shuffle", make_sample(question="Other?"), 50)
    (other_seed,) = shown("shuffle", make_sample(), 50, seed=1)
    (other_sample,) = shown("shuffle", make_sample(id="s2"), 50)
    assert first.frames == again.frames
    assert len({first.pictures, other_seed.pictures, other_sample.pictures}) == 3


def test_only_order_and_times_tell_shuffle_reverse_and_standard_apart(
    make_sample: Callable[..., Sample],
) -> None:
    requests = [shown(name, make_sample(), 20)[0] for name in ("standard", "shuffle", "reverse")]
    assert len({request.text for request in requests}) == 1
    assert len({request.id for request in requests}) == 3


def test_a_chunk_shows_one_eighth_and_nothing_else(make_sample: Callable[..., Sample]) -> None:
    requests = shown("chunk", make_sample(), 128)
    assert [len(request.frames) for request in requests] == [16] * 8
    assert [request.pictures[0] for request in requests] == [f"d{16 * i}" for i in range(8)]
    joined = [digest for request in requests for digest in request.pictures]
    assert joined == [frame.digest for frame in make_frames(128)]


def test_a_short_clip_has_as_many_chunks_as_frames(make_sample: Callable[..., Sample]) -> None:
    requests = shown("chunk", make_sample(), 3)
    assert [request.pictures for request in requests] == [("d0",), ("d1",), ("d2",)]


@pytest.mark.parametrize("name", SHOWING_FRAMES)
def test_no_request_shows_more_than_a_model_takes(
    name: str, make_sample: Callable[..., Sample]
) -> None:
    for request in shown(name, make_sample(), 128, max_frames=5):
        assert len(request.frames) <= 5 or "frame" in name


def test_frames_are_thinned_before_they_are_reordered(make_sample: Callable[..., Sample]) -> None:
    (standard,) = shown("standard", make_sample(), 128, max_frames=8)
    (shuffled,) = shown("shuffle", make_sample(), 128, max_frames=8)
    assert standard.pictures == tuple(f"d{i}" for i in range(8, 128, 16))
    assert sorted(shuffled.pictures) == sorted(standard.pictures)


def test_a_single_frame_is_called_one_and_several_a_video(
    make_sample: Callable[..., Sample],
) -> None:
    (one,) = shown("center_frame", make_sample(), 1)
    (several,) = shown("standard", make_sample(), 2)
    assert "one frame" in one.text
    assert "one frame" not in several.text
    assert shown("standard", make_sample(), 1)[0].id == one.id


def test_axes_say_what_counts_as_a_test() -> None:
    axes = {name: DIAGNOSTICS[name].axis for name in SHOWING_FRAMES}
    assert axes == {
        "standard": Axis.REFERENCE,
        "center_frame": Axis.TEMPORAL,
        "random_frame": Axis.TEMPORAL,
        "shuffle": Axis.TEMPORAL,
        "reverse": Axis.TEMPORAL,
        "chunk": Axis.AMBIGUITY,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_frames": 0},
        {"fps": 0.0},
        {"fps": float("inf")},
        {"fps": float("nan")},
        {"longest_side": 0},
        {"jpeg_quality": 96},
    ],
)
def test_a_budget_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        FrameSettings(**wrong)  # type: ignore[arg-type]
