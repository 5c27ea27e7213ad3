"""Tables of shortcuts: verdicts, consensus, what each test adds and how tests overlap."""

from collections.abc import Iterable

from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import UNION, ConsensusRow
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place, write_rule
from video_oasis.report.numbers import write_count, write_estimate, write_percent
from video_oasis.report.tables.table import Section, Table, write_place
from video_oasis.report.verdicts import find_verdicts


def verdict_table(report: AuditReport) -> Table:
    """Show for each benchmark what each test and the union say."""
    is_judged = report.refinement is not None
    return Table(
        section=Section.SHORTCUTS,
        name="verdict",
        title="Shortcuts and what remains",
        note=(
            f"A sample is a shortcut if {write_rule(report)}. Undecided: answers that could show "
            f"it to be one are missing. Untested: no test applies. Video lacking: samples, of "
            f"whatever kind, whose video lacks what some test shows. Shares are of the samples "
            f"with a verdict."
            + (
                " Judged defective: dropped by people's judgements only. The counts follow these "
                "judgements, the shares are of the benchmark as published."
                if is_judged
                else ""
            )
        )
        if report.summary.tests
        else "",
        head=(
            "samples of",
            "samples",
            "shortcuts",
            *(("judged defective",) if is_judged else ()),
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
                *((write_count(verdict.fates.n_judged_defective),) if is_judged else ()),
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


def consensus_table(report: AuditReport) -> Table:
    """Show the share of shortcuts at every threshold, beside what guessing gives."""
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
                write_place(row),
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


def contribution_table(report: AuditReport) -> Table:
    """Show what each test adds to the union."""
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
                write_place(row),
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


_INTERSECTIONS_SHOWN = 20


def intersection_table(report: AuditReport) -> Table:
    """Show how many samples are shortcuts in exactly which tests."""
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
