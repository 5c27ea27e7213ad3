from collections.abc import Callable

import pytest

from video_oasis.lint import time_checks
from video_oasis.schema import METADATA_TIME_REFERENCES, Sample, Video

MakeSample = Callable[..., Sample]


def at(make_sample: MakeSample, video: Video, *references: list[float]) -> Sample:
    return make_sample(video=video, metadata={METADATA_TIME_REFERENCES: list(references)})


@pytest.mark.parametrize(("start", "end"), [(5.0, 5.0), (5.0, 4.0), (None, 0.0)])
def test_reversed_window(make_sample: MakeSample, start: float | None, end: float) -> None:
    assert time_checks.reversed_window(make_sample(video=Video("v", start, end)))


@pytest.mark.parametrize(("start", "end"), [(None, None), (5.0, None), (None, 3.0), (4.0, 5.0)])
def test_proper_window(make_sample: MakeSample, start: float | None, end: float | None) -> None:
    assert time_checks.reversed_window(make_sample(video=Video("v", start, end))) is None


def test_window_beyond_video(make_sample: MakeSample) -> None:
    assert time_checks.window_beyond_video(make_sample(video=Video("v", 5, 31.1, 30))) == (
        "the clip reaches 31.1 s; the video ends at 30 s"
    )
    assert time_checks.window_beyond_video(make_sample(video=Video("v", 40, None, 30)))
    assert time_checks.window_beyond_video(make_sample(video=Video("v", 5, 31, 30))) is None
    assert time_checks.window_beyond_video(make_sample(video=Video("v", 5, 99))) is None


def test_reversed_reference(make_sample: MakeSample) -> None:
    video = Video("v")
    assert time_checks.reversed_reference(at(make_sample, video, [1, 2], [9, 3])) == (
        "the time reference is 9–3 s"
    )
    assert time_checks.reversed_reference(at(make_sample, video, [3, 3], [3, 9])) is None


def test_reference_beyond_video(make_sample: MakeSample) -> None:
    video = Video("v", duration_seconds=60)
    assert time_checks.reference_beyond_video(at(make_sample, video, [1, 2], [50, 70])) == (
        "the time reference is 50–70 s; the video ends at 60 s"
    )
    assert time_checks.reference_beyond_video(at(make_sample, video, [50, 61])) is None
    assert time_checks.reference_beyond_video(at(make_sample, Video("v"), [50, 6000])) is None


def test_reference_outside_window(make_sample: MakeSample) -> None:
    video = Video("v", 10, 20)
    assert time_checks.reference_outside_window(at(make_sample, video, [1, 5], [30, 40])) == (
        "the time reference is 1–5 s, 30–40 s; the clip runs from 10 s to 20 s"
    )
    assert time_checks.reference_outside_window(at(make_sample, Video("v", 10), [1, 5]))
    assert time_checks.reference_outside_window(at(make_sample, video, [5, 12], [19, 40])) is None
    assert time_checks.reference_outside_window(at(make_sample, Video("v"), [1, 5])) is None
