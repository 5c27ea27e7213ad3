"""Finds the videos that the page plays, each under a name that says nothing of where it lies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.audit import LoadedBenchmark
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import index_folder, locate_videos

NAME_DIGITS: Final = 16
"""Hexadecimal digits of the names that samples and videos have in addresses."""

VideoKey = tuple[str, str]
"""Benchmark and ``Video.path``."""

_MEDIA_TYPES: Final[Mapping[str, str]] = {
    ".m4v": "video/mp4",
    ".mkv": "video/x-matroska",
    ".mov": "video/mp4",
    ".mp4": "video/mp4",
    ".ogv": "video/ogg",
    ".webm": "video/webm",
}
_UNKNOWN_TYPE: Final = "application/octet-stream"


@dataclass(frozen=True, slots=True)
class VideoSource:
    """A video of the run as the page knows it.

    Attributes:
        name: its name in addresses.
        file: the file to play; None if there is none.
        trouble: why there is none; empty if there is one.
    """

    name: str
    file: Path | None
    trouble: str

    @property
    def media_type(self) -> str:
        """The type it is sent as: a video's or unknown, never one that a browser would run."""
        suffix = "" if self.file is None else self.file.suffix.lower()
        return _MEDIA_TYPES.get(suffix, _UNKNOWN_TYPE)


def find_sources(benchmarks: Iterable[LoadedBenchmark]) -> dict[VideoKey, VideoSource]:
    """Look for the video of every sample, below the folder that the run names and nowhere else."""
    sources = {}
    for loaded in benchmarks:
        benchmark = loaded.contents.benchmark
        paths = dict.fromkeys(sample.video.path for sample in loaded.samples)
        for path, (file, trouble) in _locate(loaded, paths).items():
            name = name_key("video1", (benchmark, path))
            sources[benchmark, path] = VideoSource(name, file, trouble)
    return sources


def name_key(kind: str, key: tuple[str, str]) -> str:
    """Name a sample or video by a hash of its key, so that links to it outlive the server."""
    return content_id(kind, list(key)).rpartition("-")[2][:NAME_DIGITS]


def _locate(loaded: LoadedBenchmark, paths: Iterable[str]) -> Mapping[str, tuple[Path | None, str]]:
    if loaded.entry.videos is None:
        return dict.fromkeys(paths, (None, "The run names no folder of videos."))
    try:
        folder = index_folder(loaded.entry.videos)
    except SettingsError as error:
        return dict.fromkeys(paths, (None, f"{error}."))
    # A name may fit several files; whose it is depends on every video of the benchmark.
    every = (sample.video.path for sample in loaded.contents.as_samples)
    located = locate_videos(folder, every)
    found: dict[str, tuple[Path | None, str]] = {}
    for path in paths:
        place = located[path]
        if isinstance(place, MediaFailure):
            found[path] = (None, f"{place.message}.")
        elif place.path.is_dir():
            found[path] = (None, "This video is a folder of images.")
        else:
            found[path] = (place.path, "")
    return found
