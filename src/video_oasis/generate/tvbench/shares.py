"""Where an event lies in its clip, and clips in which it lies elsewhere."""

from enum import IntEnum
from typing import Final

from video_oasis.generate.tvbench.settings import TVBenchSettings

SHARE_CHOICES: Final = (
    "At the beginning of the video.",
    "In the middle of the video.",
    "At the end of the video.",
    "Throughout the entire video.",
)
_DECIMALS: Final = 3
_ROUNDING: Final = 1e-6


class Part(IntEnum):
    """Index into ``SHARE_CHOICES``."""

    BEGINNING = 0
    MIDDLE = 1
    END = 2
    THROUGHOUT = 3


def tell_part(
    start_seconds: float, end_seconds: float, length_seconds: float, settings: TVBenchSettings
) -> Part | None:
    """Tell in which part of a clip an event lies; None in the gaps between the parts.

    Args:
        start_seconds: start of the event, from the start of the clip.
        end_seconds: its end.
        length_seconds: length of the clip.
        settings: the thresholds.
    """
    start = max(0.0, start_seconds / length_seconds)
    end = min(1.0, end_seconds / length_seconds)
    found = [
        part
        for part, holds in (
            (Part.BEGINNING, end <= settings.beginning_max_end + _ROUNDING),
            (
                Part.MIDDLE,
                start >= settings.middle_min_start - _ROUNDING
                and end <= settings.middle_max_end + _ROUNDING,
            ),
            (Part.END, start >= settings.end_min_start - _ROUNDING),
            (Part.THROUGHOUT, end - start >= settings.throughout_min_share - _ROUNDING),
        )
        if holds
    ]
    # A short event near a third of the clip can be in two parts: that is no clear answer either.
    return found[0] if len(found) == 1 else None


def cut_window(
    start_seconds: float,
    end_seconds: float,
    video_seconds: float,
    part: Part,
    length_seconds: float,
    share: float,
    settings: TVBenchSettings,
) -> tuple[float, float] | None:
    """Choose a window of a video in which an event lies in the given part.

    Args:
        start_seconds: start of the event in the video.
        end_seconds: its end.
        video_seconds: length of the video.
        part: the part.
        length_seconds: length of the window.
        share: which of all windows that fit, from 0 (the first) to below 1 (the last).
        settings: the thresholds.

    Returns:
        Start and end of the window in the video, None where no window fits.
    """
    if part is Part.THROUGHOUT:
        duration = end_seconds - start_seconds
        if duration < settings.throughout_min_share * length_seconds:
            return None
        first, last = sorted((start_seconds, end_seconds - length_seconds))
    else:
        earliest, latest = {
            Part.BEGINNING: (0.0, settings.beginning_max_end),
            Part.MIDDLE: (settings.middle_min_start, settings.middle_max_end),
            Part.END: (settings.end_min_start, 1.0),
        }[part]
        first = end_seconds - latest * length_seconds
        last = start_seconds - earliest * length_seconds
    first, last = max(first, 0.0), min(last, video_seconds - length_seconds)
    if first > last + _ROUNDING:
        return None
    start = round(first + share * max(0.0, last - first), _DECIMALS)
    end = round(start + length_seconds, _DECIMALS)
    told = tell_part(start_seconds - start, end_seconds - start, length_seconds, settings)
    return (start, end) if told is part else None


def step_lengths(bounds: tuple[float, float], step_seconds: float) -> tuple[float, ...]:
    """Return the clip lengths from the shortest to the longest, in steps."""
    n_steps = int((bounds[1] - bounds[0]) / step_seconds + _ROUNDING)
    return tuple(bounds[0] + step * step_seconds for step in range(n_steps + 1))
