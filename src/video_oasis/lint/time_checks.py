"""Defects of clip windows and time references."""

from collections.abc import Iterator
from typing import Final

from video_oasis.schema import METADATA_TIME_REFERENCES, OpenQuestion, Sample

TOLERANCE_SECONDS: Final = 1.0
"""Times may run past an end by this much: published times and durations are rounded."""


def reversed_window(row: Sample | OpenQuestion) -> str | None:
    """A clip window that ends where it starts, or before."""
    video = row.video
    if video.end_seconds is None or video.end_seconds > (video.start_seconds or 0.0):
        return None
    return f"the clip runs from {video.start_seconds or 0.0:g} s to {video.end_seconds:g} s"


def window_beyond_video(row: Sample | OpenQuestion) -> str | None:
    """A clip window that runs past the end of the video, where its duration is published."""
    video = row.video
    if video.duration_seconds is None:
        return None
    latest = max(video.start_seconds or 0.0, video.end_seconds or 0.0)
    if latest <= video.duration_seconds + TOLERANCE_SECONDS:
        return None
    return f"the clip reaches {latest:g} s; the video ends at {video.duration_seconds:g} s"


def _time_references(row: Sample | OpenQuestion) -> Iterator[tuple[float, float]]:
    for start, end in row.metadata.get(METADATA_TIME_REFERENCES, ()):
        yield float(start), float(end)


def reversed_reference(row: Sample | OpenQuestion) -> str | None:
    """A time reference that ends before it starts."""
    found = [(start, end) for start, end in _time_references(row) if end < start]
    return f"the time reference is {_spans(found)}" if found else None


def reference_beyond_video(row: Sample | OpenQuestion) -> str | None:
    """A time reference past the end of the video, where its duration is published."""
    duration = row.video.duration_seconds
    if duration is None:
        return None
    found = [span for span in _time_references(row) if max(span) > duration + TOLERANCE_SECONDS]
    return (
        f"the time reference is {_spans(found)}; the video ends at {duration:g} s"
        if found
        else None
    )


def reference_outside_window(row: Sample | OpenQuestion) -> str | None:
    """A time reference of which no part lies in the clip window."""
    start = (row.video.start_seconds or 0.0) - TOLERANCE_SECONDS
    end = row.video.end_seconds
    found = [
        span
        for span in _time_references(row)
        if max(span) < start or (end is not None and min(span) > end + TOLERANCE_SECONDS)
    ]
    if not found:
        return None
    clip = f"{row.video.start_seconds or 0.0:g} s to {'the end' if end is None else f'{end:g} s'}"
    return f"the time reference is {_spans(found)}; the clip runs from {clip}"


def _spans(spans: list[tuple[float, float]]) -> str:
    return ", ".join(f"{start:g}–{end:g} s" for start, end in spans)
