"""Names the ways in which the likeness of a choice to several frames becomes one score."""

from enum import StrEnum


class Aggregation(StrEnum):
    """How the likeness of a choice to several frames becomes one score."""

    MEAN = "mean"
    """The mean over the frames."""
    MAX = "max"
    """The highest of any frame."""
