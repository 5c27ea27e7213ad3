"""Finds single numbers of an evaluation, and the order to show its models in."""

from collections.abc import Sequence

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import Findings, SetFindings
from video_oasis.analysis.model_pairs import ModelPairRow
from video_oasis.report.evaluation.document import EvaluationReport

Change = tuple[float | None, float | None, float | None, float | None]
"""A difference of accuracies, the ends of its interval, and its corrected p value."""


def find_accuracy(
    findings: Findings, label: str, level: Level, benchmark: str = ""
) -> AccuracyRow | None:
    """Return the accuracy of a model at a level; None where it was asked nothing there."""
    return next(
        (
            row
            for row in findings.accuracy
            if (row.model, row.level, row.benchmark) == (label, level, benchmark)
        ),
        None,
    )


def list_labels(report: EvaluationReport) -> list[str]:
    """List the contenders by their pooled accuracy on the last set, the best first."""

    def key(label: str) -> tuple[float, str]:
        row = find_accuracy(report.findings[-1].whole, label, Level.POOLED)
        return (-row.accuracy if row and row.accuracy is not None else 1.0, label)

    return sorted((contender.label for contender in report.contenders), key=key)


def list_benchmarks(findings: SetFindings) -> list[str]:
    """List the benchmarks of a set."""
    rows = findings.whole.accuracy
    return list(dict.fromkeys(row.benchmark for row in rows if row.level == Level.BENCHMARK))


def list_places(report: EvaluationReport, findings: SetFindings) -> list[Findings]:
    """List the groups of the first grouping of the user's own, and the whole set last."""
    groups = findings.of_grouping(report.main_grouping) if report.main_grouping else ()
    return [*groups, findings.whole]


def name_places(report: EvaluationReport, places: Sequence[Findings]) -> list[str]:
    """Name the places that ``list_places`` lists, as the heads of columns."""
    return [*(each.group or f"no {report.main_grouping}" for each in places[:-1]), "overall"]


def find_change(findings: SetFindings, to: str, start: str) -> Change | None:
    """Return how much better one model is than another, pooled; None if they share no sample."""
    for row in findings.pairs:
        if row.level != Level.POOLED:
            continue
        if (row.first, row.second) == (to, start):
            return row.difference, row.difference_low, row.difference_high, row.p_holm
        if (row.first, row.second) == (start, to):
            return _turn(row)
    return None


def _turn(row: ModelPairRow) -> Change:
    low, high = row.difference_high, row.difference_low
    return (
        _negate(row.difference),
        _negate(low),
        _negate(high),
        row.p_holm,
    )


def _negate(value: float | None) -> float | None:
    return None if value is None else 0.0 - value  # never a negative zero
