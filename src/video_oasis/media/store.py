"""Keeps decoded frames on disk under their content, shared by any number of processes and runs.

    frames/ab/abcdef….jpg             a picture, named by the SHA-256 of its bytes
    decoded/VIDEO-AND-SETTINGS/*.txt  one line for each frame decoded: its id in the video, its
                                      digest; each writer has a file of its own
    index/VIDEO.json                  when each frame of the video is presented

Pictures and indexes are written beside their place and renamed into it, and lists only grow by
whole lines, so no writer waits for another and a killed one leaves nothing that a reader could
mistake: a last line without its end is not read.
"""

import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from video_oasis.errors import MediaError, RunError
from video_oasis.hashing import ID_HEX_DIGITS, content_id
from video_oasis.media.probe import VideoIndex
from video_oasis.media.sampling import PictureSettings
from video_oasis.whole_file import write_whole

Record = Callable[[int, bytes], None]
"""Takes a frame's id within its video and its JPEG, and keeps both."""


class FrameStore:
    """A folder of decoded frames."""

    def __init__(self, folder: Path) -> None:
        """Use this folder; it is made when something is kept."""
        self.folder = folder

    def picture_path(self, digest: str) -> Path:
        """Return where the picture of this digest lies."""
        return self.folder / "frames" / digest[:2] / f"{digest}.jpg"

    def read_picture(self, digest: str) -> bytes:
        """Return a picture's JPEG.

        Raises:
            MediaError: kind ``frame_lost``: it is not there, or is not what its name says. A
                damaged file is removed, so that the video is decoded again.
        """
        path = self.picture_path(digest)
        try:
            data = path.read_bytes()
        except FileNotFoundError as error:
            raise MediaError(
                "frame_lost", f"{path}: no such frame. Prepare the videos again"
            ) from error
        except OSError as error:
            raise MediaError(
                "frame_lost",
                f"{path}: cannot be read ({error.strerror}). Mend the folder of frames, then run "
                "again",
            ) from error
        if _digest(data) != digest:
            path.unlink(missing_ok=True)
            raise MediaError(
                "frame_lost",
                f"{path}: the file is damaged and was removed. Prepare the videos again",
            )
        return data

    def decoded(self, video: str, index: VideoIndex, pictures: PictureSettings) -> dict[int, str]:
        """Return the digest of each frame of a video that is kept already, by the frame's id."""
        digests: dict[int, str] = {}
        for path in self._list_folder(video, index, pictures).glob("*.txt"):
            *lines, _ = path.read_text(encoding="ascii").split("\n")
            for line in lines:
                frame_id, digest = line.split(" ")
                digests[int(frame_id)] = digest
        return {
            frame_id: digest
            for frame_id, digest in digests.items()
            if self.picture_path(digest).exists()
        }

    @contextmanager
    def recording(
        self, video: str, index: VideoIndex, pictures: PictureSettings
    ) -> Iterator[Record]:
        """Open a list of this writer's own and give the function that keeps a decoded frame.

        A frame is safe once the function returns, whatever happens to the process afterwards. It
        may be called from several threads.

        Raises:
            RunError: the folder takes no more; the function raises it too.
        """
        folder = self._list_folder(video, index, pictures)
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            file = (folder / f"{uuid.uuid4().hex}.txt").open("xb", buffering=0)

        def record(frame_id: int, jpeg: bytes) -> None:
            digest = _digest(jpeg)
            path = self.picture_path(digest)
            if not path.exists():
                with _writing(path.parent):
                    write_whole(path, jpeg)
            with _writing(folder):
                file.write(f"{frame_id} {digest}\n".encode("ascii"))

        with file:
            yield record

    def load_index(self, video: str) -> VideoIndex | None:
        """Return the index kept for a video, None if there is none."""
        try:
            text = self._index_path(video).read_text(encoding="ascii")
        except FileNotFoundError:
            return None
        return VideoIndex.from_json(json.loads(text))

    def keep_index(self, video: str, index: VideoIndex) -> None:
        """Keep a video's index, in place of an earlier one."""
        path = self._index_path(video)
        with _writing(path.parent):
            write_whole(path, json.dumps(index.to_json()).encode("ascii"))

    def _index_path(self, video: str) -> Path:
        return self.folder / "index" / f"{video}.json"

    def _list_folder(self, video: str, index: VideoIndex, pictures: PictureSettings) -> Path:
        # The two ways to read a video name its frames differently.
        name = content_id(
            "decoded1",
            {
                "video": video,
                "by_packets": index.packets is not None,
                "longest_side": pictures.longest_side,
                "jpeg_quality": pictures.jpeg_quality,
            },
        )
        return self.folder / "decoded" / name


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:ID_HEX_DIGITS]


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise RunError(
            f"{folder}: frames cannot be kept there ({error.strerror}). Free space or give another "
            "folder for frames; what is kept already is not decoded again"
        ) from error
