"""How often each judge accepts each model's answers, beside what the wording alone is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.grades.estimates import (
    NO_ESTIMATE,
    Estimate,
    average,
    estimate_shares,
    estimate_signed,
    measure_shares,
    split_signed,
)
from video_oasis.analysis.grades.grid import BLIND, GradeGrid
from video_oasis.schema import MAX_GRADE, GradeStatus, Status

_COUNTS: Final = {
    "n_answers": pl.len(),
    "n_answered": (pl.col("answer_status") == Status.OK.value).sum(),
    "n_answers_unparsed": (pl.col("answer_status") == Status.UNPARSED.value).sum(),
    "n_answers_refused": (pl.col("answer_status") == Status.REFUSED.value).sum(),
    "n_answers_failed": (pl.col("answer_status") == Status.ERROR.value).sum(),
    "n_answers_missing": (pl.col("answer_status") == Status.MISSING.value).sum(),
    "n_graded": (pl.col("status") == GradeStatus.OK.value).sum(),
    "n_grades_invalid": (pl.col("status") == GradeStatus.INVALID.value).sum(),
    "n_grades_failed": (pl.col("status") == GradeStatus.ERROR.value).sum(),
    "n_grades_missing": (pl.col("status") == GradeStatus.MISSING.value).sum(),
}
_SLOT: Final = ("diagnostic", "model", "judge")


@dataclass(frozen=True, slots=True)
class GradeAccuracyRow:
    """What one judge makes of one model's answers under one diagnostic, over one set of samples.

    A sample's draws are averaged first, so every sample counts the same. Only grades with status ok
    say anything about accuracy.

    Attributes:
        level: ``task``, ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        task: empty unless the level is ``task``.
        diagnostic: what the model was shown.
        model: the model that answered.
        judge: the judge.
        n_samples: samples with a grade.
        n_videos: their videos.
        n_answers: answers asked for, samples x draws; the sum of the next five, and of the four
            after those.
        n_answered: those with an answer.
        n_answers_unparsed: those whose answer has status unparsed.
        n_answers_refused: those with status refused.
        n_answers_failed: those with status error.
        n_answers_missing: those with status missing.
        n_graded: those whose grade has status ok.
        n_grades_invalid: those whose grade has status invalid.
        n_grades_failed: those with status error.
        n_grades_missing: those with status missing, also where there is no answer.
        accuracy: share that the judge accepts.
        score: mean score, 0 to ``MAX_GRADE``.
        text_only: the same model's and judge's accuracy under ``blind``; empty under ``blind``, as
            are the next two.
        n_text_only: samples graded under both.
        above_text_only: accuracy less that under ``blind``, over the samples graded under both.
    """

    level: str
    benchmark: str
    task: str
    diagnostic: str
    model: str
    judge: str
    n_samples: int
    n_videos: int
    n_answers: int
    n_answered: int
    n_answers_unparsed: int
    n_answers_refused: int
    n_answers_failed: int
    n_answers_missing: int
    n_graded: int
    n_grades_invalid: int
    n_grades_failed: int
    n_grades_missing: int
    accuracy: Estimate
    score: Estimate
    text_only: Estimate
    n_text_only: int
    above_text_only: Estimate


def measure_grade_accuracy(
    grid: GradeGrid, *, resampling: Resampling | None = None
) -> tuple[GradeAccuracyRow, ...]:
    """Measure every model under every diagnostic by every judge, at every level."""
    n_samples, n_answerers, _, n_judges = grid.correct.shape
    blind = {each.model: k for k, each in enumerate(grid.answerers) if each.diagnostic == BLIND}
    beside = [
        None if each.diagnostic == BLIND else blind.get(each.model) for each in grid.answerers
    ]
    correct, graded = average(grid.correct, axis=2)
    score, _ = average(grid.score, axis=2)
    has_text = np.array([k is not None for k in beside], dtype=bool)[:, None]
    text = np.array([0 if k is None else k for k in beside], dtype=np.intp)
    both = graded * graded[:, text] * has_text
    flat = (n_samples, n_answerers * n_judges)
    parts = {
        "correct": (correct.reshape(flat), graded.reshape(flat)),
        "score": (score.reshape(flat), graded.reshape(flat)),
        **split_signed(
            (correct - correct[:, text]).reshape(flat), both.reshape(flat), name="above_text"
        ),
    }
    counts = _count(grid.answers)
    rows = []
    for cell in measure_shares(grid, parts, resampling or Resampling()):
        accuracy = estimate_shares(cell["correct"])
        scores = estimate_shares(cell["score"], bound=MAX_GRADE)
        differences = estimate_signed(cell, "above_text")
        place = (cell.level.value, cell.benchmark, cell.task)
        for number, (answerer, judge) in enumerate(
            (answerer, judge) for answerer in range(n_answerers) for judge in range(n_judges)
        ):
            slot = (
                grid.answerers[answerer].diagnostic,
                grid.answerers[answerer].model,
                grid.judges[judge].name,
            )
            counted = counts.get((*place, *slot))
            if counted is None:
                continue
            text_only = beside[answerer]
            rows.append(
                GradeAccuracyRow(
                    *place,
                    *slot,
                    n_samples=int(cell["correct"].weights[number]),
                    n_videos=int(cell["correct"].n_videos[number]),
                    **counted,
                    accuracy=accuracy[number],
                    score=scores[number],
                    text_only=NO_ESTIMATE
                    if text_only is None
                    else accuracy[text_only * n_judges + judge],
                    n_text_only=int(cell["above_text_above"].weights[number]),
                    above_text_only=differences[number],
                )
            )
    return tuple(rows)


def _count(answers: pl.DataFrame) -> Mapping[tuple[str, ...], dict[str, Any]]:
    """Count rows by status, by level, benchmark, task, diagnostic, model and judge."""
    counted = {}
    for level, key in (
        (Level.TASK, ("benchmark", "task")),
        (Level.BENCHMARK, ("benchmark",)),
        (Level.POOLED, ()),
    ):
        for row in answers.group_by(*key, *_SLOT).agg(**_COUNTS).iter_rows(named=True):
            names = (row.get("benchmark", ""), row.get("task", ""), *(row[k] for k in _SLOT))
            counted[level.value, *names] = {name: row[name] for name in _COUNTS}
    return counted
