"""Says which timelines are needed of the samples' videos."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample


@dataclass(frozen=True, slots=True)
class TimelineKey:
    """What a timeline is looked up by.

    Attributes:
        benchmark: the benchmark.
        path: the video as the benchmark names it (``Video.path``).
        sampling: id of the sampling.
    """

    benchmark: str
    path: str
    sampling: str


Timelines = Mapping[TimelineKey, Timeline | MediaFailure]
"""What came of each sampling of each video that has been looked at."""


def timeline_key(sample: Sample, sampling: Sampling) -> TimelineKey:
    """Return the key of this sampling of the sample's video."""
    return TimelineKey(sample.benchmark, sample.video.path, sampling.id)


TakeFrames = Callable[[Sample, FrameSettings], Sampling | None]
"""Says which frames of a sample's video are needed, or that none are."""


def list_wanted(
    samples: Iterable[Sample], takers: Sequence[TakeFrames], settings: FrameSettings
) -> dict[TimelineKey, Sampling]:
    """List every timeline that is needed of these samples, each once.

    The order is that of the samples, so that all timelines of a video stand close together.

    Args:
        samples: the samples.
        takers: what needs frames of them.
        settings: the frame budget.
    """
    wanted: dict[TimelineKey, Sampling] = {}
    for sample in samples:
        for take in takers:
            sampling = take(sample, settings)
            if sampling is not None:
                wanted[timeline_key(sample, sampling)] = sampling
    return wanted
