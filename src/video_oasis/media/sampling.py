"""Says which moments of a video are shown: pure functions of times, never of frame numbers.

One rule everywhere: *n* uniform times are the midpoints of *n* equal segments of the window, so
one uniform frame is the centre frame, and a split of uniform times into equal chunks is uniform
within each chunk. The frame shown at a time is the last one presented at or before it. Where a
clip has fewer frames than times, each frame is taken once.
"""

import hashlib
import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import Final

from video_oasis.errors import MediaError, SchemaError
from video_oasis.hashing import content_id

_ROUNDING: Final = 1e-6
"""Times come from divisions: so many seconds keep one meant for a frame's start on that frame."""


@dataclass(frozen=True, slots=True)
class Uniform:
    """The midpoints of equal segments of the window.

    Attributes:
        n: how many segments.
    """

    n: int

    def __post_init__(self) -> None:
        """Check that there is a segment.

        Raises:
            SchemaError: otherwise.
        """
        if self.n < 1:
            raise SchemaError(f"uniform sampling of {self.n} frames; expected at least 1")

    @property
    def most(self) -> int:
        """The most times there are, whatever the window."""
        return self.n

    def times(self, start_seconds: float, end_seconds: float) -> tuple[float, ...]:
        """Return the times in the window, ascending."""
        step = (end_seconds - start_seconds) / self.n
        return tuple(start_seconds + (i + 0.5) * step for i in range(self.n))


CENTRE = Uniform(1)
"""The frame shown at the middle of the window."""


@dataclass(frozen=True, slots=True)
class PerSecond:
    """A fixed rate, uniform over the window, with fewer per second where a cap is reached.

    Attributes:
        fps: frames wanted per second of the window; the number is rounded half up, at least 1.
        cap: the most frames to take.
    """

    fps: float
    cap: int

    def __post_init__(self) -> None:
        """Check the rate and the cap.

        Raises:
            SchemaError: one of them is not positive.
        """
        if not (math.isfinite(self.fps) and self.fps > 0 and self.cap >= 1):
            raise SchemaError(
                f"sampling at {self.fps} frames a second, at most {self.cap}; expected a rate "
                "above 0 and a cap of at least 1"
            )

    @property
    def most(self) -> int:
        """The most times there are, whatever the window."""
        return self.cap

    def times(self, start_seconds: float, end_seconds: float) -> tuple[float, ...]:
        """Return the times in the window, ascending."""
        wanted = math.floor((end_seconds - start_seconds) * self.fps + 0.5)
        return Uniform(min(self.cap, max(1, wanted))).times(start_seconds, end_seconds)


@dataclass(frozen=True, slots=True)
class RandomMoment:
    """One moment, every one of the window as likely as another, fixed by seed and content.

    Attributes:
        seed: the audit's seed.
        content: what the draw belongs to, such as a sample's id; another content, another draw.
    """

    seed: int
    content: str

    @property
    def most(self) -> int:
        """The most times there are, whatever the window."""
        return 1

    def times(self, start_seconds: float, end_seconds: float) -> tuple[float, ...]:
        """Return the one time."""
        digest = hashlib.sha256(f"{self.seed}\n{self.content}".encode("utf-8", "surrogatepass"))
        fraction = int.from_bytes(digest.digest()[:6], "big") / 2**48
        return (start_seconds + fraction * (end_seconds - start_seconds),)


@dataclass(frozen=True, slots=True)
class WithinSpans:
    """A fixed rate within some spans of the video, with fewer per second where a cap is reached.

    A span shorter than the time between two frames counts as that long, around its middle, so that
    a single moment gets a frame. Spans that overlap are one.

    Attributes:
        spans: start and end of each, in seconds of the video.
        fps: frames wanted per second of the spans; the number is rounded half up, at least 1.
        cap: the most frames to take.
    """

    spans: tuple[tuple[float, float], ...]
    fps: float
    cap: int

    def __post_init__(self) -> None:
        """Check the spans, and the rate and the cap as ``PerSecond`` does.

        Raises:
            SchemaError: there are no spans, or one ends before it starts.
        """
        PerSecond(self.fps, self.cap)
        if not self.spans or any(not 0 <= start <= end < math.inf for start, end in self.spans):
            raise SchemaError(f"spans {self.spans}; expected at least one, each with start ≤ end")

    @property
    def most(self) -> int:
        """The most times there are, whatever the window."""
        length = sum(end - start for start, end in self._widen(0.0, math.inf))
        return len(PerSecond(self.fps, self.cap).times(0.0, length))

    def times(self, start_seconds: float, end_seconds: float) -> tuple[float, ...]:
        """Return the times in the spans, as far as they lie in the window, ascending.

        Raises:
            MediaError: kind ``reference``: no span lies in the window.
        """
        spans = self._widen(start_seconds, end_seconds)
        if not spans:
            raise MediaError(
                "reference",
                f"time references {_write_spans(self.spans)} of a clip that runs from "
                f"{start_seconds:g} to {end_seconds:g} s; expected one inside it. Check the "
                "benchmark's annotation, or leave the sample out",
            )
        ends = list(accumulate(end - start for start, end in spans))
        times = []
        for offset in PerSecond(self.fps, self.cap).times(0.0, ends[-1]):
            number = min(bisect_right(ends, offset), len(spans) - 1)
            times.append(spans[number][1] - (ends[number] - offset))
        return tuple(times)

    def _widen(self, start_seconds: float, end_seconds: float) -> list[tuple[float, float]]:
        """Return the spans in the window, none too short, in order and without overlaps."""
        half = 0.5 / self.fps
        widened: list[tuple[float, float]] = []
        for start, end in sorted(self.spans):
            middle = (start + end) / 2
            first = max(start_seconds, min(start, middle - half))
            last = min(end_seconds, max(end, middle + half))
            if widened and first <= widened[-1][1]:
                widened[-1] = (widened[-1][0], max(widened[-1][1], last))
            elif first <= last:
                widened.append((first, last))
        return widened


def _write_spans(spans: Sequence[tuple[float, float]]) -> str:
    return ", ".join(f"{start:g}–{end:g} s" for start, end in spans)


Rule = Uniform | PerSecond | RandomMoment | WithinSpans


@dataclass(frozen=True, slots=True)
class PictureSettings:
    """How large a frame is kept and how well.

    The default side keeps a 16:9 frame (768 × 432) just above what the widest-budget models in use
    take of each of 128 frames (Qwen2-VL and its successors: 24,576 visual tokens in all, about
    300,000 pixels a frame), so models scale down and never up. Quality 85 at 4:2:0 lies where
    JPEG's size begins to grow faster than its likeness.

    Attributes:
        longest_side: pixels of the longer side; smaller frames are kept as they are.
        jpeg_quality: Pillow's quality, 1 to 95.
    """

    longest_side: int = 768
    jpeg_quality: int = 85

    def __post_init__(self) -> None:
        """Check the two numbers.

        Raises:
            SchemaError: one is out of range.
        """
        if self.longest_side < 1 or not 1 <= self.jpeg_quality <= 95:
            raise SchemaError(
                f"pictures of longest side {self.longest_side} and JPEG quality "
                f"{self.jpeg_quality}; expected a side of at least 1 and a quality of 1 to 95"
            )

    def fit(self, width: int, height: int) -> tuple[int, int]:
        """Return the size at which a picture of this size is kept."""
        scale = min(1.0, self.longest_side / max(width, height))
        return max(1, round(width * scale)), max(1, round(height * scale))


@dataclass(frozen=True)
class Sampling:
    """Which moments of which stretch of a video are wanted, and as what pictures.

    Attributes:
        rule: which moments of the window.
        start_seconds: start of the clip window, None for the start of the video. Times count from
            the video's first frame.
        end_seconds: end of the clip window, None for the end of the video; one beyond the end
            means the end.
        pictures: size and quality.
    """

    rule: Rule
    start_seconds: float | None = None
    end_seconds: float | None = None
    pictures: PictureSettings = field(default_factory=PictureSettings)

    @cached_property
    def id(self) -> str:
        """Content id over everything that decides which pictures come out."""
        return content_id("sampling1", {"rule": type(self.rule).__name__, "settings": asdict(self)})

    def window(self, duration_seconds: float) -> tuple[float, float]:
        """Return start and end of the part of the clip window that a video of this length has.

        Raises:
            MediaError: kind ``window``: the clip window holds nothing of the video.
        """
        start = self.start_seconds or 0.0
        end = duration_seconds if self.end_seconds is None else self.end_seconds
        if start >= duration_seconds or end < start:
            raise MediaError(
                "window",
                f"clip window {start:g}–{end:g} s of a video that lasts {duration_seconds:.2f} s; "
                "expected a window inside the video. Check that this is the benchmark's own copy "
                "of the video, or skip the sample",
            )
        return start, min(end, duration_seconds)

    def times(self, duration_seconds: float) -> tuple[float, ...]:
        """Return the moments wanted of a video of this length, ascending.

        Raises:
            MediaError: kind ``window``: the clip window holds nothing of the video.
        """
        return self.rule.times(*self.window(duration_seconds))

    def count_at_most(self, duration_seconds: float | None) -> int:
        """Return the most frames that come of a video, before it has been looked at.

        Args:
            duration_seconds: its published length, None where none is published.
        """
        end = self.end_seconds if duration_seconds is None else duration_seconds
        if end is None:
            return self.rule.most
        try:
            return len(self.times(end))
        except MediaError:
            return 0


def count_shown(presentation_seconds: Sequence[float], start: float, end: float) -> int:
    """Count the frames shown between two times, the one already on screen at the start included.

    Args:
        presentation_seconds: when each frame appears, ascending.
        start: the earlier time.
        end: the later time; a frame that appears just then is not counted.
    """
    first = max(0, bisect_right(presentation_seconds, start + _ROUNDING) - 1)
    return max(1, bisect_left(presentation_seconds, end - _ROUNDING) - first)


def shown_at(presentation_seconds: Sequence[float], times: Sequence[float]) -> list[int]:
    """Return the positions of the frames shown at these times, each once, ascending.

    Args:
        presentation_seconds: when each frame appears, ascending.
        times: moments, ascending; one before the first frame shows the first frame.
    """
    positions = (bisect_right(presentation_seconds, time + _ROUNDING) - 1 for time in times)
    return sorted({max(0, position) for position in positions})
