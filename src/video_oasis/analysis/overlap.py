"""How far two sets of samples are the same, in each of the ways that a bare «overlap» may mean."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import divide
from video_oasis.analysis.cells import Level
from video_oasis.analysis.grid import AnswerGrid


@dataclass(frozen=True, slots=True)
class SampleSet:
    """Which of S samples are in a set, as far as is known.

    Attributes:
        members: the samples known to be in it.
        known: the samples of which it is known whether they are.
    """

    members: NDArray[np.bool_]
    known: NDArray[np.bool_]

    @classmethod
    def from_marks(cls, marks: pl.Series) -> "SampleSet":
        """Make a set from Booleans, null where it is not known."""
        return cls(marks.fill_null(value=False).to_numpy(), marks.is_not_null().to_numpy())

    def complement(self) -> "SampleSet":
        """Return the samples that are known not to be in it."""
        return SampleSet(self.known & ~self.members, self.known)


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """The overlap of two sets among the samples of one benchmark or of all.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        first: what the first set is.
        second: what the second set is.
        n: samples of which both memberships are known; all that follows is over these.
        n_unknown: the other samples.
        n_first: samples in the first set.
        n_second: samples in the second set.
        n_both: samples in both.
        n_both_expected: how many would be in both if one set said nothing about the other.
        jaccard: n_both over the samples in either; null if there are none.
        share_of_first: n_both / n_first; null if that is 0.
        share_of_second: n_both / n_second; null if that is 0.
    """

    level: str
    benchmark: str
    first: str
    second: str
    n: int
    n_unknown: int
    n_first: int
    n_second: int
    n_both: int
    n_both_expected: float | None
    jaccard: float | None
    share_of_first: float | None
    share_of_second: float | None


def compare_sets(grid: AnswerGrid, first: SampleSet, second: SampleSet) -> dict[str, Any]:
    """Compare two sets of samples, for each benchmark and, last, pooled.

    Args:
        grid: where the samples lie; it has at least one.
        first: the first set.
        second: the second set.

    Returns:
        The columns of ``OverlapRow`` but for the names of the sets.
    """
    benchmarks = grid.benchmarks
    starts = [span.start for span in benchmarks.values()]
    known = first.known & second.known

    def count(marks: NDArray[np.bool_]) -> NDArray[np.int64]:
        by_benchmark = np.add.reduceat(marks, starts, dtype=np.int64)
        return np.append(by_benchmark, by_benchmark.sum())

    n, n_unknown = count(known), count(~known)
    n_first, n_second = count(known & first.members), count(known & second.members)
    n_both = count(known & first.members & second.members)
    levels = [Level.BENCHMARK.value] * len(benchmarks) + [Level.POOLED.value]
    return {
        "level": np.array(levels, dtype=object),
        "benchmark": np.array([*benchmarks, ""], dtype=object),
        "n": n,
        "n_unknown": n_unknown,
        "n_first": n_first,
        "n_second": n_second,
        "n_both": n_both,
        "n_both_expected": divide(n_first * n_second, n),
        "jaccard": divide(n_both, n_first + n_second - n_both),
        "share_of_first": divide(n_both, n_first),
        "share_of_second": divide(n_both, n_second),
    }
