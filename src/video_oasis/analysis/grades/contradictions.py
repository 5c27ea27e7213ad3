"""Grades of models whose verdict and score contradict each other."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades.estimates import Estimate, estimate_shares, measure_pooled
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.analysis.grades.verdicts import list_verdicts
from video_oasis.schema import MAX_GRADE

HIGH_SCORE: Final = 4.0
"""No answer that is rejected should have this score or a higher one."""
LOW_SCORE: Final = 1.0
"""No answer that is accepted should have this score or a lower one."""


@dataclass(frozen=True, slots=True)
class ContradictionRow:
    """How often one judge that is a model contradicts itself.

    It is counted over the distinct pairs of models' answers that the judge graded.

    Attributes:
        judge: the judge.
        n_pairs: the pairs.
        n_videos: the videos they lie with.
        n_rejected_high: those rejected with a score of ``HIGH_SCORE`` or more.
        n_accepted_low: those accepted with a score of ``LOW_SCORE`` or less.
        n_rejected_highest: of the former, those with the highest score there is.
        n_accepted_lowest: of the latter, those with 0.
        share: of the pairs, those that contradict themselves either way.
    """

    judge: str
    n_pairs: int
    n_videos: int
    n_rejected_high: int
    n_accepted_low: int
    n_rejected_highest: int
    n_accepted_lowest: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One grade that contradicts itself.

    Attributes:
        judge: who gave it.
        benchmark: of the first sample with the pair.
        sample_id: likewise.
        pair: the pair.
        reference: the published answer.
        answer: the answer graded.
        correct: whether the judge accepts it.
        score: the score it gives.
    """

    judge: str
    benchmark: str
    sample_id: str
    pair: str
    reference: str
    answer: str
    correct: bool
    score: float


def find_contradictions(
    grid: GradeGrid, *, resampling: Resampling | None = None
) -> tuple[tuple[ContradictionRow, ...], tuple[Contradiction, ...]]:
    """Count the contradictions of each judge that is a model, and list them judge by judge.

    Rules are left out: their verdict follows from their score.

    Returns:
        A row for each judge that is a model and graded any answer, and all contradictions of these.
    """
    verdicts = list_verdicts(grid)
    score = verdicts.score
    is_model = np.array([judge.is_model for judge in grid.judges], dtype=np.bool_)
    accepts, rejects = is_model & (verdicts.correct == 1), is_model & (verdicts.correct == 0)
    graded = accepts | rejects
    rejected_high = rejects & (score >= HIGH_SCORE)
    accepted_low = accepts & (score <= LOW_SCORE)
    contradicts = rejected_high | accepted_low
    cell = measure_pooled(
        verdicts,
        {"share": (contradicts.astype(np.float64), graded.astype(np.float64))},
        resampling or Resampling(),
    )
    if cell is None:
        return (), ()
    shares = estimate_shares(cell["share"])
    rows = tuple(
        ContradictionRow(
            judge=judge.name,
            n_pairs=int(graded[:, j].sum()),
            n_videos=int(cell["share"].n_videos[j]),
            n_rejected_high=int(rejected_high[:, j].sum()),
            n_accepted_low=int(accepted_low[:, j].sum()),
            n_rejected_highest=int((rejects[:, j] & (score[:, j] == MAX_GRADE)).sum()),
            n_accepted_lowest=int((accepts[:, j] & (score[:, j] == 0)).sum()),
            share=shares[j],
        )
        for j, judge in enumerate(grid.judges)
        if graded[:, j].any()
    )
    answers = verdicts.samples.select("benchmark", "sample_id", "pair", "reference", "answer")
    examples = tuple(
        Contradiction(
            judge=grid.judges[j].name,
            **answers.row(unit, named=True),
            correct=bool(accepts[unit, j]),
            score=float(score[unit, j]),
        )
        for j, unit in np.argwhere(contradicts.T).tolist()
    )
    return rows, examples
