"""What a diagnostic is to the rest of the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from video_oasis.schema import Sample, Trial


class Axis(StrEnum):
    """What a diagnostic asks about a benchmark (arXiv 2603.29616, section 3)."""

    VISUAL = "visual"
    """Is the picture needed at all?"""
    TEMPORAL = "temporal"
    """Is more than one frame, or their order, needed?"""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A test that withholds part of the evidence.

    Attributes:
        name: its name on the command line and in the long table.
        axis: the question it belongs to.
        evidence: what a model is shown besides question and choices, in a few words.
        trials: the trials it makes of one sample; empty where it does not apply to the sample.
    """

    name: str
    axis: Axis
    evidence: str
    trials: Callable[[Sample], Sequence[Trial]]
