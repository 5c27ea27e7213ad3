"""Which results are shown, and how they are named."""

from collections.abc import Iterable
from typing import Protocol, TypeVar

from video_oasis.analysis.cells import Level
from video_oasis.report.open_ended.document import JudgeReport


class Placed(Protocol):
    """A row about one benchmark, or about all of them."""

    @property
    def level(self) -> str:
        """``task``, ``benchmark`` or ``pooled``."""

    @property
    def benchmark(self) -> str:
        """The benchmark; empty for all."""


Row = TypeVar("Row", bound=Placed)


def list_shown(report: JudgeReport, rows: Iterable[Row]) -> list[Row]:
    """Return the rows of whole benchmarks, and those of all together if there are several."""
    levels = {Level.BENCHMARK.value}
    if report.has_several_benchmarks:
        levels.add(Level.POOLED.value)
    return [row for row in rows if row.level in levels]


def name_place(row: Placed) -> str:
    """Name what a row is about."""
    return row.benchmark or "all, pooled"
