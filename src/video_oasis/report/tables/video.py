"""Tables of what models lose without the video as it is."""

from video_oasis.analysis.cells import Level
from video_oasis.analysis.dependence import DependenceRow
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place
from video_oasis.report.numbers import NONE, write_count, write_estimate, write_p, write_percent
from video_oasis.report.tables.table import Section, Table, name_task

_DEPENDENCE_HEAD = (
    "model",
    "against",
    "below chance",
    "n",
    "standard",
    "other",
    "lost",
    "p",
    "leak",
    "same",
)


def dependence_table(report: AuditReport) -> Table:
    """Show each model's losses on each benchmark."""
    several = len(report.summary.benchmarks) > 1
    rows = [
        row
        for row in report.summary.dependence
        if row.level == Level.BENCHMARK or (several and row.level == Level.POOLED)
    ]
    return Table(
        section=Section.VIDEO,
        name="dependence",
        title="What models lose without the video as it is",
        note=(
            "Each model under standard against its own answers under another input, over samples "
            "read under both. Lost: the difference in points, with its interval; p is McNemar's, "
            "corrected over all rows (Holm). Leak: of the samples right under standard, those also "
            "right under the other input. Same: equal answers. Below chance under reverse is the "
            "mark of a model that follows the order of events."
        ),
        head=("samples of", *_DEPENDENCE_HEAD),
        rows=tuple((name_place(row.benchmark), *_write_dependence(row)) for row in rows),
        n_text_columns=4,
    )


def dependence_task_table(report: AuditReport) -> Table:
    """Show each model's losses task by task."""
    rows = [row for row in report.summary.dependence if row.level == Level.TASK]
    return Table(
        section=Section.VIDEO,
        name="dependence-tasks",
        title="What models lose without the video as it is, by task",
        note="As above, task by task.",
        head=("task", *_DEPENDENCE_HEAD),
        rows=tuple(
            (name_task(report, row.benchmark, row.task), *_write_dependence(row)) for row in rows
        ),
        n_text_columns=4,
    )


def _write_dependence(row: DependenceRow) -> tuple[str, ...]:
    return (
        row.model,
        row.other,
        {True: "yes", False: "no", None: NONE}[row.is_below_chance],
        write_count(row.n),
        write_percent(row.reference_accuracy),
        write_percent(row.other_accuracy),
        write_estimate(row.difference, row.difference_low, row.difference_high),
        write_p(row.p_holm),
        write_percent(row.leak),
        write_percent(row.same),
    )
