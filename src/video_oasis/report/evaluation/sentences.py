"""What an evaluation comes to, in words, and what to mind when reading it."""

from collections.abc import Iterator

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import SetFindings
from video_oasis.analysis.gap import GapRow
from video_oasis.report.evaluation.document import EvaluationReport, SetRecord
from video_oasis.report.evaluation.lookup import find_accuracy, find_change, list_labels
from video_oasis.report.numbers import (
    write_change,
    write_count,
    write_estimate,
    write_percent,
    write_several,
)

_ALPHA = 0.05


def write_verdict(report: EvaluationReport) -> list[str]:
    """Say who is best, who is no better than guessing, and what is lost from set to set."""
    return [
        sentence
        for write in (_write_best, _write_guessers, _write_gaps, _write_reproduction)
        for sentence in write(report)
    ]


def write_caveats(report: EvaluationReport) -> list[str]:
    """Say what makes numbers hard to compare."""
    return [
        caveat
        for record, findings in zip(report.sets, report.findings, strict=True)
        for caveat in (
            *_write_voters(record),
            *_write_absent(record),
            *_write_uncovered(report, record, findings),
        )
    ]


def _list_pooled(report: EvaluationReport, findings: SetFindings) -> list[AccuracyRow]:
    rows = (find_accuracy(findings.whole, label, Level.POOLED) for label in list_labels(report))
    return [row for row in rows if row is not None and row.accuracy is not None]


def _write_best(report: EvaluationReport) -> Iterator[str]:
    findings = report.findings[-1]
    rows = _list_pooled(report, findings)
    if not rows:
        yield f"No answer about the {findings.name} set could be read."
        return
    best, *others = rows
    yield (
        f"Best on {findings.name}: {best.model} with {_write_accuracy(best)} (chance "
        f"{write_percent(best.chance)} %)."
    )
    even = [other.model for other in others if not _is_surpassed(findings, best.model, other.model)]
    if others:
        yield (
            f"Not told apart from it: {', '.join(even)}."
            if even
            else "It is ahead of every other one beyond doubt."
        )


def _is_surpassed(findings: SetFindings, best: str, other: str) -> bool:
    change = find_change(findings, best, other)
    if change is None or change[0] is None or change[3] is None:
        return False
    return change[0] > 0 and change[3] < _ALPHA


def _write_guessers(report: EvaluationReport) -> Iterator[str]:
    findings = report.findings[-1]
    guessing = [row.model for row in _list_pooled(report, findings) if row.above_chance is False]
    if guessing:
        yield f"Not above chance on {findings.name}: {', '.join(guessing)}."


def _write_gaps(report: EvaluationReport) -> Iterator[str]:
    for name, rows in report.gaps.items():
        gaps = sorted(
            (row for row in rows if row.level == Level.POOLED and row.gap is not None),
            key=lambda row: row.gap or 0.0,
        )
        if gaps:
            ends = {row.model: row for row in (gaps[0], gaps[-1])}
            changes = " to ".join(f"{_write_loss(row)} ({model})" for model, row in ends.items())
            yield f"From original to {name}, accuracy changes by {changes}."


def _write_loss(row: GapRow) -> str:
    change = (None if gap is None else 0.0 - gap for gap in (row.gap, row.gap_high, row.gap_low))
    return f"{write_change(*change)} points"


def _write_reproduction(report: EvaluationReport) -> Iterator[str]:
    told = [row for row in report.reproduction if row.is_inside is not None]
    outside = [row for row in told if not row.is_inside]
    if told:
        named = ", ".join(f"{row.model} on {row.benchmark}" for row in outside)
        yield (
            f"Of {write_several(len(told), 'published score')}, {len(outside)} "
            f"outside our interval{f': {named}' if outside else ''}."
        )


def _write_voters(record: SetRecord) -> Iterator[str]:
    if record.voters:
        where, changes = ("in", "raises") if record.is_dropped else ("out of", "lowers")
        yield (
            f"{', '.join(record.voters)}: helped to choose the set {record.name}. Samples that a "
            f"model answers without the video are {where} it, which alone {changes} its accuracy "
            f"there, so it is no fair match for models that had no part in it."
        )


def _write_absent(record: SetRecord) -> Iterator[str]:
    if record.n_absent:
        yield (
            f"{write_several(record.n_absent, 'sample')} of {record.source} are not in the runs: "
            f"what stands under {record.name} is about the other {write_count(record.n_samples)}."
        )


def _write_uncovered(
    report: EvaluationReport, record: SetRecord, findings: SetFindings
) -> Iterator[str]:
    for label in list_labels(report):
        row = find_accuracy(findings.whole, label, Level.POOLED)
        n_asked = 0 if row is None else row.n_samples
        if n_asked < record.n_samples:
            yield (
                f"{label} was asked about {write_count(n_asked)} of the "
                f"{write_count(record.n_samples)} samples of {record.name}."
            )
        if row is not None and row.n_missing:
            yield f"{label}: {write_several(row.n_missing, 'answer')} missing on {record.name}."
        if row is not None and row.n - row.n_missing > row.n_scored:
            yield (
                f"{label}: {write_several(row.n - row.n_missing - row.n_scored, 'answer')} of "
                f"{write_count(row.n)} failed, refused or unreadable on {record.name}; they are "
                f"left out of its accuracy."
            )


def _write_accuracy(row: AccuracyRow) -> str:
    return f"{write_estimate(row.accuracy, row.accuracy_low, row.accuracy_high)} %"
