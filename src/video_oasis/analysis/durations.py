"""Sorts clips into groups by their length, as the field reports them."""

from typing import Final

_BOUNDS_SECONDS: Final = (
    (15.0, "up to 15 s"),
    (60.0, "15 s to 1 min"),
    (600.0, "1 to 10 min"),
    (float("inf"), "over 10 min"),
)

DURATION_GROUPS: Final = tuple(name for _, name in _BOUNDS_SECONDS)
"""The groups, the shortest first; each includes its upper bound."""


def name_duration(seconds: float) -> str:
    """Return the group of a clip of this length."""
    return next(name for bound, name in _BOUNDS_SECONDS if seconds <= bound)
