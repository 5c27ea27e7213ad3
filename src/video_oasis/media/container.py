"""Opens video files through FFmpeg and says in our own words why one cannot be opened."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG

import av
from av.container import InputContainer
from av.stream import Disposition
from av.video.stream import VideoStream

from video_oasis.errors import MediaError

_NO_MOVING_PICTURE = Disposition.attached_pic | Disposition.timed_thumbnails


def check_file(path: Path) -> None:
    """Check that there is a regular file with something in it.

    Raises:
        MediaError: kind ``missing``, ``not_a_file``, ``empty`` or ``unreadable``.
    """
    try:
        status = path.stat()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise MediaError(
            "missing", f"{path}: no such file. Put the video there, or fetch it"
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error
    if not S_ISREG(status.st_mode):
        raise MediaError(
            "not_a_file", f"{path}: neither a file nor a folder of images. Give a video file"
        )
    if status.st_size == 0:
        raise MediaError("empty", f"{path}: the file is empty. Fetch it again")


def unreadable(path: Path, error: OSError) -> MediaError:
    """Say that the system does not let a file be read."""
    return MediaError(
        "unreadable", f"{path}: cannot be read ({error.strerror}). Check its permissions"
    )


@contextmanager
def open_video(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    """Open a file and choose its video stream.

    Of several, cover pictures and thumbnails are out; the streams marked default go before others,
    then the largest picture, then the first. The stream decodes in the calling thread only, so that
    what is skipped packet by packet is exact. Nothing but local files is opened, whatever the file
    refers to.

    Raises:
        MediaError: the file is missing, empty, not a video, not readable, or has no video stream.
    """
    check_file(path)
    try:
        # The prefix keeps names such as "concat:a.mp4" from being taken as protocols.
        container = av.open(f"file:{path.absolute()}", options={"protocol_whitelist": "file"})
    except MemoryError:
        raise
    except (av.FFmpegError, OSError, ValueError) as error:
        raise MediaError(
            "not_a_video",
            f"{path}: cannot be opened as a video ({_reason(error)}). The file may be cut off or "
            "be something else, such as a saved error page; fetch it again",
        ) from error
    with container:
        streams = [
            stream
            for stream in container.streams.video
            if not stream.disposition & _NO_MOVING_PICTURE
        ]
        if not streams:
            kinds = ", ".join(sorted({stream.type for stream in container.streams})) or "none"
            raise MediaError(
                "no_video_stream",
                f"{path}: no video stream (streams found: {kinds}). Fetch the file again with its "
                "pictures",
            )
        stream = max(streams, key=_preference)
        stream.codec_context.thread_count = 1
        yield container, stream


def _preference(stream: VideoStream) -> tuple[bool, int, int]:
    is_default = bool(stream.disposition & Disposition.default)
    return is_default, stream.width * stream.height, -stream.index


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or str(error)
    return text[:1].lower() + text[1:]
