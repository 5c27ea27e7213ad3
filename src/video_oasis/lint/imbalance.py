"""Whether the right answers are spread evenly over positions and over texts."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np
from scipy.special import chdtrc

from video_oasis.holm import adjust_by_holm
from video_oasis.lint.bias import split_into_tasks
from video_oasis.schema import Sample

FEWEST_EXPECTED: Final = 5.0
"""Categories expected to be right less often than this are merged into one."""


class Aspect(StrEnum):
    """What the right answers are counted by."""

    POSITION = "position"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class Category:
    """One position or one text.

    Attributes:
        label: the position, from 1, or the text; None for all that are merged.
        n_offered: number of samples that offer it.
        n_right: number of samples in which it is right.
        n_expected: the same by chance: the sum, over the samples that offer it, of its share of
            their choices.
        z: (right - expected) / standard deviation by chance.
    """

    label: str | None
    n_offered: int
    n_right: int
    n_expected: float
    z: float


@dataclass(frozen=True, slots=True)
class ImbalanceRow:
    """The test of one aspect on one task.

    Attributes:
        benchmark: the benchmark.
        task: the task, or None for the whole benchmark.
        aspect: position or answer text.
        n: number of samples.
        categories: those tested, in the order of their deviation, largest first.
        chi_square: the statistic; None if the test does not apply.
        degrees_of_freedom: of the statistic; 0 if the test does not apply.
        p_value: None if the test does not apply.
        p_holm: the same after Holm's correction over all rows of the benchmark.
        not_tested: why the test does not apply; empty if it does.
    """

    benchmark: str
    task: str | None
    aspect: Aspect
    n: int
    categories: tuple[Category, ...] = ()
    chi_square: float | None = None
    degrees_of_freedom: int = 0
    p_value: float | None = None
    p_holm: float | None = None
    not_tested: str = ""


@dataclass(frozen=True, slots=True)
class _Offer:
    """The categories one sample offers, each with its chance of being right, and the right one."""

    chances: Mapping[str, float]
    right: str


def _positions(sample: Sample) -> _Offer:
    n = len(sample.choices)
    return _Offer({str(i + 1): 1 / n for i in range(n)}, str(sample.target + 1))


def _answers(sample: Sample) -> _Offer:
    chance = 1 / sample.n_answers
    return _Offer(dict.fromkeys(sample.choices, chance), sample.choices[sample.target])


_OFFERS: Final[Mapping[Aspect, Callable[[Sample], _Offer]]] = {
    Aspect.POSITION: _positions,
    Aspect.ANSWER: _answers,
}


def tabulate_imbalance(samples: Sequence[Sample]) -> list[ImbalanceRow]:
    """Test positions and texts of a benchmark as a whole and of each of its tasks.

    Pearson's chi-square in its general form, (right - expected) weighted by the inverse of their
    covariance, since samples of one task may offer different texts and numbers of choices; where
    all offer the same it is Pearson's own. Questions count as independent of each other.
    Categories that chance makes right less than 5 times are merged; where none is left, as in a
    task whose every question has its own choices, the test does not apply.

    Args:
        samples: the samples of one benchmark, at least one.
    """
    rows = [
        _test_task(task, aspect, task_samples)
        for task, task_samples in split_into_tasks(samples)
        for aspect in Aspect
    ]
    adjusted = adjust_by_holm([row.p_value for row in rows])
    return [replace(row, p_holm=p_holm) for row, p_holm in zip(rows, adjusted, strict=True)]


def _test_task(task: str | None, aspect: Aspect, samples: Sequence[Sample]) -> ImbalanceRow:
    offers = [_OFFERS[aspect](sample) for sample in samples]
    n_expected: dict[str, float] = defaultdict(float)
    for offer in offers:
        for label, chance in offer.chances.items():
            n_expected[label] += chance
    kept = sorted(label for label, number in n_expected.items() if number >= FEWEST_EXPECTED)
    columns: dict[str | None, int] = {label: column for column, label in enumerate(kept)}
    row = ImbalanceRow(benchmark=samples[0].benchmark, task=task, aspect=aspect, n=len(samples))
    if not kept:
        return replace(
            row, not_tested=f"no {aspect} is expected to be right {FEWEST_EXPECTED:g} times"
        )

    # The last column holds all that are merged.
    chances = np.zeros((len(offers), len(kept) + 1))
    for i, offer in enumerate(offers):
        for label, chance in offer.chances.items():
            chances[i, columns.get(label, -1)] += chance
    n_offered = np.count_nonzero(chances, axis=0)
    right_columns = [columns.get(offer.right, len(kept)) for offer in offers]
    n_right = np.bincount(right_columns, minlength=len(kept) + 1)
    expected = chances.sum(axis=0)
    deviations = n_right - expected
    covariance = np.diag(expected) - chances.T @ chances
    variances, directions = np.linalg.eigh(covariance)
    rounding = 1e-9 * len(offers)
    free = variances > rounding
    degrees_of_freedom = int(np.count_nonzero(free))
    if degrees_of_freedom == 0:
        return replace(row, not_tested="every sample offers a single category")
    chi_square = float(((deviations @ directions[:, free]) ** 2 / variances[free]).sum())

    spread = np.sqrt(covariance.diagonal().clip(min=rounding))
    categories = [
        Category(
            label=label,
            n_offered=int(n_offered[column]),
            n_right=int(n_right[column]),
            n_expected=float(expected[column]),
            z=float(deviations[column] / spread[column]),
        )
        for label, column in (columns | {None: len(kept)}).items()
        if n_offered[column]
    ]
    return replace(
        row,
        categories=tuple(sorted(categories, key=lambda category: -abs(category.z))),
        chi_square=chi_square,
        degrees_of_freedom=degrees_of_freedom,
        p_value=float(chdtrc(degrees_of_freedom, chi_square)),
    )
