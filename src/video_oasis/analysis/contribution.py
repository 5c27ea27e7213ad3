"""What each test adds: the shortcuts that it finds, and those that no other test finds.

A sample that a test does not apply to is no shortcut in it. Whether a shortcut is unique is known
only once every other test's verdict on the sample is known not to be one; what could still turn out
either way is counted apart.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import Floats, divide
from video_oasis.analysis.cells import Level, average_benchmarks, list_members
from video_oasis.analysis.consensus import Ballot, count_ballot
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ContributionRow:
    """What one test adds to the shortcuts of one set of samples at one threshold.

    At the macro levels counts are sums, and shares are plain means over the benchmarks that the
    test applies to, null if a share is undefined in one of them.

    Attributes:
        level: a ``Level``, never ``task``.
        group: the group of benchmarks; empty unless the level is one of a group.
        benchmark: empty unless the level is ``benchmark``.
        n_benchmarks: benchmarks with samples the test applies to.
        threshold: the number of right models that makes a sample a shortcut.
        test: the diagnostic.
        n_models: models of the test.
        n: samples the test applies to.
        n_known: those with a known verdict.
        n_shortcuts: those known to be shortcuts.
        n_unique: shortcuts that are known to be none in every other test.
        n_perhaps_unique: shortcuts that are one in no other test so far, with another test's
            verdict unknown.
        n_union: samples known to be a shortcut in any test.
        share_of_union: n_shortcuts / n_union; null if there are none, as are the next two.
        unique_share_of_union: n_unique / n_union.
        share_of_unique: n_unique over the unique shortcuts of all tests.
    """

    level: str
    group: str
    benchmark: str
    n_benchmarks: int
    threshold: int
    test: str
    n_models: int
    n: int
    n_known: int
    n_shortcuts: int
    n_unique: int
    n_perhaps_unique: int
    n_union: int
    share_of_union: float | None
    unique_share_of_union: float | None
    share_of_unique: float | None


def measure_contribution(
    grid: AnswerGrid, *, groups: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Measure what each test adds to the shortcuts, at every threshold.

    Args:
        grid: the answers; all its diagnostics are tests of the union.
        groups: the group of each benchmark; benchmarks without one are in no group.

    Returns:
        A frame with the columns of ``ContributionRow``.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    return build_frame(ContributionRow, _measure(grid, groups or {})).filter(pl.col("n") > 0)


@dataclass(frozen=True, slots=True)
class _Tally:
    """Counts of some places and each test, places x T."""

    n: Counts
    n_known: Counts
    n_shortcuts: Counts
    n_unique: Counts
    n_perhaps_unique: Counts
    n_union: Counts

    def columns(self) -> dict[str, Counts]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def add_up(self, members: Sequence[int]) -> "_Tally":
        """Return the sums over some places, 1 x T."""
        return _Tally(
            **{
                name: counts[members].sum(axis=0, keepdims=True)
                for name, counts in self.columns().items()
            }
        )

    def share(self) -> dict[str, Floats]:
        all_unique = np.broadcast_to(self.n_unique.sum(axis=1, keepdims=True), self.n.shape)
        return {
            "share_of_union": divide(self.n_shortcuts, self.n_union),
            "unique_share_of_union": divide(self.n_unique, self.n_union),
            "share_of_unique": divide(self.n_unique, all_unique),
        }


def _tally(ballot: Ballot, threshold: int, starts: Sequence[int]) -> _Tally:
    """Count in each benchmark, given where its samples start."""
    shortcut = ballot.shortcut(threshold)[:-1]
    known = ballot.known(threshold)[:-1]
    applies = ballot.applies[:-1]
    alone = shortcut & (np.count_nonzero(shortcut, axis=0) == 1)
    settled = ~(applies & ~known).any(axis=0)

    def count(marks: NDArray[np.bool_]) -> Counts:
        return np.add.reduceat(marks, starts, axis=1, dtype=np.int64).T

    return _Tally(
        n=count(applies),
        n_known=count(known),
        n_shortcuts=count(shortcut),
        n_unique=count(alone & settled),
        n_perhaps_unique=count(alone & ~settled),
        n_union=count(np.broadcast_to(shortcut.any(axis=0), shortcut.shape)),
    )


def _measure(grid: AnswerGrid, groups: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    sizes = {test: slots.stop - slots.start for test, slots in grid.tests.items()}
    ballot = count_ballot(grid)
    benchmarks = list(grid.benchmarks)
    starts = [span.start for span in grid.benchmarks.values()]
    for threshold in range(1, max(sizes.values()) + 1):
        names = {
            "group": "",
            "benchmark": "",
            "threshold": threshold,
            "test": np.array(list(sizes), dtype=object),
            "n_models": np.array(list(sizes.values())),
        }
        tally = _tally(ballot, threshold, starts)
        for number, benchmark in enumerate(benchmarks):
            place = {"level": Level.BENCHMARK.value, "benchmark": benchmark}
            yield names | place | _pool(tally, [number])
        for group, members in list_members(benchmarks, groups).items():
            place = {"level": Level.GROUP_POOLED.value, "group": group}
            yield names | place | _pool(tally, members)
            yield names | place | {"level": Level.GROUP_MACRO.value} | _average(tally, members)
        everywhere = range(len(benchmarks))
        yield names | {"level": Level.POOLED.value} | _pool(tally, everywhere)
        yield names | {"level": Level.MACRO.value} | _average(tally, everywhere)


def _pool(tally: _Tally, members: Sequence[int]) -> dict[str, Any]:
    total = tally.add_up(members)
    return {
        "n_benchmarks": np.count_nonzero(tally.n[members], axis=0),
        **{name: values[0] for name, values in (total.columns() | total.share()).items()},
    }


def _average(tally: _Tally, members: Sequence[int]) -> dict[str, Any]:
    used = tally.n[members] > 0
    return _pool(tally, members) | {
        name: average_benchmarks(list(shares[members]), used)
        for name, shares in tally.share().items()
    }
