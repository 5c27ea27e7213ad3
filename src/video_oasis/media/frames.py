"""The types that stand for decoded frames: digests and times, never pixels."""

from dataclasses import dataclass

from video_oasis.media.sampling import Sampling


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, and when a model is told it appears.

    Attributes:
        digest: the picture's name in the frame store, made from its content.
        seconds: time since the video's first frame.
    """

    digest: str
    seconds: float


@dataclass(frozen=True)
class Timeline:
    """The frames that one sampling takes from one video, in order of presentation.

    Attributes:
        video: the video's content id.
        sampling: what was asked for.
        frames: at least one; no moment of the video twice.
    """

    video: str
    sampling: Sampling
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class MediaFailure:
    """Why a video, or one stretch of it, cannot be shown.

    Attributes:
        kind: a short constant word for counting, as in ``MediaError``.
        message: which file, what was found, what to do.
    """

    kind: str
    message: str
