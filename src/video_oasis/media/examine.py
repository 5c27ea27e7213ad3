"""Finds out whether videos can be shown, by their first frame or by all of their frames."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.media.container import unreadable
from video_oasis.media.extract import IMAGE_FAULTS
from video_oasis.media.frames import MediaFailure
from video_oasis.media.identity import list_images
from video_oasis.media.probe import index_by_decoding, index_video, probe_video
from video_oasis.media.workers import WorkerLimits, run_jobs


@dataclass(frozen=True, slots=True)
class Examined:
    """What a look at a video says.

    Attributes:
        duration_seconds: its length; None where the header states none, and for a folder of images.
        readable_seconds: the end of the last frame that can be decoded; None if not all frames
            were tried.
        n_damaged: frames that are in the file and cannot be decoded; None if not all were tried.
    """

    duration_seconds: float | None
    readable_seconds: float | None = None
    n_damaged: int | None = None


def examine_videos(
    paths: Iterable[Path], limits: WorkerLimits, *, decode: bool
) -> Iterator[tuple[Path, Examined | MediaFailure]]:
    """Look at each video in a worker process, and give each result as it comes.

    Args:
        paths: video files and folders of images.
        limits: what one video may take.
        decode: try every frame, not only the first.
    """
    return run_jobs(partial(examine_video, decode=decode), paths, lambda path: path, limits)


def examine_video(path: Path, *, decode: bool) -> Examined | MediaFailure:
    """Look at one video; a fault of the video is returned, not raised."""
    try:
        if path.is_dir():
            return _examine_images(path, decode=decode)
        return _decode(path) if decode else Examined(probe_video(path).duration_seconds)
    except MediaError as error:
        return MediaFailure(error.kind, str(error))
    except OSError as error:
        return MediaFailure("unreadable", str(unreadable(path, error)))


def _decode(path: Path) -> Examined:
    listed = index_video(path)
    if listed.packets is None:
        # It had to be decoded to be listed; damaged frames have left gaps in the numbers.
        decoded, n_listed = listed, listed.frame_ids[-1] + 1
    else:
        decoded, n_listed = index_by_decoding(path), len(listed.seconds)
    return Examined(
        duration_seconds=decoded.duration_seconds,
        readable_seconds=decoded.readable_seconds,
        n_damaged=max(0, n_listed - len(decoded.seconds)),
    )


def _examine_images(folder: Path, *, decode: bool) -> Examined:
    images = list_images(folder)
    for path in images if decode else images[:1]:
        try:
            with Image.open(path) as image:
                image.load()
        except IMAGE_FAULTS as error:
            raise MediaError(
                "undecodable", f"{path}: cannot be read as an image ({error}). Fetch it again"
            ) from error
    return Examined(None)
