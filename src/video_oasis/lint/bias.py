"""The text-bias table: what rules that never see the video score, beside chance."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from video_oasis.holm import adjust_by_holm
from video_oasis.lint.intervals import score_mean
from video_oasis.lint.wording import tokens
from video_oasis.schema import OpenQuestion, Sample

Row = TypeVar("Row", Sample, OpenQuestion)


class Rule(StrEnum):
    """A rule that picks a choice from the text alone."""

    TOP_ANSWER = "top_answer"
    """The one text that is right most often, counted on the same questions, as published tables
    do ("3" is right in 90 of 200). It is wrong where it is not offered."""
    ANSWER_ELSEWHERE = "answer_elsewhere"
    """Of the choices offered, the text that is right most often in questions on other videos."""
    TOP_POSITION = "top_position"
    """The one position that is right most often, counted on the same questions."""
    POSITION_ELSEWHERE = "position_elsewhere"
    """The position that is right most often in questions on other videos."""
    LONGEST = "longest"
    """The choice of most characters."""
    SHORTEST = "shortest"
    """The choice of fewest characters."""
    QUESTION_OVERLAP = "question_overlap"
    """The choice that shares most different words with the question."""


@dataclass(frozen=True, slots=True)
class Scores:
    """What one rule scores on the questions of one task.

    Attributes:
        by_sample: one score for each sample: 1 or 0, or a fraction where the rule ties.
        pick: what the rule picks, if it is one thing for the whole task.
        n_candidates: how many picks it was chosen from for doing best on these very samples.
    """

    by_sample: Sequence[float]
    pick: str = ""
    n_candidates: int = 1


@dataclass(frozen=True, slots=True)
class BiasRow:
    """One rule on one task.

    Attributes:
        benchmark: the benchmark.
        task: the task, or None for the whole benchmark taken as one task.
        rule: the rule.
        pick: for ``top_answer`` and ``top_position``, what it always picks; else empty.
        n: number of samples.
        n_videos: number of videos they are about.
        n_right: sum of the scores, ties counted as fractions.
        score: mean score.
        low: lower end of its 95 % interval (``intervals.score_mean``).
        high: upper end.
        chance: mean over the samples of 1 / number of choices, as the field reports it.
        exceeds_chance: whether the lower end is above chance.
        p_value: one-sided p-value against chance.
        p_holm: the same after Holm's correction over all rows of the benchmark.
    """

    benchmark: str
    task: str | None
    rule: Rule
    pick: str
    n: int
    n_videos: int
    n_right: float
    score: float
    low: float
    high: float
    chance: float
    exceeds_chance: bool
    p_value: float
    p_holm: float

    @property
    def excess(self) -> float:
        """Score above chance."""
        return self.score - self.chance


def share_if_best(values: Mapping[str, float], target: str) -> float:
    """Score picking the answer of the highest value, with ties broken at random.

    Returns:
        1 / (number of answers that share the highest value) if the target is one of them, else 0.
    """
    highest = max(values.values())
    if values[target] < highest:
        return 0.0
    return 1 / sum(value == highest for value in values.values())


def _by_value(value: Callable[[Sample, str], float]) -> Callable[[Sequence[Sample]], Scores]:
    def score(samples: Sequence[Sample]) -> Scores:
        return Scores(
            [
                share_if_best(
                    {choice: value(sample, choice) for choice in sample.choices}, _answer(sample)
                )
                for sample in samples
            ]
        )

    return score


def _answer(sample: Sample) -> str:
    return sample.choices[sample.target]


def _top_answer(samples: Sequence[Sample]) -> Scores:
    n_right = Counter(_answer(sample) for sample in samples)
    top = min(n_right, key=lambda text: (-n_right[text], text))
    offered = {choice for sample in samples for choice in sample.choices}
    return Scores([float(_answer(sample) == top) for sample in samples], top, len(offered))


def _right_positions(sample: Sample) -> list[int]:
    return [index for index in range(len(sample.choices)) if sample.is_correct(index)]


def _top_position(samples: Sequence[Sample]) -> Scores:
    n_right = Counter(index for sample in samples for index in _right_positions(sample))
    top = min(n_right, key=lambda index: (-n_right[index], index))
    n_positions = max(len(sample.choices) for sample in samples)
    scores = [float(top in _right_positions(sample)) for sample in samples]
    return Scores(scores, f"position {top + 1}", n_positions)


def _answer_elsewhere(samples: Sequence[Sample]) -> Scores:
    everywhere = Counter(_answer(sample) for sample in samples)
    by_video: dict[str, Counter[str]] = defaultdict(Counter)
    for sample in samples:
        by_video[sample.video.path][_answer(sample)] += 1

    def n_right_elsewhere(sample: Sample, choice: str) -> float:
        return everywhere[choice] - by_video[sample.video.path][choice]

    return _by_value(n_right_elsewhere)(samples)


def _position_elsewhere(samples: Sequence[Sample]) -> Scores:
    everywhere = Counter(sample.target for sample in samples)
    by_video: dict[str, Counter[int]] = defaultdict(Counter)
    for sample in samples:
        by_video[sample.video.path][sample.target] += 1
    scores = []
    for sample in samples:
        here = by_video[sample.video.path]
        values = [everywhere[index] - here[index] for index in range(len(sample.choices))]
        best = [index for index, value in enumerate(values) if value == max(values)]
        scores.append(sum(sample.is_correct(index) for index in best) / len(best))
    return Scores(scores)


def _question_overlap(samples: Sequence[Sample]) -> Scores:
    scores = []
    for sample in samples:
        question = set(tokens(sample.question))
        shared = {choice: len(question.intersection(tokens(choice))) for choice in sample.choices}
        scores.append(share_if_best(shared, _answer(sample)))
    return Scores(scores)


RULES: Final[Mapping[Rule, Callable[[Sequence[Sample]], Scores]]] = {
    Rule.TOP_ANSWER: _top_answer,
    Rule.ANSWER_ELSEWHERE: _answer_elsewhere,
    Rule.TOP_POSITION: _top_position,
    Rule.POSITION_ELSEWHERE: _position_elsewhere,
    Rule.LONGEST: _by_value(lambda _, choice: len(choice)),
    Rule.SHORTEST: _by_value(lambda _, choice: -len(choice)),
    Rule.QUESTION_OVERLAP: _question_overlap,
}
"""Each rule as a function from the samples of one task to their scores."""


def split_into_tasks(rows: Sequence[Row]) -> Iterator[tuple[str | None, list[Row]]]:
    """Give all rows of a benchmark as one task named None, then those of each task.

    A benchmark of a single task is given once, as a whole.
    """
    yield None, list(rows)
    tasks = defaultdict(list)
    for row in rows:
        tasks[row.task].append(row)
    if len(tasks) > 1:
        yield from sorted(tasks.items())


def number_videos(rows: Sequence[Row]) -> npt.NDArray[np.int64]:
    """Give the video of each row as a number, in order of first appearance."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(row.video.path, len(numbers)) for row in rows], np.int64)


def tabulate_bias(samples: Sequence[Sample]) -> list[BiasRow]:
    """Score every rule on a benchmark as a whole and on each of its tasks.

    Choices of equal text are one answer. Rules that tie score the share of the tied answers that is
    right.

    Args:
        samples: the samples of one benchmark, at least one.
    """
    rows = [
        _score_rule(rule, task, task_samples)
        for task, task_samples in split_into_tasks(samples)
        for rule in RULES
    ]
    adjusted = adjust_by_holm([row.p_value for row in rows])
    return [replace(row, p_holm=p_holm) for row, p_holm in zip(rows, adjusted, strict=True)]


def _score_rule(rule: Rule, task: str | None, samples: Sequence[Sample]) -> BiasRow:
    scores = RULES[rule](samples)
    videos = number_videos(samples)
    chance = math.fsum(sample.chance for sample in samples) / len(samples)
    mean = score_mean(
        np.array(scores.by_sample, dtype=np.float64),
        videos,
        chance=chance,
        n_candidates=scores.n_candidates,
    )
    return BiasRow(
        benchmark=samples[0].benchmark,
        task=task,
        rule=rule,
        pick=scores.pick,
        n=len(samples),
        n_videos=int(videos.max()) + 1,
        n_right=math.fsum(scores.by_sample),
        score=mean.mean,
        low=mean.low,
        high=mean.high,
        chance=chance,
        exceeds_chance=mean.low > chance,
        p_value=mean.p_value,
        p_holm=mean.p_value,
    )
