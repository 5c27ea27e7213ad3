"""Tables of tasks: which to fix first, how far each is given away, and by what."""

from video_oasis.report.document import AuditReport
from video_oasis.report.numbers import (
    NONE,
    write_count,
    write_estimate,
    write_p,
    write_percent,
    write_points,
)
from video_oasis.report.tables.table import Section, Table, name_task
from video_oasis.report.verdicts import find_verdicts

_FEATURES_SHOWN = 3


def fix_table(report: AuditReport) -> Table:
    """Show the tasks in the order in which to fix them."""
    return Table(
        section=Section.TASKS,
        name="fix-first",
        title="Tasks to fix first",
        note=(
            "Tasks that at least one test gives away beyond doubt, first those with most shortcuts "
            "beyond guessing. Accuracy is that of the best model under the test named."
        ),
        head=(
            "task",
            "most under",
            "model",
            "n",
            "shortcuts",
            "by guessing",
            "corrected",
            "accuracy",
            "chance",
        ),
        rows=tuple(
            (
                name_task(report, task.benchmark, task.task),
                best.diagnostic,
                best.model,
                write_count(task.union.n),
                write_percent(task.union.observed),
                write_percent(task.union.null),
                write_estimate(
                    task.union.corrected, task.union.corrected_low, task.union.corrected_high
                ),
                write_estimate(best.accuracy, best.accuracy_low, best.accuracy_high),
                write_percent(best.chance),
            )
            for verdict in find_verdicts(report)[:1]
            for task in verdict.tasks
            if (best := task.worst.best)
        ),
        n_text_columns=3,
    )


def task_table(report: AuditReport, diagnostic: str) -> Table:
    """Show how far each task is given away under one diagnostic."""
    findings = [task for task in report.summary.tasks if task.best.diagnostic == diagnostic]
    is_test = diagnostic in report.summary.tests
    return Table(
        section=Section.TASKS,
        name=f"tasks-{diagnostic}",
        title=f"Tasks by how far {diagnostic} gives them away"
        if is_test
        else f"Tasks under {diagnostic}",
        note=(
            "The model furthest above chance in each task. p is one-sided, robust to questions "
            "that share a video, and corrected over all tasks and models (Holm). All right: "
            "samples that every model answers, and what guessing alone would give."
        ),
        head=(
            "task",
            "best model",
            "given away" if is_test else "above chance",
            "n",
            "accuracy",
            "chance",
            "excess",
            "p",
            "all right",
            "by guessing",
        ),
        rows=tuple(
            (
                name_task(report, finding.best.benchmark, finding.best.task),
                finding.best.model,
                {True: "yes", False: "no", None: NONE}[finding.is_given_away],
                write_count(finding.best.n_samples),
                write_estimate(
                    finding.best.accuracy, finding.best.accuracy_low, finding.best.accuracy_high
                ),
                write_percent(finding.best.chance),
                write_points(finding.best.excess),
                write_p(finding.p_holm),
                write_percent(finding.consensus.observed if finding.consensus else None),
                write_percent(finding.consensus.null if finding.consensus else None),
            )
            for finding in findings
        ),
        n_text_columns=3,
    )


def feature_table(report: AuditReport) -> Table:
    """Show what in the wording gives answers away."""
    given_away = {
        (finding.best.benchmark, finding.best.diagnostic, finding.best.task)
        for finding in report.summary.tasks
        if finding.is_given_away and finding.best.diagnostic in report.summary.tests
    }
    features: dict[tuple[str, str, str], list[str]] = {}
    for finding in report.findings:
        place = (finding.benchmark, finding.diagnostic, finding.task)
        if place in given_away:
            shown = features.setdefault((*place[::2], finding.model), [])
            if len(shown) < _FEATURES_SHOWN:
                shown.append(finding.feature)
    return Table(
        section=Section.TASKS,
        name="features",
        title="What gives these tasks away",
        note=(
            "For the tasks given away above: the features that move a fitted model most toward "
            "the right option, strongest first."
        ),
        head=("task", "model", "features"),
        rows=tuple(
            (name_task(report, benchmark, task), model, "; ".join(shown))
            for (benchmark, task, model), shown in features.items()
        ),
        n_text_columns=3,
    )
