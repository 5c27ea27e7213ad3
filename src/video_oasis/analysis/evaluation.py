"""Evaluates models on one set of samples: as a whole, by any grouping, and against each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow, measure_accuracy
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.frames import read_rows
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid, arrange
from video_oasis.analysis.mode_union import UnionRow, measure_unions
from video_oasis.analysis.model_pairs import ModelPairRow, compare_models
from video_oasis.schema import SampleKey

_OF_GROUPS = (Level.BENCHMARK.value, Level.POOLED.value)


@dataclass(frozen=True, slots=True)
class Grouping:
    """A way to sort samples into groups, across benchmarks.

    Attributes:
        name: what the groups are, such as ``category``.
        groups: the groups in the order to show them.
        of_sample: the group of each sample; those without one form a group of their own, named by
            the empty text.
    """

    name: str
    groups: tuple[str, ...]
    of_sample: Mapping[SampleKey, str]


@dataclass(frozen=True, slots=True)
class Findings:
    """What was found of one set of samples, or of one group of it.

    Attributes:
        grouping: the grouping; empty for the whole set.
        group: the group; empty for the whole set, and for samples that the grouping leaves out.
        n_samples: its samples.
        n_videos: their videos.
        accuracy: how often each model is right, at every level for the whole set, by benchmark and
            pooled for a group.
        unions: what pairs of reasoning modes reach together, at the same levels.
        views: how far each model differs from itself where it is shown the videos in another way,
            Holm-corrected within these samples.
    """

    grouping: str
    group: str
    n_samples: int
    n_videos: int
    accuracy: tuple[AccuracyRow, ...]
    unions: tuple[UnionRow, ...]
    views: tuple[ModelPairRow, ...]


@dataclass(frozen=True, slots=True)
class SetFindings:
    """What was found of one set of samples.

    Attributes:
        name: the set.
        whole: what was found of all of it.
        groups: of each group of each grouping that has samples.
        pairs: every two models against each other, over all of it.
    """

    name: str
    whole: Findings
    groups: tuple[Findings, ...]
    pairs: tuple[ModelPairRow, ...]

    def of_grouping(self, grouping: str) -> tuple[Findings, ...]:
        """Return the findings of the groups of one grouping."""
        return tuple(each for each in self.groups if each.grouping == grouping)


def evaluate_set(
    name: str,
    table: pl.DataFrame,
    *,
    groupings: Sequence[Grouping] = (),
    modes: Sequence[tuple[str, str]] = (),
    views: Sequence[tuple[str, str]] = (),
    benchmark_groups: Mapping[str, str] | None = None,
    resampling: Resampling | None = None,
) -> SetFindings:
    """Evaluate the models of a long table, each under its own name.

    Args:
        name: the set's name.
        table: the rows of the set's samples, as ``grid.arrange`` takes them.
        groupings: how to sort the samples.
        modes: the pairs of models that are two reasoning modes of one; a pair counts where both
            have answers.
        views: the pairs of models that are one model shown the videos in two ways, the way to
            compare with second.
        benchmark_groups: the group of each benchmark, for averages over them.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: the table breaks its rules.
    """
    resampling = resampling or Resampling()
    grid = arrange(table)
    accuracy = measure_accuracy(grid, groups=benchmark_groups, resampling=resampling)
    return SetFindings(
        name=name,
        whole=_find(
            "",
            "",
            grid,
            accuracy,
            _unite(table, modes, resampling),
            compare_models(grid, views, resampling=resampling),
        ),
        groups=tuple(
            _find(
                grouping.name,
                group,
                grid_of_group,
                measure_accuracy(grid_of_group, resampling=resampling).filter(
                    pl.col("level").is_in(_OF_GROUPS)
                ),
                _unite(rows, modes, resampling),
                compare_models(grid_of_group, views, resampling=resampling),
            )
            for grouping in groupings
            for group, rows in _split(table, grouping).items()
            for grid_of_group in (arrange(rows),)
        ),
        pairs=read_rows(ModelPairRow, compare_models(grid, resampling=resampling)),
    )


def _find(
    grouping: str,
    group: str,
    grid: AnswerGrid,
    accuracy: pl.DataFrame,
    unions: pl.DataFrame,
    views: pl.DataFrame,
) -> Findings:
    return Findings(
        grouping=grouping,
        group=group,
        n_samples=grid.samples.height,
        n_videos=grid.samples.n_unique(["benchmark", "video"]),
        accuracy=read_rows(AccuracyRow, accuracy),
        unions=read_rows(UnionRow, unions),
        views=read_rows(ModelPairRow, views),
    )


def _unite(
    table: pl.DataFrame, modes: Sequence[tuple[str, str]], resampling: Resampling
) -> pl.DataFrame:
    # A union is of single answers: rotated, an answer is no longer one choice of one question.
    grid = arrange(table.filter(pl.col("rotation") == 0) if modes else table.clear())
    there = {slot.model for slot in grid.slots}
    pairs = [pair for pair in modes if there.issuperset(pair)]
    return measure_unions(grid, pairs, resampling=resampling)


def _split(table: pl.DataFrame, grouping: Grouping) -> dict[str, pl.DataFrame]:
    """Return the rows of each group that has any, in the grouping's order."""
    marks = pl.DataFrame(
        [(*key, group) for key, group in grouping.of_sample.items()],
        schema={**{name: table.schema[name] for name in SAMPLE_KEY}, "group": pl.String},
        orient="row",
    )
    marked = table.join(marks, on=SAMPLE_KEY, how="left", maintain_order="left").with_columns(
        pl.col("group").fill_null("")
    )
    parts = {
        group: marked.filter(pl.col("group") == group).drop("group")
        for group in (*grouping.groups, "")
    }
    return {group: rows for group, rows in parts.items() if rows.height}
