"""How far two judges put the accuracy of the same answers apart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from statistics import fmean, stdev
from typing import Any

import numpy as np

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.grades.estimates import (
    Cell,
    Estimate,
    average,
    estimate_shares,
    estimate_signed,
    measure_shares,
    split_signed,
)
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.analysis.significance import mcnemar_test, score_test
from video_oasis.errors import SchemaError
from video_oasis.holm import adjust_by_holm
from video_oasis.schema import MAX_GRADE


@dataclass(frozen=True, slots=True)
class JudgeDifferenceRow:
    """Two judges of the answers that both graded, of one model under one diagnostic.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        diagnostic: what the model was shown.
        model: the model that answered.
        first: the first judge.
        second: the second judge.
        n_samples: samples with an answer that both graded; every number of the row is over these.
        n_videos: their videos.
        first_accuracy: share that the first accepts, a sample's draws averaged first.
        second_accuracy: share that the second accepts.
        difference: second_accuracy - first_accuracy.
        score_difference: mean score by the second less that by the first.
        n_first_accepts_more: samples of which the first accepts more answers.
        n_second_accepts_more: samples of which the second accepts more.
        p_value: the larger of two two-sided tests of the difference: the exact sign test, McNemar's
            where each sample has one answer, which takes samples as independent, and its form that
            is robust to shared videos, which needs many of them; None with fewer than two videos.
        p_holm: p_value corrected by Holm over all rows of the same level.
    """

    level: str
    benchmark: str
    diagnostic: str
    model: str
    first: str
    second: str
    n_samples: int
    n_videos: int
    first_accuracy: Estimate
    second_accuracy: Estimate
    difference: Estimate
    score_difference: Estimate
    n_first_accepts_more: int
    n_second_accepts_more: int
    p_value: float | None
    p_holm: float | None


@dataclass(frozen=True, slots=True)
class DifferenceSummary:
    """What two judges differ by over several results, each counting the same.

    Attributes:
        differences: the second's number less the first's, in the order given.
        mean: their mean; None if there are none.
        standard_deviation: of the sample (n - 1); None with fewer than two.
    """

    differences: tuple[float, ...]
    mean: float | None
    standard_deviation: float | None


@dataclass(frozen=True, slots=True)
class JudgeDifferenceSummary:
    """What two judges differ by over the (benchmark, diagnostic, model) cells that both graded.

    Attributes:
        first: the first judge.
        second: the second judge.
        summary: of their accuracies in these cells.
    """

    first: str
    second: str
    summary: DifferenceSummary


def summarise_differences(first: Sequence[float], second: Sequence[float]) -> DifferenceSummary:
    """Summarise what two judges' results differ by.

    Args:
        first: the first judge's results, in any unit.
        second: the second's of the same answers, in the same order.

    Raises:
        SchemaError: they are not as many.
    """
    if len(first) != len(second):
        raise SchemaError(
            f"{len(first)} results of the first judge and {len(second)} of the second; "
            f"expected one of each"
        )
    differences = tuple(b - a for a, b in zip(first, second, strict=True))
    return DifferenceSummary(
        differences=differences,
        mean=fmean(differences) if differences else None,
        standard_deviation=stdev(differences) if len(differences) > 1 else None,
    )


def compare_judges(
    grid: GradeGrid, *, reference: str | None = None, resampling: Resampling | None = None
) -> tuple[JudgeDifferenceRow, ...]:
    """Compare every two judges over each model's answers under each diagnostic.

    Args:
        grid: the grades.
        reference: the judge that is first in all of its pairs; by default the table's first. The
            other pairs stand in the table's order.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Returns:
        For each benchmark and pooled; pairs that share no graded answer are left out.

    Raises:
        SchemaError: there is no judge of the reference's name.
    """
    names = [judge.name for judge in grid.judges]
    if reference is not None and reference not in names:
        raise SchemaError(f"grade table: no judge {reference!r}; it has {', '.join(names)}")
    order = sorted(range(len(names)), key=lambda j: names[j] != reference)
    pairs = list(combinations(order, 2))
    if not pairs:
        return ()
    columns = [(k, *pair) for k in range(len(grid.answerers)) for pair in pairs]
    rows = [
        row
        for cell in measure_shares(grid, _list_parts(grid, pairs), resampling or Resampling())
        if cell.level is not Level.TASK
        for row in _read(grid, cell, columns)
    ]
    return _correct_by_level(rows)


def summarise_judges(rows: Sequence[JudgeDifferenceRow]) -> tuple[JudgeDifferenceSummary, ...]:
    """Summarise each pair of judges over the cells at benchmark level."""
    cells: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows:
        first, second = row.first_accuracy.value, row.second_accuracy.value
        if row.level == Level.BENCHMARK.value and first is not None and second is not None:
            cells.setdefault((row.first, row.second), []).append((first, second))
    return tuple(
        JudgeDifferenceSummary(
            *pair, summarise_differences([a for a, _ in each], [b for _, b in each])
        )
        for pair, each in cells.items()
    )


def _list_parts(
    grid: GradeGrid, pairs: Sequence[tuple[int, int]]
) -> dict[str, tuple[Floats, Floats]]:
    first, second = (list(numbers) for numbers in zip(*pairs, strict=True))
    flat = (len(grid.correct), -1)

    def compare(values: Floats) -> tuple[Floats, ...]:
        # NaN where either gives no grade, so that both are over the same answers.
        difference, both = average(values[..., second] - values[..., first], axis=2)
        ours, _ = average(values[..., first] + 0 * values[..., second], axis=2)
        return difference.reshape(flat), both.reshape(flat), ours.reshape(flat)

    difference, both, ours = compare(grid.correct)
    score_difference, _, _ = compare(grid.score)
    return {
        "first": (ours, both),
        "second": (ours + difference, both),
        **split_signed(difference, both, name="correct"),
        **split_signed(score_difference, both, name="score"),
        "difference": (difference, both),
        "first_more": ((difference < 0).astype(np.float64), both),
        "second_more": ((difference > 0).astype(np.float64), both),
    }


def _read(
    grid: GradeGrid, cell: Cell, columns: Sequence[tuple[int, int, int]]
) -> list[JudgeDifferenceRow]:
    first, second = estimate_shares(cell["first"]), estimate_shares(cell["second"])
    difference = estimate_signed(cell, "correct")
    score_difference = estimate_signed(cell, "score", bound=MAX_GRADE)
    signed = cell["difference"]
    n_first, n_second = cell["first_more"].totals, cell["second_more"].totals
    p_values = np.maximum(
        2 * score_test(np.abs(signed.totals), signed.squares, signed.n_videos),
        mcnemar_test(n_first, n_second),
    )
    return [
        JudgeDifferenceRow(
            level=cell.level.value,
            benchmark=cell.benchmark,
            diagnostic=grid.answerers[answerer].diagnostic,
            model=grid.answerers[answerer].model,
            first=grid.judges[one].name,
            second=grid.judges[other].name,
            n_samples=int(signed.weights[k]),
            n_videos=int(signed.n_videos[k]),
            first_accuracy=first[k],
            second_accuracy=second[k],
            difference=difference[k],
            score_difference=score_difference[k],
            n_first_accepts_more=int(n_first[k]),
            n_second_accepts_more=int(n_second[k]),
            p_value=None if np.isnan(p_values[k]) else float(p_values[k]),
            p_holm=None,
        )
        for k, (answerer, one, other) in enumerate(columns)
        if signed.weights[k] > 0
    ]


def _correct_by_level(rows: Sequence[JudgeDifferenceRow]) -> tuple[JudgeDifferenceRow, ...]:
    def name_level(row: Any) -> str:
        return str(row.level)

    corrected: list[JudgeDifferenceRow] = []
    # Rows come benchmark by benchmark and then pooled, so those of a level stand together.
    for _, group in groupby(rows, key=name_level):
        of_level = list(group)
        corrected.extend(
            replace(row, p_holm=p)
            for row, p in zip(
                of_level, adjust_by_holm([row.p_value for row in of_level]), strict=True
            )
        )
    return tuple(corrected)
