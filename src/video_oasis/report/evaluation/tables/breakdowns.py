"""Tables of accuracies by benchmark, by task and by any grouping of samples."""

from collections.abc import Sequence

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import SetFindings
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.lookup import list_benchmarks, list_labels
from video_oasis.report.evaluation.tables.overview import name_for_files
from video_oasis.report.numbers import NONE, write_count, write_estimate, write_percent
from video_oasis.report.tables.table import Section, Table

Column = tuple[str, dict[str, AccuracyRow]]
"""A title, and the accuracy of each model."""

_NOTE = (
    "Percent right of the answers that could be read, with the 95 % interval of a bootstrap over "
    "whole videos; chance is the mean of 1/n over the same samples."
)


def grouping_table(report: EvaluationReport, findings: SetFindings, grouping: str) -> Table:
    """Show every model on every group of a set's samples, and over all of them."""
    columns = [
        (each.group or f"no {grouping}", _read(each.accuracy, Level.POOLED))
        for each in findings.of_grouping(grouping)
    ]
    if columns:
        columns.append(("overall", _read(findings.whole.accuracy, Level.POOLED)))
    return _make(
        report,
        columns,
        name=f"by_{grouping}_{name_for_files(report, findings.name)}",
        title=f"Accuracy by {grouping}, {findings.name}",
    )


def benchmark_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show every model on every benchmark of a set, and both averages."""
    rows = findings.whole.accuracy
    benchmarks = list_benchmarks(findings)
    columns = [(name, _read(rows, Level.BENCHMARK, benchmark=name)) for name in benchmarks]
    if len(benchmarks) > 1:
        groups = dict.fromkeys(row.group for row in rows if row.level == Level.GROUP_MACRO)
        columns += [
            (f"{group}, mean", _read(rows, Level.GROUP_MACRO, group=group)) for group in groups
        ]
        columns.append(("all, mean", _read(rows, Level.MACRO)))
        columns.append(("all, pooled", _read(rows, Level.POOLED)))
    return _make(
        report,
        columns,
        name=f"benchmarks_{name_for_files(report, findings.name)}",
        title=f"Accuracy by benchmark, {findings.name}",
    )


def task_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show every model on every task of a set, one line for each task."""
    labels = list_labels(report)
    by_task: dict[tuple[str, str], dict[str, AccuracyRow]] = {}
    for row in findings.whole.accuracy:
        if row.level == Level.TASK:
            by_task.setdefault((row.benchmark, row.task), {})[row.model] = row
    return Table(
        section=Section.TASKS,
        name=f"tasks_{name_for_files(report, findings.name)}",
        title=f"Accuracy by task, {findings.name}",
        note=_NOTE,
        head=("benchmark", "task", "n", "chance", *labels),
        rows=tuple(
            (
                benchmark,
                task,
                _write_n(its),
                _write_chance(its),
                *(_write(its.get(label)) for label in labels),
            )
            for (benchmark, task), its in by_task.items()
        ),
        n_text_columns=2,
    )


def _read(
    rows: Sequence[AccuracyRow],
    level: Level,
    *,
    benchmark: str = "",
    group: str = "",
) -> dict[str, AccuracyRow]:
    return {
        row.model: row
        for row in rows
        if (row.level, row.benchmark, row.group) == (level, benchmark, group)
    }


def _make(report: EvaluationReport, columns: Sequence[Column], *, name: str, title: str) -> Table:
    labels = [
        label for label in list_labels(report) if any(label in by_model for _, by_model in columns)
    ]
    lines = [(label, *(_write(its.get(label)) for _, its in columns)) for label in labels]
    if lines:
        lines.append(("samples", *(_write_n(its) for _, its in columns)))
        lines.append(("chance", *(_write_chance(its) for _, its in columns)))
    return Table(
        section=Section.ACCURACY,
        name=name,
        title=title,
        note=_NOTE,
        head=("model", *(title for title, _ in columns)),
        rows=tuple(lines),
    )


def _write(row: AccuracyRow | None) -> str:
    if row is None:
        return NONE
    return write_estimate(row.accuracy, row.accuracy_low, row.accuracy_high)


def _write_n(by_model: dict[str, AccuracyRow]) -> str:
    return write_count(max((row.n_samples for row in by_model.values()), default=0))


def _write_chance(by_model: dict[str, AccuracyRow]) -> str:
    # Chance is over what was read; the model that most was read of stands for all.
    most = max(by_model.values(), key=lambda row: row.n_scored, default=None)
    return write_percent(None if most is None else most.chance)
