"""The tables of an audit report, as texts in cells; Markdown, HTML and LaTeX all show these."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import UNION, ConsensusRow
from video_oasis.analysis.contribution import ContributionRow
from video_oasis.analysis.dependence import DependenceRow
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place, write_rule
from video_oasis.report.numbers import (
    NONE,
    write_count,
    write_estimate,
    write_p,
    write_percent,
    write_points,
    write_ratio,
)
from video_oasis.report.verdicts import find_verdicts

_FEATURES_SHOWN = 3
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
_INTERSECTIONS_SHOWN = 20


class Section(StrEnum):
    """What a table is about; the tables of a report are sorted by it, in this order."""

    SHORTCUTS = "Shortcuts"
    TASKS = "Tasks"
    VIDEO = "What the video adds"
    ACCURACY = "Accuracy and agreement"
    PEOPLE = "For a person to look at"
    ANSWERS = "Answers, videos and files"


@dataclass(frozen=True, slots=True)
class Table:
    """A table to show.

    Attributes:
        section: what it is about.
        name: a short name, for file names and links.
        title: its title.
        note: how to read it.
        head: the column titles.
        rows: the cells, one text for each column.
        n_text_columns: how many of the first columns hold text; the rest hold numbers.
    """

    section: Section
    name: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_text_columns: int = 1


def make_tables(report: AuditReport) -> tuple[Table, ...]:
    """Make every table that the report has rows for."""
    diagnostics = dict.fromkeys(row.diagnostic for row in report.summary.accuracy)
    tables = [
        _verdict_table(report),
        _consensus_table(report),
        _contribution_table(report),
        _intersection_table(report),
        _fix_table(report),
        *(_task_table(report, diagnostic) for diagnostic in diagnostics),
        _feature_table(report),
        _dependence_table(report),
        _dependence_task_table(report),
        _accuracy_table(report),
        _agreement_table(report),
        _ambiguity_table(report),
        _status_table(report),
        _reason_table(report),
        _saving_table(report),
        _lacking_table(report),
        _excluded_table(report),
        _cut_table(report),
        _skipped_table(report),
        _row_table(report),
        _model_table(report),
    ]
    return tuple(table for table in tables if table.rows)


def name_task(report: AuditReport, benchmark: str, task: str) -> str:
    """Name a task, with its benchmark where the report is about several."""
    return task if len(report.summary.benchmarks) == 1 else f"{benchmark}: {task}"


def _write_place(row: AccuracyRow | ConsensusRow | ContributionRow) -> str:
    """Say in words what set of samples a row is about; tasks apart."""
    match row.level:
        case Level.POOLED:
            return "all, pooled"
        case Level.MACRO:
            return f"all, mean of {row.n_benchmarks} benchmarks"
        case Level.GROUP_POOLED:
            return f"{row.group}, pooled"
        case Level.GROUP_MACRO:
            return f"{row.group}, mean of {row.n_benchmarks}"
    return row.benchmark


def _verdict_table(report: AuditReport) -> Table:
    return Table(
        section=Section.SHORTCUTS,
        name="verdict",
        title="Shortcuts and what remains",
        note=(
            f"A sample is a shortcut if {write_rule(report)}. Undecided: answers that could show "
            f"it to be one are missing. Untested: no test applies. Video lacking: samples, of "
            f"whatever kind, whose video lacks what some test shows. Shares are of the samples "
            f"with a verdict."
        )
        if report.summary.tests
        else "",
        head=(
            "samples of",
            "samples",
            "shortcuts",
            "kept",
            "undecided",
            "untested",
            "video lacking",
            "share",
            "by guessing",
            "corrected",
        ),
        rows=tuple(
            (
                name_place(verdict.benchmark),
                write_count(verdict.fates.n_samples),
                write_count(verdict.fates.n_dropped),
                write_count(verdict.fates.n_kept),
                write_count(verdict.fates.n_undecided),
                write_count(verdict.fates.n_untested),
                write_count(verdict.fates.n_lacking),
                write_estimate(union.observed, union.observed_low, union.observed_high),
                write_percent(union.null),
                write_estimate(union.corrected, union.corrected_low, union.corrected_high),
            )
            for verdict in find_verdicts(report)
            if (union := verdict.union) is not None
        ),
    )


def _fix_table(report: AuditReport) -> Table:
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


def _accuracy_table(report: AuditReport) -> Table:
    rows = [row for row in report.summary.accuracy if row.level != Level.TASK]
    # A single benchmark is its own mean: rows that would repeat it say nothing.
    if len(report.summary.benchmarks) == 1:
        rows = [row for row in rows if row.level == Level.BENCHMARK]
    models = list(dict.fromkeys(row.model for row in rows))
    lines: dict[tuple[str, str], dict[str, AccuracyRow]] = {}
    for row in rows:
        lines.setdefault((row.diagnostic, _write_place(row)), {})[row.model] = row
    return Table(
        section=Section.ACCURACY,
        name="accuracy",
        title="Accuracy",
        note=(
            "Percent right of the answers that could be read, with the 95 % interval of a "
            "bootstrap over whole videos. Chance is the mean of 1/n over the same samples."
        ),
        head=("shown", "samples of", "n", "chance", *models),
        rows=tuple(
            (
                diagnostic,
                place,
                write_count(max(row.n_samples for row in by_model.values())),
                write_percent(next(iter(by_model.values())).chance),
                *(
                    write_estimate(cell.accuracy, cell.accuracy_low, cell.accuracy_high)
                    if (cell := by_model.get(model))
                    else NONE
                    for model in models
                ),
            )
            for (diagnostic, place), by_model in lines.items()
        ),
        n_text_columns=2,
    )


def _task_table(report: AuditReport, diagnostic: str) -> Table:
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


def _feature_table(report: AuditReport) -> Table:
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


def _consensus_table(report: AuditReport) -> Table:
    rows: Iterable[ConsensusRow] = report.summary.consensus
    several = len(report.summary.benchmarks) > 1
    one_test = len(report.summary.tests) == 1
    rows = [
        row
        for row in rows
        if row.level != Level.TASK
        and (several or row.level == Level.BENCHMARK)
        and not (one_test and row.test == UNION)
    ]
    return Table(
        section=Section.SHORTCUTS,
        name="consensus",
        title="Samples that several models answer",
        note=(
            "A sample is a shortcut at c if at least c models are right. By guessing: the share "
            "that the same answers would give if every option were equally likely to be the right "
            "one. Corrected: (observed − by guessing) / (1 − by guessing)."
        ),
        head=("samples of", "test", "c", "n", "unknown", "observed", "by guessing", "corrected"),
        rows=tuple(
            (
                _write_place(row),
                "any test" if row.test == UNION else row.test,
                f"{row.threshold} of {row.n_models}",
                write_count(row.n),
                write_count(row.n_unknown),
                write_estimate(row.observed, row.observed_low, row.observed_high),
                write_percent(row.null),
                write_estimate(row.corrected, row.corrected_low, row.corrected_high),
            )
            for row in rows
        ),
        n_text_columns=3,
    )


def _contribution_table(report: AuditReport) -> Table:
    several = len(report.summary.benchmarks) > 1
    rows = [
        row
        for row in report.summary.contribution
        if len(report.summary.tests) > 1 and (several or row.level == Level.BENCHMARK)
    ]
    return Table(
        section=Section.SHORTCUTS,
        name="contribution",
        title="What each test contributes",
        note=(
            "Shortcuts at c that a test finds, and those that no other test finds. Perhaps: unique "
            "so far, with an answer missing under another test. Shares are of all samples that are "
            "a shortcut in any test."
        ),
        head=(
            "samples of",
            "test",
            "c",
            "shortcuts",
            "unique",
            "perhaps",
            "share of all shortcuts",
            "unique share",
        ),
        rows=tuple(
            (
                _write_place(row),
                row.test,
                f"{row.threshold} of {row.n_models}",
                write_count(row.n_shortcuts),
                write_count(row.n_unique),
                write_count(row.n_perhaps_unique),
                write_percent(row.share_of_union),
                write_percent(row.unique_share_of_union),
            )
            for row in rows
        ),
        n_text_columns=3,
    )


def _intersection_table(report: AuditReport) -> Table:
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    rows = [
        row
        for row in report.summary.intersections
        if row.level == level and row.threshold == report.threshold
    ]
    return Table(
        section=Section.SHORTCUTS,
        name="intersections",
        title="Which tests find the same samples",
        note=(
            f"Samples that are shortcuts at {report.threshold} in exactly these tests and no "
            "others, the largest sets first."
        ),
        head=("tests", "samples", "perhaps", "share of all shortcuts"),
        rows=tuple(
            (
                row.tests,
                write_count(row.n),
                write_count(row.n_perhaps),
                write_percent(row.share_of_union),
            )
            for row in rows[:_INTERSECTIONS_SHOWN]
        )
        if len(report.summary.tests) > 1
        else (),
    )


def _dependence_table(report: AuditReport) -> Table:
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


def _dependence_task_table(report: AuditReport) -> Table:
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


def _ambiguity_table(report: AuditReport) -> Table:
    several = len(report.summary.benchmarks) > 1
    return Table(
        section=Section.PEOPLE,
        name="ambiguity",
        title="Samples that a person should look at",
        note=(
            "Consistency: shown the whole video, models scatter. Redundancy: a model is right on "
            "every chunk alone. Sensitivity: frames out of order suffice, and no other test drops "
            "the sample; a person may find that order matters. tables/queue.csv has the samples in "
            "the order to look at them."
        ),
        head=("samples of", "check", "n", "flagged", "unknown"),
        rows=tuple(
            (
                name_place(row.benchmark),
                row.check,
                write_count(row.n),
                write_count(row.n_flagged),
                write_count(row.n_unknown),
            )
            for row in report.summary.ambiguity
            if row.n and (several or row.level == Level.BENCHMARK)
        ),
        n_text_columns=2,
    )


def _agreement_table(report: AuditReport) -> Table:
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    return Table(
        section=Section.ACCURACY,
        name="agreement",
        title="How alike the models answer",
        note=(
            "Same: percent of samples with the same answer. Kappa corrects it for each model's "
            "habit of picking certain positions. Phi: correlation of being right."
        ),
        head=("test", "model", "other model", "n", "same", "kappa", "phi"),
        rows=tuple(
            (
                row.test,
                row.model,
                row.other_model,
                write_count(row.n),
                write_percent(row.same),
                write_ratio(row.kappa),
                write_ratio(row.phi),
            )
            for row in report.summary.agreement
            if row.level == level
        ),
        n_text_columns=3,
    )


def _status_table(report: AuditReport) -> Table:
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    return Table(
        section=Section.ANSWERS,
        name="statuses",
        title="What became of the answers",
        note=(
            "An answer that failed or cannot be read is never counted as wrong: accuracy is over "
            "the read ones, and the bounds say what it would be if all others were wrong or right."
        ),
        head=(
            "test",
            "model",
            "asked",
            "read",
            "unparsed",
            "refused",
            "error",
            "missing",
            "accuracy",
            "bounds",
        ),
        rows=tuple(
            (
                row.diagnostic,
                row.model,
                *map(
                    write_count,
                    (
                        row.n,
                        row.n_scored,
                        row.n_unparsed,
                        row.n_refused,
                        row.n_error,
                        row.n_missing,
                    ),
                ),
                write_percent(row.accuracy),
                f"{write_percent(row.lower_bound)} to {write_percent(row.upper_bound)}",
            )
            for row in report.summary.accuracy
            if row.level == level
        ),
        n_text_columns=2,
    )


def _reason_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="reasons",
        title="Why answers could not be read",
        note="",
        head=("samples of", "test", "model", "status", "reason", "n"),
        rows=tuple(
            (row.benchmark, row.diagnostic, row.model, row.status, row.reason, write_count(row.n))
            for row in report.summary.statuses
            if row.reason
        ),
        n_text_columns=5,
    )


def _saving_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="savings",
        title="Calls that the lazy plan left out",
        note=(
            "Out of reach: so many models are wrong that the test cannot make the sample a "
            "shortcut. Already: the sample is one without it."
        ),
        head=("test", "questions", "asked", "out of reach", "already", "further draws"),
        rows=tuple(
            (
                saving.diagnostic,
                write_count(saving.n_questions),
                write_count(saving.n_asked),
                write_count(saving.threshold_out_of_reach),
                write_count(saving.already_a_shortcut),
                write_count(saving.another_draw),
            )
            for saving in report.savings
        ),
    )


def _lacking_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="videos",
        title="Videos that lack what a test shows",
        note="Their samples count as errors under these tests, never as answered wrong.",
        head=("benchmark", "video", "fault", "what was found", "samples"),
        rows=tuple(
            (
                video.benchmark,
                video.path,
                video.reason,
                video.message,
                write_count(len(video.sample_ids)),
            )
            for video in report.lacking
        ),
        n_text_columns=4,
    )


def _excluded_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="excluded",
        title="Samples outside a test",
        note=(
            "These are not asked under the test and are in none of its numbers. withholds_nothing: "
            "the clip is so short that the model would see, in order, no fewer frames than under "
            "standard. no_speech…: nothing is said in the clip, or what a recogniser made of it is "
            "no speech."
        ),
        head=("benchmark", "test", "model", "reason", "samples"),
        rows=tuple(
            (
                count.benchmark,
                count.diagnostic,
                count.model,
                count.reason,
                write_count(count.n_samples),
            )
            for count in report.excluded
        ),
        n_text_columns=4,
    )


def _cut_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="cut",
        title="Samples whose text is read in part",
        note=(
            "A transcript is longer than the audit's limit, and an even choice of it is shown; or "
            "a question or option is longer than a matching model reads, and loses its end."
        ),
        head=("benchmark", "test", "model", "samples"),
        rows=tuple(
            (count.benchmark, count.diagnostic, count.model, write_count(count.n_samples))
            for count in report.cut
        ),
        n_text_columns=3,
    )


def _skipped_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="skipped",
        title="Tests that a model was not given",
        note="These models cannot take what the tests show.",
        head=("model", "tests"),
        rows=tuple((model, ", ".join(names)) for model, names in report.skipped.items()),
        n_text_columns=2,
    )


def _row_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="rows",
        title="Rows of the benchmarks' files",
        note="Open questions have no options and are not audited; bad rows are left out.",
        head=("benchmark", "group", "rows", "samples", "audited", "open questions", "bad rows"),
        rows=tuple(
            (
                rows.benchmark,
                rows.group,
                write_count(rows.n_rows),
                write_count(rows.n_samples),
                write_count(rows.n_audited),
                write_count(rows.n_open_questions),
                write_count(len(rows.bad_rows)),
            )
            for rows in report.rows
        ),
        n_text_columns=2,
    )


def _model_table(report: AuditReport) -> Table:
    return Table(
        section=Section.ANSWERS,
        name="models",
        title="Models",
        note="Everything here changes answers and is part of a model's identity.",
        head=("model", "settings"),
        rows=tuple(
            (
                model.name,
                ", ".join(f"{key} {value}" for key, value in sorted(model.description.items())),
            )
            for model in report.models
        ),
        n_text_columns=2,
    )
