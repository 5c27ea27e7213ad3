"""Clock times in annotations to seconds."""

import math
import re
from typing import Final

_CLOCK: Final = re.compile(r"(?:(\d+):)?(\d+):(\d+(?:\.\d+)?)", re.ASCII)
_DASH: Final = re.compile(r"[-‐-—~]")
_SEPARATOR: Final = re.compile(r"[,;，；]")


def read_clock(text: str) -> float | None:
    """Read a time such as ``85``, ``85.4``, ``01:25`` or ``1:02:03``.

    Minutes may run past 59: ``101:21`` is 6081 seconds.

    Returns:
        Seconds, 0 or more; None if the text is no time.
    """
    text = text.strip()
    if clock := _CLOCK.fullmatch(text):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
    try:
        plain = float(text)
    except ValueError:
        return None
    return plain if math.isfinite(plain) and plain >= 0 else None


def read_ranges(text: str) -> list[list[float]]:
    """Read time ranges such as ``00:15-00:19, 1:02:03-1:02:10``.

    Returns:
        ``[start, end]`` in seconds for each range, as published even where the end comes first. A
        range of which one end is no time (``08:17-None``) is not among them: whoever reads these
        keeps the published text beside them.
    """
    ranges = []
    for part in _SEPARATOR.split(text):
        ends = [read_clock(end) for end in _DASH.split(part)]
        if len(ends) == 2 and ends[0] is not None and ends[1] is not None:
            ranges.append([ends[0], ends[1]])
    return ranges
