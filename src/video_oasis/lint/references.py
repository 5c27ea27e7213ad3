"""The table of reference answers: how often the most frequent one is right in each task."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from video_oasis.lint.bias import number_videos, split_into_tasks
from video_oasis.lint.intervals import score_mean
from video_oasis.lint.wording import answer_tokens
from video_oasis.schema import OpenQuestion

_Value = TypeVar("_Value", str, tuple[str, ...])


@dataclass(frozen=True, slots=True)
class ReferenceRow:
    """The most frequent reference of one task of open questions.

    Attributes:
        benchmark: the benchmark.
        task: the task, or None for the whole benchmark taken as one task.
        reference: the reference that most questions have, case, punctuation and articles aside, in
            its most frequent spelling.
        n: number of open questions.
        n_videos: number of videos they are about.
        n_references: number of different references.
        n_right: number of questions that have the most frequent one.
        score: share of them: what always giving this answer scores.
        low: lower end of its 95 % interval (``intervals.score_mean``), corrected for the reference
            having been picked on these very questions.
        high: upper end.
    """

    benchmark: str
    task: str | None
    reference: str
    n: int
    n_videos: int
    n_references: int
    n_right: int
    score: float
    low: float
    high: float


def tabulate_references(questions: Sequence[OpenQuestion]) -> list[ReferenceRow]:
    """Find the most frequent reference of a benchmark as a whole and of each of its tasks.

    Args:
        questions: the open questions of one benchmark, at least one.
    """
    return [_row(task, of_task) for task, of_task in split_into_tasks(questions)]


def _row(task: str | None, questions: Sequence[OpenQuestion]) -> ReferenceRow:
    references = [answer_tokens(question.reference) for question in questions]
    counts = Counter(references)
    top = _most_frequent(counts)
    spellings = Counter(
        question.reference
        for question, reference in zip(questions, references, strict=True)
        if reference == top
    )
    videos = number_videos(questions)
    score = score_mean(
        np.array([reference == top for reference in references], np.float64),
        videos,
        chance=0.0,
        n_candidates=len(counts),
    )
    return ReferenceRow(
        benchmark=questions[0].benchmark,
        task=task,
        reference=_most_frequent(spellings),
        n=len(questions),
        n_videos=int(videos.max()) + 1,
        n_references=len(counts),
        n_right=counts[top],
        score=score.mean,
        low=score.low,
        high=score.high,
    )


def _most_frequent(counts: Counter[_Value]) -> _Value:
    """Return the value of the highest count, of several the first in order."""
    return min(counts, key=lambda value: (-counts[value], value))
