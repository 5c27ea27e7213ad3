"""The tables of an audit report; Markdown, HTML and LaTeX all show these, and compute nothing."""

from video_oasis.report.document import AuditReport
from video_oasis.report.tables.accuracy import accuracy_table, agreement_table, rotation_table
from video_oasis.report.tables.answers import (
    cut_table,
    excluded_table,
    lacking_table,
    model_table,
    reason_table,
    row_table,
    saving_table,
    skipped_table,
    status_table,
)
from video_oasis.report.tables.people import ambiguity_table
from video_oasis.report.tables.refinement import refinement_table, reviewer_table
from video_oasis.report.tables.shortcuts import (
    consensus_table,
    contribution_table,
    intersection_table,
    verdict_table,
)
from video_oasis.report.tables.table import Table
from video_oasis.report.tables.tasks import feature_table, fix_table, task_table
from video_oasis.report.tables.validity import (
    correlation_table,
    difficulty_table,
    robustness_table,
)
from video_oasis.report.tables.video import dependence_table, dependence_task_table


def make_tables(report: AuditReport) -> tuple[Table, ...]:
    """Make every table that the report has rows for."""
    diagnostics = dict.fromkeys(row.diagnostic for row in report.summary.accuracy)
    tables = [
        verdict_table(report),
        consensus_table(report),
        contribution_table(report),
        intersection_table(report),
        fix_table(report),
        *(task_table(report, diagnostic) for diagnostic in diagnostics),
        feature_table(report),
        dependence_table(report),
        dependence_task_table(report),
        correlation_table(report),
        difficulty_table(report),
        robustness_table(report),
        accuracy_table(report),
        agreement_table(report),
        rotation_table(report),
        ambiguity_table(report),
        refinement_table(report),
        reviewer_table(report),
        status_table(report),
        reason_table(report),
        saving_table(report),
        lacking_table(report),
        excluded_table(report),
        cut_table(report),
        skipped_table(report),
        row_table(report),
        model_table(report),
    ]
    return tuple(table for table in tables if table.rows)
