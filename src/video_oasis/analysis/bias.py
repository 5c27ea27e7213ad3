"""How strongly scoring models lean to the right choice of each sample without the evidence."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import divide
from video_oasis.analysis.frames import row_schema
from video_oasis.analysis.grid import AnswerGrid

_SCORE_COLUMNS: Final = {
    "benchmark": pl.String,
    "task": pl.String,
    "sample_id": pl.String,
    "n_models": pl.Int64,
    "bias": pl.Float64,
    "chance": pl.Float64,
    "rank": pl.Int64,
}


@dataclass(frozen=True, slots=True)
class BiasRow:
    """Bias scores of one task.

    Attributes:
        benchmark: the benchmark.
        task: the task.
        n: samples with a score.
        mean: mean score.
        median: median score.
        chance: mean of 1/n_choices over the same samples.
        share_above_chance: share of samples whose score is above their own 1/n_choices.
    """

    benchmark: str
    task: str
    n: int
    mean: float
    median: float
    chance: float
    share_above_chance: float


def score_bias(grid: AnswerGrid, *, diagnostic: str = "blind") -> pl.DataFrame:
    """Score every sample by the mean probability that scoring models give its right choice.

    Returns:
        ``benchmark, task, sample_id, n_models`` (models with a probability), ``bias`` (0 to 1),
        ``chance`` (1/n_choices) and ``rank`` (within the benchmark, 1 for the most biased; equal
        scores share the better rank), in the order of the grid; samples that no model scored are
        left out.
    """
    slots = grid.tests.get(diagnostic)
    if slots is None:
        return pl.DataFrame(schema=_SCORE_COLUMNS)
    probabilities = grid.target_probability[slots]
    n_models = np.count_nonzero(~np.isnan(probabilities), axis=0)
    return (
        grid.samples.with_columns(
            n_models=pl.Series(n_models, dtype=pl.Int64),
            bias=pl.Series(divide(np.nansum(probabilities, axis=0), n_models)),
            chance=1 / pl.col("n_choices"),
        )
        .filter(pl.col("n_models") > 0)
        .with_columns(
            rank=pl.col("bias").rank("min", descending=True).over("benchmark").cast(pl.Int64)
        )
        .select(_SCORE_COLUMNS.keys())
    )


def summarise_bias(scores: pl.DataFrame) -> pl.DataFrame:
    """Summarise the scores of ``score_bias`` for each task.

    Returns:
        A frame with the columns of ``BiasRow``, the most biased tasks beyond chance first.
    """
    return (
        scores.group_by("benchmark", "task")
        .agg(
            n=pl.len().cast(pl.Int64),
            mean=pl.col("bias").mean(),
            median=pl.col("bias").median(),
            chance=pl.col("chance").mean(),
            share_above_chance=(pl.col("bias") > pl.col("chance")).mean(),
        )
        .sort(pl.col("chance") - pl.col("mean"), "benchmark", "task")
        .select(row_schema(BiasRow).keys())
    )
