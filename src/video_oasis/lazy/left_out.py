"""Says which answers of a long table no verdict needs, and counts the calls that this saves."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.grid import SAMPLE_KEY, SLOT_KEY, AnswerGrid
from video_oasis.lazy.rules import Tally, Vote, find_out_of_reach, find_shortcuts
from video_oasis.schema import Status

NOT_NEEDED: Final = "not_needed"
"""Reason in the long table of an answer that was not asked for, as no verdict needs it."""

_NOT_ASKED: Final = "not_asked"
_WHY: Final = "why"


class Why(StrEnum):
    """Why no verdict needs an answer."""

    OUT_OF_REACH = "threshold_out_of_reach"
    """So many models are wrong that the test cannot make the sample a shortcut."""
    SHORTCUT = "already_a_shortcut"
    """The sample is a shortcut without it."""
    WRONG = "wrong_in_another_rotation"
    """The model is wrong where the choices are rotated otherwise, so its vote is not right."""
    ANOTHER_DRAW = "another_draw"
    """Only the first draw of a question votes."""


@dataclass(frozen=True, slots=True)
class Saving:
    """The calls that a lazy plan saves under one test.

    Attributes:
        diagnostic: the test.
        n_questions: different questions of the full plan, all draws.
        n_asked: those of them that were asked, in vain or not.
        threshold_out_of_reach: not asked, as the test cannot make the sample a shortcut any more.
        already_a_shortcut: not asked, as the sample is a shortcut already.
        wrong_in_another_rotation: not asked, as the model is wrong under another rotation.
        another_draw: not asked, as only the first draw of a question votes.
    """

    diagnostic: str
    n_questions: int
    n_asked: int
    threshold_out_of_reach: int
    already_a_shortcut: int
    wrong_in_another_rotation: int
    another_draw: int

    @property
    def n_left_out(self) -> int:
        """Questions that were not asked, for whatever reason."""
        return sum(getattr(self, why.value) for why in Why)


def find_left_out(table: pl.DataFrame, grid: AnswerGrid, threshold: int | None) -> pl.DataFrame:
    """Find the answers that were not asked for and that no verdict needs.

    Args:
        table: the long table.
        grid: the same answers, those of the tests only.
        threshold: the number of right models that makes a sample a shortcut; None for all models of
            the test that has most.

    Returns:
        The table's rows of the tests, in order, with one more column ``why``: a ``Why``, or null
        where the answer is there, was asked for in vain, or is still needed.
    """
    is_waiting = (pl.col("status") == Status.MISSING) & (pl.col("reason") == _NOT_ASKED)
    why = pl.coalesce(pl.when(pl.col("draw") > 0).then(pl.lit(Why.ANOTHER_DRAW.value)), _WHY)
    return (
        table.filter(pl.col("diagnostic").cast(pl.String).is_in(list(grid.tests)))
        .join(
            _explain(grid, threshold),
            on=[*SAMPLE_KEY, *SLOT_KEY],
            how="left",
            maintain_order="left",
        )
        .with_columns(pl.when(is_waiting).then(why).alias(_WHY))
    )


def _explain(grid: AnswerGrid, threshold: int | None) -> pl.DataFrame:
    """List sample, slot and reason of each cell whose answer changes nothing."""
    tests = tuple(grid.tests.values())
    tally = Tally(
        votes=np.where(
            grid.is_right, Vote.RIGHT, np.where(grid.may_be_right, Vote.OPEN, Vote.WRONG)
        ).astype(np.int8),
        tests=tests,
        threshold=threshold or max((each.stop - each.start for each in tests), default=1),
    )
    explained = [
        (Why.OUT_OF_REACH, find_out_of_reach(tally)),
        (Why.SHORTCUT, find_shortcuts(tally)),
        (Why.WRONG, tally.votes == Vote.WRONG),
    ]
    frames = []
    is_left = np.ones(tally.votes.shape, np.bool_)
    for why, marks in explained:
        cells = is_left & marks
        is_left &= ~marks
        rows, columns = np.nonzero(cells)
        slots = pl.DataFrame(
            {name: [getattr(slot, name) for slot in grid.slots] for name in SLOT_KEY},
            schema=dict.fromkeys(SLOT_KEY, pl.String),
        )
        frames.append(
            pl.concat(
                [grid.samples.select(SAMPLE_KEY)[columns], slots[rows]], how="horizontal"
            ).with_columns(pl.lit(why.value).alias(_WHY))
        )
    return pl.concat(frames)


def mark_not_needed(table: pl.DataFrame, left_out: pl.DataFrame) -> pl.DataFrame:
    """Give the answers that no verdict needs the reason ``not_needed`` instead of ``not_asked``.

    Args:
        table: the long table.
        left_out: what ``find_left_out`` returns for it.
    """
    key = [*SAMPLE_KEY, *SLOT_KEY, "part", "rotation", "draw"]
    unneeded = left_out.filter(pl.col(_WHY).is_not_null()).select(*key, _WHY)
    return (
        table.join(unneeded, on=key, how="left", maintain_order="left")
        .with_columns(
            reason=pl.when(pl.col(_WHY).is_null()).then("reason").otherwise(pl.lit(NOT_NEEDED))
        )
        .drop(_WHY)
    )


def count_savings(left_out: pl.DataFrame, *, fitted: Collection[str]) -> tuple[Saving, ...]:
    """Count calls by test: equal questions to one model, of several samples, are one call.

    A question that one of its samples still needs counts as neither asked nor left out.

    Args:
        left_out: what ``find_left_out`` returns.
        fitted: the models that answer without calls; they are not counted.
    """
    is_asked = pl.col("status") != Status.MISSING
    questions = (
        left_out.filter(pl.col("request") != "", ~pl.col("model").is_in(list(fitted)))
        .group_by("diagnostic", "model", "request", "draw", maintain_order=True)
        .agg(
            asked=is_asked.any(),
            why=pl.when(pl.col(_WHY).is_not_null().all()).then(pl.col(_WHY).first()),
        )
    )
    counts = questions.group_by("diagnostic", maintain_order=True).agg(
        n_questions=pl.len(),
        n_asked=pl.col("asked").sum(),
        **{why.value: (pl.col("why") == why.value).sum() for why in Why},
    )
    return tuple(Saving(**row) for row in counts.iter_rows(named=True))
