"""Sums over the samples of tasks, benchmarks, groups and all of them, with their resamples."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    MIN_CLUSTERS,
    ClusterSums,
    Floats,
    Resampling,
    divide,
    resample_sums,
    seeded_generator,
)
from video_oasis.analysis.grid import number_runs


class Level(StrEnum):
    """What a number is taken over."""

    TASK = "task"
    """The samples of one task of one benchmark."""
    BENCHMARK = "benchmark"
    """The samples of one benchmark."""
    POOLED = "pooled"
    """All samples of all benchmarks, each sample counting the same: the micro average."""
    GROUP_POOLED = "group_pooled"
    """The samples of all benchmarks of one group, each sample counting the same."""
    GROUP_MACRO = "group_macro"
    """The mean over the benchmarks of one group, each benchmark counting the same."""
    MACRO = "macro"
    """The mean over all benchmarks, each counting the same."""


class Sampled(Protocol):
    """Anything arranged by sample."""

    @property
    def samples(self) -> pl.DataFrame:
        """Its samples' ``benchmark``, ``task`` and ``video``, sorted by benchmark and task."""


@dataclass(frozen=True, slots=True)
class CellSums:
    """Column sums over the samples of one cell.

    A cell is a task, a benchmark, a group of benchmarks or all of them (``pooled``). The videos of
    a benchmark are resampled as wholes, across its tasks. Benchmarks are not: the pooled resamples
    add up theirs.

    Attributes:
        level: task, benchmark, group_pooled or pooled.
        group: empty unless the level is group_pooled.
        benchmark: empty if pooled.
        task: empty unless the level is task.
        samples: its samples, as a range of ``AnswerGrid.samples``, or for a group their numbers.
        tasks: its tasks, as a range of ``AnswerGrid.status_counts``, or for a group their numbers.
        totals: sum of each column.
        squares: sum over videos of each column's squared video sum.
        support: number of videos whose sum is not zero, for each column.
        can_resample: whether a column has enough such videos, in every benchmark that has any.
        resampled: columns x resamples.
    """

    level: Level
    group: str
    benchmark: str
    task: str
    samples: slice | NDArray[np.intp]
    tasks: slice | NDArray[np.intp]
    totals: Floats
    squares: Floats
    support: NDArray[np.intp]
    can_resample: NDArray[np.bool_]
    resampled: Floats


def sum_cells(
    grid: Sampled,
    values: Callable[[slice], Floats],
    resampling: Resampling,
    *,
    groups: Mapping[str, str] | None = None,
) -> Iterator[CellSums]:
    """Sum columns of per-sample values over every cell.

    Args:
        grid: where the samples lie.
        values: given a range of samples, their values, samples x columns.
        resampling: how to resample.
        groups: the group of each benchmark; None for no groups.

    Yields:
        For each benchmark its tasks and then itself; then each group pooled, by name; at the end
        all benchmarks pooled.
    """
    table = grid.samples
    if not table.height:
        return
    task_starts, task_of_sample = number_runs(table, "benchmark", "task")
    task_ends = np.append(task_starts[1:], table.height)
    starts, _ = number_runs(table, "benchmark")
    ends = np.append(starts[1:], table.height)
    videos = (
        table.select(pl.col("video").rank("dense").over("benchmark") - 1)
        .to_series()
        .to_numpy()
        .astype(np.intp)
    )

    benchmarks = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        name = table["benchmark"][start]
        benchmark_values = values(slice(start, end))
        numbers = range(task_of_sample[start], task_of_sample[end - 1] + 1)
        spans = [slice(int(task_starts[number]), int(task_ends[number])) for number in numbers]
        parts = [
            _sum_videos(benchmark_values[span.start - start : span.stop - start], videos[span])
            for span in spans
        ]
        resampled = resample_sums(
            parts,
            n_clusters=int(videos[start:end].max()) + 1,
            n_resamples=resampling.n_resamples,
            generator=seeded_generator(resampling.seed, name),
        )
        for number, span, part, part_resampled in zip(
            numbers, spans, parts, resampled, strict=True
        ):
            yield _describe(
                part,
                level=Level.TASK,
                benchmark=name,
                task=table["task"][span.start],
                samples=span,
                tasks=slice(number, number + 1),
                resampled=part_resampled,
            )
        benchmark = _describe(
            _sum_videos(
                np.concatenate([part.sums for part in parts]),
                np.concatenate([part.clusters for part in parts]),
            ),
            level=Level.BENCHMARK,
            benchmark=name,
            task="",
            samples=slice(start, end),
            tasks=slice(numbers.start, numbers.stop),
            resampled=np.sum(resampled, axis=0),
        )
        yield benchmark
        benchmarks.append(benchmark)
    names = [cell.benchmark for cell in benchmarks]
    for group, members in list_members(names, groups or {}).items():
        yield _pool([benchmarks[number] for number in members], Level.GROUP_POOLED, group)
    # All of them lie side by side: views of the grid's arrays are cheaper than copies.
    yield replace(
        _pool(benchmarks, Level.POOLED),
        samples=slice(0, table.height),
        tasks=slice(0, len(task_starts)),
    )


def list_members(benchmarks: Sequence[str], groups: Mapping[str, str]) -> dict[str, list[int]]:
    """List the numbers of the benchmarks of each group, groups by name."""
    members: dict[str, list[int]] = {}
    for number, benchmark in enumerate(benchmarks):
        if benchmark in groups:
            members.setdefault(groups[benchmark], []).append(number)
    return dict(sorted(members.items()))


def average_benchmarks(values: Sequence[Floats], used: NDArray[np.bool_]) -> Floats:
    """Average the values of benchmarks, each counting the same.

    Args:
        values: for each benchmark its values, columns or columns x anything.
        used: benchmarks x columns, whether a benchmark has any part in the column; its value is
            left out where it has none.

    Returns:
        The means; NaN where no benchmark is used or the value of a used one is NaN.
    """
    total: Floats = np.sum(
        [np.where(each_used, each.T, 0) for each_used, each in zip(used, values, strict=True)],
        axis=0,
    )
    return divide(total, np.broadcast_to(used.sum(axis=0), total.shape)).T


def _sum_videos(values: Floats, videos: NDArray[np.intp]) -> ClusterSums:
    order = np.argsort(videos, kind="stable")
    starts = np.flatnonzero(np.diff(videos[order], prepend=-1))
    return ClusterSums(
        clusters=videos[order][starts], sums=np.add.reduceat(values[order], starts, axis=0)
    )


def _describe(
    videos: ClusterSums,
    *,
    level: Level,
    benchmark: str,
    task: str,
    samples: slice,
    tasks: slice,
    resampled: Floats,
) -> CellSums:
    support = np.count_nonzero(videos.sums, axis=0)
    return CellSums(
        level=level,
        group="",
        benchmark=benchmark,
        task=task,
        samples=samples,
        tasks=tasks,
        totals=videos.sums.sum(axis=0),
        squares=np.square(videos.sums).sum(axis=0),
        support=support,
        can_resample=support >= MIN_CLUSTERS,
        resampled=resampled,
    )


def _pool(benchmarks: list[CellSums], level: Level, group: str = "") -> CellSums:
    support = np.sum([cell.support for cell in benchmarks], axis=0)
    lone = np.any([(cell.support > 0) & ~cell.can_resample for cell in benchmarks], axis=0)
    return CellSums(
        level=level,
        group=group,
        benchmark="",
        task="",
        samples=np.concatenate([np.r_[cell.samples] for cell in benchmarks]),
        tasks=np.concatenate([np.r_[cell.tasks] for cell in benchmarks]),
        totals=np.sum([cell.totals for cell in benchmarks], axis=0),
        squares=np.sum([cell.squares for cell in benchmarks], axis=0),
        support=support,
        can_resample=(support >= MIN_CLUSTERS) & ~lone,
        resampled=np.sum([cell.resampled for cell in benchmarks], axis=0),
    )
