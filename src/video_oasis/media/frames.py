"""The types for what a video gives when frames are asked of it, and for reading them back."""

from collections.abc import Callable
from dataclasses import dataclass

from video_oasis.media.sampling import Sampling
from video_oasis.schema import Frame

ReadPicture = Callable[[str], bytes]
"""Gives a frame's JPEG by its digest, or raises ``MediaError``."""


@dataclass(frozen=True)
class Timeline:
    """The frames that one sampling takes from one video, in order of presentation.

    Attributes:
        video: the video's content id.
        sampling: what was asked for.
        frames: at least one; no moment of the video twice.
        window_seconds: length of the part of the clip window that the video has.
        n_window_frames: how many frames the video shows in that part.
    """

    video: str
    sampling: Sampling
    frames: tuple[Frame, ...]
    window_seconds: float
    n_window_frames: int


@dataclass(frozen=True, slots=True)
class MediaFailure:
    """Why a video, or one stretch of it, cannot be shown.

    Attributes:
        kind: a short constant word for counting, as in ``MediaError``.
        message: which file, what was found, what to do.
    """

    kind: str
    message: str
