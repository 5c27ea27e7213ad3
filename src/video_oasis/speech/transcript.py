"""The type that stands for what is said in a video."""

import math
from dataclasses import dataclass

from video_oasis.errors import SchemaError


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of speech.

    Attributes:
        start_seconds: when it begins, counted from the video's first frame.
        end_seconds: when it ends, not before it begins.
        text: what is said, without white space around it; not empty.
    """

    start_seconds: float
    end_seconds: float
    text: str

    def __post_init__(self) -> None:
        """Check the times and the text.

        Raises:
            SchemaError: one of them breaks its rule.
        """
        if not (math.isfinite(self.end_seconds) and 0 <= self.start_seconds <= self.end_seconds):
            raise SchemaError(
                f"speech from {self.start_seconds} to {self.end_seconds} s; expected times from 0 "
                "on in order"
            )
        if not self.text or self.text != self.text.strip():
            raise SchemaError(f"speech {self.text!r}; expected text without white space around it")


@dataclass(frozen=True, slots=True)
class Transcript:
    """What is said in a whole video.

    Attributes:
        segments: in order of their start; empty where nothing is said.
        source: where it comes from, such as a file's form or a recogniser's id.
    """

    segments: tuple[Segment, ...]
    source: str

    def __post_init__(self) -> None:
        """Check the order.

        Raises:
            SchemaError: a segment starts before the one in front of it.
        """
        starts = [segment.start_seconds for segment in self.segments]
        if starts != sorted(starts):
            raise SchemaError(f"transcript from {self.source}: segments are not in order of time")
