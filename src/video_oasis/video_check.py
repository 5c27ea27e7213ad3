"""Says for every sample of a benchmark whether its video is there and can be shown."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.errors import MediaError
from video_oasis.media.examine import Examined, examine_videos
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import LocatedVideo, Match, VideoFolder, locate_videos
from video_oasis.media.sampling import Sampling, Uniform
from video_oasis.media.workers import WorkerLimits
from video_oasis.schema import Sample, Video

_CLOSE_SECONDS: Final = 1.0
"""Published times are often rounded up; so much beyond the end is not worth a remark."""
_AS_AUDITED: Final = Uniform(128)
"""The most frames that a diagnostic takes of a video at once."""

Listener = Callable[[int, int], None]
"""Is told how many videos have been looked at, and of how many."""


@dataclass(frozen=True, slots=True)
class SampleCheck:
    """What became of one sample's video.

    Attributes:
        sample_id: the sample.
        published: where the benchmark says the video is.
        path: where it was found; None if it was not.
        match: how what was found differs from what is published; None if nothing was found.
        failure: why the video cannot be shown; None if it can.
        remark: what else to know of a video that can be shown: kind ``window_cut`` (the clip window
            reaches beyond the end), ``window_unchecked`` (the header states no length) or
            ``damaged`` (some frames cannot be decoded).
    """

    sample_id: str
    published: str
    path: Path | None = None
    match: Match | None = None
    failure: MediaFailure | None = None
    remark: MediaFailure | None = None


@dataclass(frozen=True, slots=True)
class BenchmarkCheck:
    """What became of the videos of one benchmark.

    Attributes:
        benchmark: the benchmark.
        samples: one for each sample, in published order.
    """

    benchmark: str
    samples: tuple[SampleCheck, ...]

    @property
    def n_with_video(self) -> int:
        """How many samples have a video that can be shown."""
        return sum(sample.failure is None for sample in self.samples)


@dataclass(frozen=True, slots=True)
class VideoCheck:
    """What became of the videos of all benchmarks.

    Attributes:
        root: the folder that was searched.
        is_decoded: whether every frame was tried, not only each video's first.
        benchmarks: the benchmarks.
        links_outside: links below the folder that lead out of it; they were not followed.
        unreadable: sub-folders that could not be searched.
    """

    root: Path
    is_decoded: bool
    benchmarks: tuple[BenchmarkCheck, ...]
    links_outside: tuple[Path, ...]
    unreadable: tuple[Path, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every sample has a video that can be shown."""
        return all(each.n_with_video == len(each.samples) for each in self.benchmarks)


def check_videos(
    benchmarks: Mapping[str, Sequence[Sample]],
    folder: VideoFolder,
    limits: WorkerLimits,
    *,
    decode: bool,
    listener: Listener = lambda _done, _all: None,
) -> VideoCheck:
    """Find each sample's video and look at it; each video is opened once.

    Args:
        benchmarks: samples by benchmark.
        folder: where the videos are.
        limits: what one video may take.
        decode: try every frame of each video, not only the first.
        listener: is told how far it has come.
    """
    located = {
        name: locate_videos(folder, (sample.video.path for sample in samples))
        for name, samples in benchmarks.items()
    }
    paths = dict.fromkeys(
        found.path
        for results in located.values()
        for found in results.values()
        if isinstance(found, LocatedVideo)
    )
    examined: dict[Path, Examined | MediaFailure] = {}
    limits = limits.for_jobs(len(paths))
    listener(0, len(paths))
    for path, result in examine_videos(paths, limits, decode=decode):
        examined[path] = result
        listener(len(examined), len(paths))
    return VideoCheck(
        root=folder.root,
        is_decoded=decode,
        benchmarks=tuple(
            BenchmarkCheck(
                name,
                tuple(
                    _check_sample(sample, located[name][sample.video.path], examined)
                    for sample in samples
                ),
            )
            for name, samples in benchmarks.items()
        ),
        links_outside=folder.links_outside,
        unreadable=folder.unreadable,
    )


def _check_sample(
    sample: Sample,
    located: LocatedVideo | MediaFailure,
    examined: Mapping[Path, Examined | MediaFailure],
) -> SampleCheck:
    published = sample.video.path
    if isinstance(located, MediaFailure):
        return SampleCheck(sample.id, published, failure=located)
    result = examined[located.path]
    failure: MediaFailure | None = None
    remark: MediaFailure | None = None
    if isinstance(result, MediaFailure):
        failure = result
    else:
        failure = _find_failure(sample.video, located.path, result)
        if failure is None:
            remark = _find_remark(sample.video, located.path, result)
    return SampleCheck(sample.id, published, located.path, located.match, failure, remark)


def _find_failure(video: Video, path: Path, examined: Examined) -> MediaFailure | None:
    duration = examined.duration_seconds
    if duration is None:
        return None
    try:
        times = Sampling(_AS_AUDITED, video.start_seconds, video.end_seconds).times(duration)
    except MediaError as error:
        return MediaFailure(error.kind, f"{path}: {error}")
    readable = examined.readable_seconds
    if readable is not None and times[-1] > readable:
        return MediaFailure(
            "truncated",
            f"{path}: breaks off at {readable:.2f} s of the {duration:.2f} s that its header "
            "states. Fetch the file again",
        )
    return None


def _find_remark(video: Video, path: Path, examined: Examined) -> MediaFailure | None:
    if examined.n_damaged:
        return MediaFailure("damaged", f"{path}: {examined.n_damaged} frames cannot be decoded")
    duration = examined.duration_seconds
    if duration is None:
        if video.start_seconds is None and video.end_seconds is None:
            return None
        return MediaFailure(
            "window_unchecked",
            f"{path}: states no length, so it is not known whether the clip window lies inside",
        )
    if video.end_seconds is not None and video.end_seconds > duration + _CLOSE_SECONDS:
        return MediaFailure(
            "window_cut",
            f"{path}: a clip window ends at {video.end_seconds:g} s, the video at {duration:.2f} s",
        )
    return None
