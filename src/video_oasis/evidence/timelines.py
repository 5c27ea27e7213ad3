"""Finds the videos that timelines are wanted of and decodes each once for all who ask."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from video_oasis.evidence.wanted import TimelineKey
from video_oasis.media.extract import VideoSource
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.locate import VideoFolder, locate_videos
from video_oasis.media.sampling import Sampling
from video_oasis.media.store import FrameStore
from video_oasis.media.workers import VideoJob, WorkerLimits, extract_videos
from video_oasis.schema import Sample


@dataclass(frozen=True, slots=True)
class BenchmarkVideos:
    """Where the videos of one benchmark are.

    Attributes:
        folder: the folder they are below.
        samples: all samples of the benchmark, also those that nothing is wanted of: a file that
            is one video's is never taken for another's.
        images_fps: frames a second of videos that are folders of images; None if not known.
    """

    folder: VideoFolder
    samples: Sequence[Sample]
    images_fps: float | None = None


@dataclass(frozen=True, slots=True)
class PrepareProgress:
    """How far the videos have come.

    Attributes:
        n_videos: videos to look at.
        n_done: of which all that is wanted is there.
        n_failed: of which something is not.
    """

    n_videos: int
    n_done: int = 0
    n_failed: int = 0


Listener = Callable[[PrepareProgress], None]


def prepare_timelines(
    benchmarks: Mapping[str, BenchmarkVideos],
    wanted: Mapping[TimelineKey, Sampling],
    store: FrameStore,
    limits: WorkerLimits,
    *,
    listener: Listener = lambda _progress: None,
) -> dict[TimelineKey, Timeline | MediaFailure]:
    """Give what came of every wanted timeline; frames that are kept already are not decoded again.

    Args:
        benchmarks: where the videos are, by benchmark.
        wanted: the timelines by key.
        store: where the frames are kept.
        limits: what one video may take.
        listener: told how far it has come.

    Raises:
        RunError: the store cannot keep a frame.
    """
    sources = {name: _find_sources(videos) for name, videos in benchmarks.items()}
    results: dict[TimelineKey, Timeline | MediaFailure] = {}
    askers: dict[VideoSource, list[TimelineKey]] = {}
    lost: set[tuple[str, str]] = set()
    for key in wanted:
        found = sources[key.benchmark][key.path]
        if isinstance(found, MediaFailure):
            results[key] = found
            lost.add((key.benchmark, key.path))
        else:
            askers.setdefault(found, []).append(key)
    progress = PrepareProgress(len(askers) + len(lost), n_failed=len(lost))
    listener(progress)
    jobs = (
        VideoJob(source, tuple(dict.fromkeys(wanted[key] for key in keys)))
        for source, keys in askers.items()
    )
    limits = limits.for_jobs(len(askers))
    for job, extraction in extract_videos(jobs, store, limits):
        for key in askers[job.source]:
            results[key] = extraction[wanted[key]]
        if any(isinstance(each, MediaFailure) for each in extraction.values()):
            progress = replace(progress, n_failed=progress.n_failed + 1)
        else:
            progress = replace(progress, n_done=progress.n_done + 1)
        listener(progress)
    return {key: results[key] for key in wanted}


def _find_sources(videos: BenchmarkVideos) -> dict[str, VideoSource | MediaFailure]:
    located = locate_videos(videos.folder, (sample.video.path for sample in videos.samples))
    return {
        path: found
        if isinstance(found, MediaFailure)
        else VideoSource(found.path, videos.images_fps if found.path.is_dir() else None)
        for path, found in located.items()
    }
