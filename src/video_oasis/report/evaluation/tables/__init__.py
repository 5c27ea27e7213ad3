"""The tables of an evaluation; every format of its report shows these, and computes nothing."""

from collections.abc import Callable

from video_oasis.analysis.evaluation import SetFindings
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.tables.breakdowns import (
    benchmark_table,
    grouping_table,
    task_table,
)
from video_oasis.report.evaluation.tables.comparisons import (
    budget_table,
    gap_table,
    pair_table,
    reproduction_table,
)
from video_oasis.report.evaluation.tables.kinds import mode_table, training_table
from video_oasis.report.evaluation.tables.overview import (
    contender_table,
    overview_table,
    set_table,
    status_table,
)
from video_oasis.report.evaluation.tables.views import view_table
from video_oasis.report.tables.table import Table

_OF_SET: tuple[Callable[[EvaluationReport, SetFindings], Table], ...] = (
    pair_table,
    view_table,
    mode_table,
    training_table,
    budget_table,
    benchmark_table,
    task_table,
    status_table,
)


def make_tables(report: EvaluationReport) -> tuple[Table, ...]:
    """Make every table that the evaluation has rows for."""
    tables = [overview_table(report)]
    tables += [gap_table(report, name) for name in report.gaps]
    # The last set is the one that the evaluation is for.
    for findings in reversed(report.findings):
        tables += [grouping_table(report, findings, each) for each in report.groupings]
        tables += [make(report, findings) for make in _OF_SET]
    tables += [reproduction_table(report), set_table(report), contender_table(report)]
    return tuple(table for table in tables if table.rows)
