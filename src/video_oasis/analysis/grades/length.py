"""Whether a judge favours long answers."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.grades.estimates import (
    NO_ESTIMATE,
    Cell,
    Estimate,
    Parts,
    differ,
    estimate,
    estimate_signed,
    measure_pooled,
    split_signed,
)
from video_oasis.analysis.grades.grid import PROBES, GradeGrid
from video_oasis.analysis.grades.ranks import correlate_ranks
from video_oasis.analysis.grades.verdicts import Verdicts, list_verdicts
from video_oasis.schema import Probe

_PADDINGS: Final = {
    "wrong": (PROBES.index(Probe.SWAPPED), PROBES.index(Probe.SWAPPED_PADDED)),
    "right": (PROBES.index(Probe.ECHO), PROBES.index(Probe.ECHO_PADDED)),
}


@dataclass(frozen=True, slots=True)
class LengthRow:
    """What one judge's grades have to do with the number of words of an answer.

    Correlations are over models' answers, each distinct answer to a question once. They say what
    goes with length, which may well be that longer answers are better; padding is what length
    alone does to the judge.

    Attributes:
        judge: the judge.
        n_answers: distinct answers it graded.
        n_questions: questions with two such answers or more.
        n_compared: their answers.
        within_correct: correlation of the rank of an answer's length among the answers to its
            question with the rank of being accepted among them, pooled over questions; empty where
            either never differs.
        within_score: the same with the rank of the score.
        across_correct: Spearman's correlation of length with being accepted over all answers,
            which also tells questions apart.
        across_score: the same with the score.
        n_wrong_padded: samples of which it graded a wrong answer both bare and padded.
        wrong_padded: share it accepts of those padded less that of the bare.
        n_right_padded: samples of which it graded the reference both bare and padded.
        right_padded: share it accepts of those padded less that of the bare.
    """

    judge: str
    n_answers: int
    n_questions: int
    n_compared: int
    within_correct: Estimate
    within_score: Estimate
    across_correct: Estimate
    across_score: Estimate
    n_wrong_padded: int
    wrong_padded: Estimate
    n_right_padded: int
    right_padded: Estimate


def measure_length(
    grid: GradeGrid, *, resampling: Resampling | None = None
) -> tuple[LengthRow, ...]:
    """Measure every judge."""
    resampling = resampling or Resampling()
    verdicts = list_verdicts(grid, by_sample=True)
    answers = verdicts.samples.select(
        question="at_sample",
        video=pl.struct("benchmark", "video").rank("dense"),
        words=pl.col("answer").str.count_matches(r"\S+").cast(pl.Float64),
    )
    parts = _list_parts(answers, verdicts)
    within = measure_pooled(verdicts, parts, resampling)
    padded = measure_pooled(grid, _list_paddings(grid), resampling)
    rows = []
    for j, judge in enumerate(grid.judges):
        graded = ~np.isnan(verdicts.correct[:, j])
        compared = answers.filter(parts["words"][1][:, j] > 0)
        across = [
            correlate_ranks(
                answers["words"].to_numpy()[graded],
                values[graded, j],
                answers["video"].to_numpy()[graded],
                resampling=resampling,
                name=judge.name,
            )
            for values in (verdicts.correct, verdicts.score)
        ]
        rows.append(
            LengthRow(
                judge=judge.name,
                n_answers=int(graded.sum()),
                n_questions=compared["question"].n_unique(),
                n_compared=compared.height,
                within_correct=_correlate_within(within, "correct", j),
                within_score=_correlate_within(within, "score", j),
                across_correct=across[0],
                across_score=across[1],
                n_wrong_padded=_count_padded(padded, "wrong", j),
                wrong_padded=_read_padded(padded, "wrong", j),
                n_right_padded=_count_padded(padded, "right", j),
                right_padded=_read_padded(padded, "right", j),
            )
        )
    return tuple(rows)


def _list_parts(answers: pl.DataFrame, verdicts: Verdicts) -> Parts:
    """Return the products of ranks within questions, whose sums make correlations."""
    shape = verdicts.correct.shape
    words, correct, score, compared = (np.zeros(shape) for _ in range(4))
    for j in range(shape[1]):
        graded = ~np.isnan(verdicts.correct[:, j])
        ranked = (
            answers.select("question", "words")
            .with_columns(
                correct=pl.Series(verdicts.correct[:, j]), score=pl.Series(verdicts.score[:, j])
            )
            .filter(graded)
            .select(
                # Ranks about 0, as shares: an answer counts the same however many there are.
                *(
                    ((pl.col(name).rank("average") - (pl.len() + 1) / 2) / pl.len()).over(
                        "question"
                    )
                    for name in ("words", "correct", "score")
                ),
                compared=(pl.len() > 1).over("question"),
            )
        )
        for array, name in zip(
            (words, correct, score, compared),
            ("words", "correct", "score", "compared"),
            strict=True,
        ):
            array[graded, j] = ranked[name].cast(pl.Float64).to_numpy()
    return {
        "words": (words**2, compared),
        "correct": (correct**2, compared),
        "score": (score**2, compared),
        "words_correct": (words * correct, compared),
        "words_score": (words * score, compared),
    }


def _correlate_within(cell: Cell | None, name: str, judge: int) -> Estimate:
    if cell is None:
        return NO_ESTIMATE
    joint, words, grades = cell[f"words_{name}"], cell["words"], cell[name]

    def correlate(joint: Floats, words: Floats, grades: Floats) -> Floats:
        product = words * grades
        return np.divide(
            joint, np.sqrt(product), out=np.full_like(joint, np.nan), where=product > 0
        )

    resampled = correlate(joint.replicates, words.replicates, grades.replicates)
    return estimate(
        correlate(joint.values, words.values, grades.values),
        resampled,
        joint.can_resample & differ(resampled),
        joint.confidence,
    )[judge]


def _list_paddings(grid: GradeGrid) -> Parts:
    parts: dict[str, tuple[Floats, Floats]] = {}
    for name, (bare, padded) in _PADDINGS.items():
        difference = grid.accepted[:, padded] - grid.accepted[:, bare]
        both = (~np.isnan(difference)).astype(np.float64)
        parts |= split_signed(np.nan_to_num(difference), both, name=name)
    return parts


def _count_padded(cell: Cell | None, name: str, judge: int) -> int:
    return 0 if cell is None else int(cell[f"{name}_above"].weights[judge])


def _read_padded(cell: Cell | None, name: str, judge: int) -> Estimate:
    return NO_ESTIMATE if cell is None else estimate_signed(cell, name)[judge]
