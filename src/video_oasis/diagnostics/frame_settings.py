"""Which frames an audit takes of every video, and as what pictures."""

from dataclasses import dataclass

from video_oasis.errors import SettingsError
from video_oasis.media.sampling import PerSecond, PictureSettings, Rule, Sampling, Uniform
from video_oasis.schema import Video


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameSettings:
    """The frame budget of an audit; all of it is part of what a model is shown.

    The defaults are the protocol of arXiv 2603.29616: at most 128 frames, one a second under
    ``standard``.

    Attributes:
        max_frames: the most frames that one request shows.
        fps: frames a second under ``standard``; fewer where a video would exceed ``max_frames``.
        longest_side: pixels of a picture's longer side; smaller ones are kept as they are.
        jpeg_quality: Pillow's quality, 1 to 95.
        seed: decides the random orders and the random frames.
    """

    max_frames: int = 128
    fps: float = 1.0
    longest_side: int = 768
    jpeg_quality: int = 85
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: one is out of range.
        """
        if not (self.max_frames >= 1 and 0 < self.fps < float("inf")):
            raise SettingsError(
                f"max_frames is {self.max_frames} and fps is {self.fps}; expected at least 1 and "
                "more than 0"
            )
        if not (self.longest_side >= 1 and 1 <= self.jpeg_quality <= 95):
            raise SettingsError(
                f"longest_side is {self.longest_side} and jpeg_quality is {self.jpeg_quality}; "
                "expected at least 1, and 1 to 95"
            )

    def take(self, rule: Rule, video: Video) -> Sampling:
        """Return the sampling that takes moments by this rule from the video's clip window."""
        return Sampling(
            rule=rule,
            start_seconds=video.start_seconds,
            end_seconds=video.end_seconds,
            pictures=PictureSettings(self.longest_side, self.jpeg_quality),
        )

    @property
    def at_fixed_rate(self) -> Rule:
        """The rule of ``standard``."""
        return PerSecond(self.fps, self.max_frames)

    @property
    def at_full_budget(self) -> Rule:
        """As many frames as a request may show, however short the clip."""
        return Uniform(self.max_frames)
