"""How the tests overlap: the samples that are shortcuts in exactly each set of them.

A sample that a test does not apply to is no shortcut in it. A sample is counted in a set once all
its verdicts are known; until then it is counted apart, with every set it may turn out to be in.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import divide
from video_oasis.analysis.cells import Level, list_members
from video_oasis.analysis.consensus import Ballot, count_ballot, count_models
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid, number_runs

Counts = NDArray[np.int64]

TESTS_JOINED_BY: Final = " & "
"""What stands between the names of tests in ``IntersectionRow.tests``."""

_NOT, _SHORTCUT, _UNKNOWN = range(3)


@dataclass(frozen=True, slots=True)
class IntersectionRow:
    """How many samples of one set are shortcuts in exactly these tests and no others.

    Attributes:
        level: ``benchmark``, ``group_pooled`` or ``pooled``.
        group: empty unless the level is ``group_pooled``.
        benchmark: empty unless the level is ``benchmark``.
        threshold: the number of right models that makes a sample a shortcut.
        tests: the tests by name, with `` & `` between them.
        n_tests: how many they are.
        n: samples known to be shortcuts in exactly these.
        n_perhaps: samples with an unknown verdict that may turn out so.
        share_of_union: n over the samples known to be a shortcut in any test.
    """

    level: str
    group: str
    benchmark: str
    threshold: int
    tests: str
    n_tests: int
    n: int
    n_perhaps: int
    share_of_union: float


def count_intersections(
    grid: AnswerGrid, *, groups: Mapping[str, str] | None = None
) -> pl.DataFrame:
    """Count the samples that are shortcuts in exactly each set of tests, the largest sets first.

    Args:
        grid: the answers; all its diagnostics are tests of the union.
        groups: the group of each benchmark; benchmarks without one are in no group.

    Returns:
        A frame with the columns of ``IntersectionRow``; sets without a known sample are left out.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    return build_frame(IntersectionRow, _intersect(grid, groups or {}))


def _intersect(grid: AnswerGrid, groups: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    ballot = count_ballot(grid)
    for threshold in range(1, max(count_models(grid).values()) + 1):
        benchmark, patterns, counts = _count_patterns(grid, ballot, threshold)
        for place, members in _list_places(list(grid.benchmarks), groups):
            here = np.isin(benchmark, members)
            found = _count_sets(patterns[here], counts[here], list(grid.tests))
            yield place | {"threshold": threshold} | found


def _count_patterns(
    grid: AnswerGrid, ballot: Ballot, threshold: int
) -> tuple[NDArray[np.intp], NDArray[np.uint8], Counts]:
    """Count how often each row of verdicts comes in each benchmark.

    Returns:
        Numbers of benchmarks, P; patterns, P x T; and how many samples have them, P.
    """
    shortcut = ballot.shortcut(threshold)[:-1]
    unknown = (ballot.applies & ~ballot.known(threshold))[:-1]
    pattern = np.where(unknown, _UNKNOWN, np.where(shortcut, _SHORTCUT, _NOT)).astype(np.uint8)
    _, benchmark = number_runs(grid.samples, "benchmark")
    tests = [f"test-{number}" for number in range(len(pattern))]
    counted = (
        pl.DataFrame({"benchmark": benchmark, **dict(zip(tests, pattern, strict=True))})
        .group_by("benchmark", *tests)
        .len()
    )
    return (
        counted["benchmark"].to_numpy(),
        counted.select(tests).to_numpy(),
        counted["len"].to_numpy().astype(np.int64),
    )


def _list_places(
    benchmarks: Sequence[str], groups: Mapping[str, str]
) -> Iterator[tuple[dict[str, str], Sequence[int]]]:
    for number, benchmark in enumerate(benchmarks):
        yield {"level": Level.BENCHMARK.value, "group": "", "benchmark": benchmark}, [number]
    for group, members in list_members(benchmarks, groups).items():
        yield {"level": Level.GROUP_POOLED.value, "group": group, "benchmark": ""}, members
    everywhere = range(len(benchmarks))
    yield {"level": Level.POOLED.value, "group": "", "benchmark": ""}, everywhere


def _count_sets(
    patterns: NDArray[np.uint8], counts: Counts, tests: Sequence[str]
) -> dict[str, NDArray[Any]]:
    known = (patterns != _UNKNOWN).all(axis=1)
    shortcut = patterns == _SHORTCUT
    listed = known & shortcut.any(axis=1)
    sets, number = np.unique(shortcut[listed], axis=0, return_inverse=True)
    n = np.zeros(len(sets), np.int64)
    np.add.at(n, number.ravel(), counts[listed])
    # A sample with unknown verdicts may turn out so if its known ones do not speak against it.
    open_to = patterns[~known] == _UNKNOWN
    may_be = (open_to | (shortcut[~known] == sets[:, None])).all(axis=2)
    n_tests = np.count_nonzero(sets, axis=1)
    names = np.array(
        [TESTS_JOINED_BY.join(compress(tests, members)) for members in sets], dtype=object
    )
    order = np.lexsort((names, n_tests, -n))
    return {
        "tests": names[order],
        "n_tests": n_tests[order],
        "n": n[order],
        "n_perhaps": (may_be @ counts[~known])[order],
        "share_of_union": divide(n, counts[shortcut.any(axis=1)].sum())[order],
    }
