"""What each judge says of each distinct answer."""

from dataclasses import dataclass

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Floats
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.schema import Status


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """U distinct answers of models, and what J judges say of them.

    Attributes:
        samples: the columns of the grade table that say what was answered, U rows in the order of
            ``GradeGrid.samples``.
        correct: 1 where the judge accepts it, 0 where not, NaN where it gives no grade, U x J.
        score: the score, 0 to ``MAX_GRADE``, likewise.
    """

    samples: pl.DataFrame
    correct: Floats
    score: Floats


def list_verdicts(grid: GradeGrid, *, by_sample: bool = False) -> Verdicts:
    """List the distinct answers of models, with what each judge says of them.

    Args:
        grid: the grades.
        by_sample: whether an answer is listed for every sample that has it, rather than once with
            the first: other samples may have the same question and reference.
    """
    key = ("at_sample", "pair") if by_sample else ("pair",)
    answered = grid.answers.filter(pl.col("answer_status") == Status.OK.value)
    samples = answered.unique(key, keep="first", maintain_order=True).select(
        "at_sample", "benchmark", "task", "video", "sample_id", "pair", "reference", "answer"
    )
    placed = answered.unique((*key, "at_judge"), keep="first", maintain_order=True).join(
        samples.select(key).with_row_index("at_unit"), on=key, how="left"
    )
    at = tuple(placed.select("at_unit", "at_judge").to_numpy().astype(int).T)

    def place(column: str) -> Floats:
        array = np.full((samples.height, len(grid.judges)), np.nan)
        array[at] = placed[column].cast(pl.Float64).to_numpy()
        return array

    return Verdicts(samples=samples, correct=place("correct"), score=place("score"))
