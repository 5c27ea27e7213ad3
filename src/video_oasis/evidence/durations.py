"""Says how long the clips of samples are."""

from collections.abc import Iterable

from video_oasis.evidence.wanted import Timelines
from video_oasis.media.frames import Timeline
from video_oasis.schema import Sample, SampleKey, Video


def find_durations(samples: Iterable[Sample], timelines: Timelines) -> dict[SampleKey, float]:
    """Return the length of each sample's clip in seconds: as decoded, or else as published."""
    decoded = {
        (key.benchmark, key.path, found.sampling.start_seconds, found.sampling.end_seconds): (
            found.window_seconds
        )
        for key, found in timelines.items()
        if isinstance(found, Timeline)
    }
    durations = {}
    for sample in samples:
        video = sample.video
        seconds = decoded.get(
            (sample.benchmark, video.path, video.start_seconds, video.end_seconds),
            _read_duration(video),
        )
        if seconds is not None:
            durations[sample.benchmark, sample.id] = seconds
    return durations


def _read_duration(video: Video) -> float | None:
    end = video.duration_seconds if video.end_seconds is None else video.end_seconds
    return None if end is None else max(end - (video.start_seconds or 0.0), 0.0)
