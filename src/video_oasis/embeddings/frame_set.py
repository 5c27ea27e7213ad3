"""Names the frames of a video, so that whoever embeds them shares what is kept."""

from dataclasses import dataclass

from video_oasis.hashing import content_id
from video_oasis.schema import Frame


@dataclass(frozen=True, slots=True)
class FrameSet:
    """Frames of one video.

    Attributes:
        video: the name under which embeddings of the video's frames are kept.
        frames: the frames.
    """

    video: str
    frames: tuple[Frame, ...]


def make_frame_set(benchmark: str, path: str, frames: tuple[Frame, ...]) -> FrameSet:
    """Return frames under the name of their video.

    Args:
        benchmark: the benchmark.
        path: the video as the benchmark names it.
        frames: the frames.
    """
    return FrameSet(content_id("bag1", {"benchmark": benchmark, "path": path}), frames)
