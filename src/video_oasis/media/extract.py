"""Gives every timeline that is asked of one video, from one decode of it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.media.container import unreadable
from video_oasis.media.decode import FramesNotDelivered, decode_frames
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.identity import identify_images, identify_video, list_images
from video_oasis.media.pictures import frame_to_jpeg, image_to_jpeg, upright_step
from video_oasis.media.probe import VideoIndex, index_by_decoding, index_video
from video_oasis.media.sampling import PictureSettings, Sampling, count_shown, shown_at
from video_oasis.media.store import FrameStore
from video_oasis.schema import Frame

Extraction = Mapping[Sampling, Timeline | MediaFailure]
"""What became of each sampling asked of one video."""

IMAGE_FAULTS = (OSError, EOFError, SyntaxError, ValueError, Image.DecompressionBombError)
"""What Pillow raises over damaged files."""

_Encode = Callable[[PictureSettings], bytes]
_Keep = Callable[[int, _Encode], None]
_Decode = Callable[[frozenset[int], _Keep], None]


@dataclass(frozen=True, slots=True)
class VideoSource:
    """Where a video's pictures are.

    Attributes:
        path: a video file, or a folder with one image for each frame.
        images_fps: frames a second of a folder of images; not looked at for a file.
    """

    path: Path
    images_fps: float | None = None


def extract_timelines(
    source: VideoSource, samplings: Iterable[Sampling], store: FrameStore, *, threads: int = 1
) -> Extraction:
    """Decode what the samplings need and the store lacks, once, and return their timelines.

    A fault of the video is the failure of each sampling that it concerns: of all if the file cannot
    be read, of those that reach into the missing part if it breaks off.

    Args:
        source: the video.
        samplings: what is asked of it.
        store: where the frames are kept.
        threads: how many decoders work side by side on a video file.

    Raises:
        MemoryError: there is no room to decode; a worker process is to be replaced then.
        RunError: the store cannot keep a frame.
    """
    wanted = tuple(dict.fromkeys(samplings))
    try:
        if source.path.is_dir():
            return _extract_from_images(source, wanted, store)
        return _extract_from_file(source.path, wanted, store, threads)
    except MediaError as error:
        failure = MediaFailure(error.kind, str(error))
    except OSError as error:
        failure = MediaFailure("unreadable", str(unreadable(source.path, error)))
    return dict.fromkeys(wanted, failure)


def _extract_from_file(
    path: Path, samplings: Sequence[Sampling], store: FrameStore, threads: int
) -> Extraction:
    video = identify_video(path)
    index = _load_or_make_index(path, video, store)

    def decode(frame_ids: frozenset[int], keep: _Keep) -> None:
        upright: list[Image.Transpose | None] = []

        def encode_and_keep(frame_id: int, frame: av.VideoFrame) -> None:
            if not upright:
                upright.append(upright_step(frame))
            try:
                keep(frame_id, partial(frame_to_jpeg, frame, upright=upright[0]))
            except MemoryError:
                raise
            except av.FFmpegError as error:
                raise MediaError(
                    "undecodable",
                    f"{path}: frames of pixel format {frame.format.name} cannot be turned into "
                    f"pictures ({error.strerror}). Re-encode the video",
                ) from error

        decode_frames(path, index, frame_ids, encode_and_keep, threads=threads)

    try:
        return _extract(path, video, index, samplings, store, decode)
    except FramesNotDelivered:
        # The packets promise more than there is: see what decoding really gives.
        index = index_by_decoding(path)
        store.keep_index(video, index)
        return _extract(path, video, index, samplings, store, decode)


def _load_or_make_index(path: Path, video: str, store: FrameStore) -> VideoIndex:
    kept = store.load_index(video)
    if kept is not None:
        return kept
    index = index_video(path)
    store.keep_index(video, index)
    return index


def _extract_from_images(
    source: VideoSource, samplings: Sequence[Sampling], store: FrameStore
) -> Extraction:
    if source.images_fps is None or not source.images_fps > 0:
        raise MediaError(
            "no_fps",
            f"{source.path}: a folder of images, and its frames a second are {source.images_fps}. "
            "State the rate at which the images were taken",
        )
    images = list_images(source.path)
    fps = Fraction(source.images_fps)
    duration = float(len(images) / fps)
    index = VideoIndex(
        seconds=tuple(float(number / fps) for number in range(len(images))),
        frame_ids=tuple(range(len(images))),
        readable_seconds=duration,
        duration_seconds=duration,
        packets=None,
    )

    def decode(frame_ids: frozenset[int], keep: _Keep) -> None:
        for number in sorted(frame_ids):
            try:
                with Image.open(images[number]) as image:
                    keep(number, partial(image_to_jpeg, image))
            except IMAGE_FAULTS as error:
                raise MediaError(
                    "undecodable",
                    f"{images[number]}: cannot be read as an image ({error}). Fetch it again",
                ) from error

    video = identify_images(images, fps)
    return _extract(source.path, video, index, samplings, store, decode)


def _extract(
    path: Path,
    video: str,
    index: VideoIndex,
    samplings: Sequence[Sampling],
    store: FrameStore,
    decode: _Decode,
) -> Extraction:
    shown: dict[Sampling, list[int]] = {}
    failures: dict[Sampling, MediaFailure] = {}
    for sampling in samplings:
        try:
            shown[sampling] = _choose(sampling, index)
        except MediaError as error:
            failures[sampling] = MediaFailure(error.kind, f"{path}: {error}")
    kept = {
        pictures: store.decoded(video, index, pictures)
        for pictures in {sampling.pictures for sampling in shown}
    }
    lacking: dict[PictureSettings, set[int]] = {}
    for sampling, positions in shown.items():
        ids = {index.frame_ids[position] for position in positions}
        lacking.setdefault(sampling.pictures, set()).update(ids - kept[sampling.pictures].keys())
    lacking = {pictures: ids for pictures, ids in lacking.items() if ids}
    if lacking:
        _decode_and_keep(video, index, lacking, store, decode)
        for pictures in lacking:
            kept[pictures] = store.decoded(video, index, pictures)
    timelines = {
        sampling: _make_timeline(video, sampling, positions, index, kept[sampling.pictures])
        for sampling, positions in shown.items()
    }
    return {sampling: failures.get(sampling) or timelines[sampling] for sampling in samplings}


def _make_timeline(
    video: str,
    sampling: Sampling,
    positions: Sequence[int],
    index: VideoIndex,
    digests: Mapping[int, str],
) -> Timeline:
    start, end = sampling.window(index.duration_seconds)
    return Timeline(
        video=video,
        sampling=sampling,
        frames=tuple(
            Frame(digests[index.frame_ids[position]], index.seconds[position])
            for position in positions
        ),
        window_seconds=end - start,
        n_window_frames=count_shown(index.seconds, start, end),
    )


def _choose(sampling: Sampling, index: VideoIndex) -> list[int]:
    """Return the positions of the frames of a sampling.

    Raises:
        MediaError: kind ``window`` or ``truncated``: the window or a part of it is not there.
    """
    times = sampling.times(index.duration_seconds)
    if times[-1] > index.readable_seconds:
        raise MediaError(
            "truncated",
            f"frames up to {times[-1]:.2f} s are wanted, and the file breaks off at "
            f"{index.readable_seconds:.2f} s of the {index.duration_seconds:.2f} s that its header "
            "states. Fetch the file again",
        )
    return shown_at(index.seconds, times)


def _decode_and_keep(
    video: str,
    index: VideoIndex,
    lacking: Mapping[PictureSettings, set[int]],
    store: FrameStore,
    decode: _Decode,
) -> None:
    with ExitStack() as stack:
        records = {
            pictures: stack.enter_context(store.recording(video, index, pictures))
            for pictures in lacking
        }

        def keep(frame_id: int, encode: _Encode) -> None:
            for pictures, ids in lacking.items():
                if frame_id in ids:
                    records[pictures](frame_id, encode(pictures))

        decode(frozenset().union(*lacking.values()), keep)
