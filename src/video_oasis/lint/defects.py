"""What a defect is."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a defect matters to a score."""

    ERROR = "error"
    """The question cannot be scored as it stands, or not fairly."""
    WARNING = "warning"
    """A model can be right, wrong or helped for reasons other than the video."""
    INFO = "info"
    """Worth a look; often meant so."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that one check found.

    Attributes:
        sample_id: the sample or open question; empty if it concerns a whole task.
        message: what was found.
        related: ids of the other samples it involves.
    """

    sample_id: str
    message: str
    related: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Defect:
    """A finding with the kind it is of.

    Attributes:
        code: constant word for the kind.
        severity: how much it matters.
        benchmark: the benchmark.
        sample_id: as for a finding.
        message: as for a finding.
        related: as for a finding.
    """

    code: str
    severity: Severity
    benchmark: str
    sample_id: str
    message: str
    related: tuple[str, ...] = ()


def quote(text: str, *, width: int = 60) -> str:
    """Write a text in quotes on one line, cut to about this many characters."""
    return repr(text if len(text) <= width else f"{text[: width - 1]}…")


def list_choices(indices: Sequence[int]) -> str:
    """Name choices by their numbers, from 1, as a person counts them."""
    numbers = ", ".join(str(index + 1) for index in indices)
    return f"{'choice' if len(indices) == 1 else 'choices'} {numbers}"
