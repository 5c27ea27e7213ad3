"""Reads off an audit's answers what each of its tests and ambiguity checks finds."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.ambiguity import CONSISTENCY, REDUNDANCY, SENSITIVITY, find_ambiguous
from video_oasis.analysis.bootstrap import Floats
from video_oasis.analysis.calibration.rows import Planted
from video_oasis.analysis.consensus import UNION, count_ballot, count_models, null_shares
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid
from video_oasis.schema import Status

_CHUNK: Final = "chunk"
_WORDING: Final = "blind"
"""The test that shows the wording alone, which every other test shows too."""


@dataclass(frozen=True, slots=True)
class Detector:
    """A detector's findings on S samples; each array has one element for each.

    Attributes:
        name: a test, ``any`` for the union of tests, or an ambiguity check.
        threshold: the right models that make a sample a shortcut; 0 for a check.
        n_models: models of the test, of the largest for the union; 0 for a check.
        applies: whether it applies to the sample.
        known: whether its verdict is known.
        found: whether it is known to find the sample.
        null: the share of choices with which it would; NaN if that cannot be told.
        should: whether it should.
        should_not: whether it should not; some samples are neither.
        judged: whether the sample counts when all kinds are taken together.
    """

    name: str
    threshold: int
    n_models: int
    applies: NDArray[np.bool_]
    known: NDArray[np.bool_]
    found: NDArray[np.bool_]
    null: Floats
    should: NDArray[np.bool_]
    should_not: NDArray[np.bool_]
    judged: NDArray[np.bool_]

    @property
    def roles(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """What it should find, and what it should not."""
        return self.should, self.should_not


def list_tests(grid: AnswerGrid, planted: Sequence[Planted]) -> Iterator[Detector]:
    """List every test of a grid at every threshold, and last their union.

    Args:
        grid: the answers to the tests.
        planted: what was planted in its samples.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    ballot = count_ballot(grid)
    nulls = null_shares(grid, slice(None), ballot)
    should = _mark(planted, grid.tests, lambda each: each.solved_by)
    should_not = ~(should | _mark(planted, grid.tests, lambda each: each.may_solve))
    sound = np.array([not each.is_defective for each in planted])
    worded = np.array([_WORDING in each.solved_by for each in planted])
    for number, (test, n_models) in enumerate(count_models(grid).items()):
        for threshold in range(1, n_models + 1):
            known = ballot.known(threshold)[number]
            yield Detector(
                name=test,
                threshold=threshold,
                n_models=n_models,
                applies=ballot.applies[number],
                known=known,
                found=known & ballot.shortcut(threshold)[number],
                null=nulls[threshold - 1, number],
                should=should[number],
                should_not=should_not[number],
                judged=sound if test in (_WORDING, UNION) else sound & ~worded,
            )


def _mark(
    planted: Sequence[Planted], tests: Collection[str], name: Callable[[Planted], Collection[str]]
) -> NDArray[np.bool_]:
    """Mark where a sample names a test, and last where it names any: (T + 1) x S."""
    marks = np.array([[test in name(each) for each in planted] for test in tests])
    return np.concatenate([marks, marks.any(axis=0, keepdims=True)])


def list_checks(
    grid: AnswerGrid,
    table: pl.DataFrame,
    planted: Sequence[Planted],
    *,
    tests: Collection[str],
    threshold: int,
    is_strict: bool,
    native: NDArray[np.bool_],
) -> Iterator[Detector]:
    """List the ambiguity checks that apply to any sample.

    Args:
        grid: the answers.
        table: the long table that they come from.
        planted: what was planted in the samples.
        tests: the diagnostics whose shortcuts are dropped.
        threshold: the right models that make a sample a shortcut.
        is_strict: whether consistency flags only samples on which all models differ.
        native: the samples that no test and no check should find.

    Raises:
        SchemaError: a test makes several requests of one sample or was not asked.
    """
    ambiguous = find_ambiguous(grid, table, tests=tests, threshold=threshold, strict=is_strict)
    for check in (CONSISTENCY, REDUNDANCY, SENSITIVITY):
        found = grid.samples.select(SAMPLE_KEY).join(
            ambiguous.filter(pl.col("check") == check).select(
                *SAMPLE_KEY, "is_flagged", applies=pl.lit(value=True)
            ),
            on=SAMPLE_KEY,
            how="left",
            maintain_order="left",
        )
        applies = found["applies"].fill_null(value=False).to_numpy()
        if applies.any():
            should = np.array([check in each.flagged_by for each in planted])
            yield Detector(
                name=check,
                threshold=0,
                n_models=0,
                applies=applies,
                known=found["is_flagged"].is_not_null().to_numpy(),
                found=found["is_flagged"].fill_null(value=False).to_numpy(),
                null=_share_redundant(grid, table)
                if check == REDUNDANCY
                else np.full(len(planted), np.nan),
                should=should,
                should_not=~should,
                judged=should | native,
            )


def _share_redundant(grid: AnswerGrid, table: pl.DataFrame) -> Floats:
    """Return the share of choices that some model picks on every chunk of the sample."""
    steady = (
        table.lazy()
        .filter(pl.col("diagnostic") == _CHUNK, pl.col("draw") == 0)
        .group_by(*SAMPLE_KEY, "model")
        .agg(
            pl.col("prediction").first(),
            is_steady=(pl.col("status") == Status.OK.value).all()
            & (pl.col("prediction").n_unique() == 1),
        )
        .filter("is_steady")
        .group_by(pl.col(SAMPLE_KEY).cast(pl.String))
        .agg(n_picked=pl.col("prediction").n_unique())
        .collect()
    )
    joined = grid.samples.join(steady, on=SAMPLE_KEY, how="left", maintain_order="left")
    shares: Floats = (joined["n_picked"].fill_null(0) / joined["n_choices"]).to_numpy()
    return shares
