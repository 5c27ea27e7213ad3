"""How long clips are."""

from collections.abc import Callable
from typing import Any

from video_oasis.evidence.durations import find_durations
from video_oasis.evidence.wanted import TimelineKey
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import PictureSettings, Sampling, Uniform
from video_oasis.schema import Frame, Sample, Video


def test_durations_are_decoded_or_else_published(make_sample: Callable[..., Sample]) -> None:
    samples = [
        make_sample(id="decoded", video=Video("a.mp4", duration_seconds=100)),
        make_sample(id="window", video=Video("b.mp4", start_seconds=10, end_seconds=25)),
        make_sample(id="published", video=Video("c.mp4", start_seconds=10, duration_seconds=100)),
        make_sample(id="unknown", video=Video("d.mp4", start_seconds=10)),
    ]
    sampling = Sampling(Uniform(2), None, None, PictureSettings(768, 85))
    timelines: dict[TimelineKey, Any] = {
        TimelineKey("bench", "a.mp4", sampling.id): Timeline(
            "video1-a", sampling, (Frame("x", 0.0),), window_seconds=90.0, n_window_frames=9
        ),
        TimelineKey("bench", "c.mp4", sampling.id): MediaFailure("missing", "not there"),
    }
    assert find_durations(samples, timelines) == {
        ("bench", "decoded"): 90.0,
        ("bench", "window"): 15.0,
        ("bench", "published"): 90.0,
    }
