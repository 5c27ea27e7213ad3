"""Tables of whether the shortcuts are real, new, and not one choice of models' quirks."""

from video_oasis.analysis.cells import Level
from video_oasis.analysis.overlap import OverlapRow
from video_oasis.analysis.validity import RobustnessRow
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place
from video_oasis.report.numbers import (
    write_count,
    write_estimate,
    write_expected,
    write_percent,
)
from video_oasis.report.tables.table import Section, Table

_OVERLAP_HEAD = ("n", "first", "second", "both", "by chance", "Jaccard", "of first", "of second")


def correlation_table(report: AuditReport) -> Table:
    """Show how many of each test's shortcuts models solve that took no part in finding them."""
    several = len(report.summary.benchmarks) > 1
    return Table(
        section=Section.VALIDITY,
        name="correlation",
        title="Shortcuts that other models solve too",
        note=(
            "Validators are shown the whole video and took no part in the tests. Solved: share of "
            "a test's shortcuts, with its interval. Worth noting as far as it is above elsewhere: "
            "the share they solve of the samples known to be no shortcuts in that test."
        ),
        head=("samples of", "test", "validator", "shortcuts", "solved", "elsewhere", "chance"),
        rows=tuple(
            (
                name_place(row.benchmark),
                row.test,
                row.model,
                write_count(row.n_shortcuts),
                write_estimate(row.rate, row.rate_low, row.rate_high),
                write_percent(row.rate_elsewhere),
                write_percent(row.chance),
            )
            for row in report.summary.correlation
            if several or row.level == Level.BENCHMARK
        ),
        n_text_columns=3,
    )


def difficulty_table(report: AuditReport) -> Table:
    """Show how far the distilled set is that of the samples which all models miss."""
    several = len(report.summary.benchmarks) > 1
    return Table(
        section=Section.VALIDITY,
        name="difficulty",
        title="Distilled against difficult samples",
        note=(
            "First: samples that every model misses when shown the video. Second: samples that no "
            "test shows to be shortcuts. Both is counted over samples of which both are known; "
            "Jaccard is both over either, in percent."
        ),
        head=("samples of", *_OVERLAP_HEAD),
        rows=tuple(
            (
                name_place(row.benchmark),
                *_write_overlap(row),
            )
            for row in report.summary.difficulty
            if row.n and (several or row.level == Level.BENCHMARK)
        ),
    )


def robustness_table(report: AuditReport) -> Table:
    """Show what other sets of models find and keep."""
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    return Table(
        section=Section.VALIDITY,
        name="robustness",
        title="The same verdicts with other models",
        note=(
            "Spare models take the place of voters in every test that has them all. First: with "
            "the voters; second: with the models named. Jaccard is both over either, in percent."
        ),
        head=("models", "samples", *_OVERLAP_HEAD),
        rows=tuple(
            (
                row.models,
                row.kind,
                *_write_overlap(row),
            )
            for row in report.summary.robustness
            if row.level == level
        ),
        n_text_columns=2,
    )


def _write_overlap(row: OverlapRow | RobustnessRow) -> tuple[str, ...]:
    return (
        write_count(row.n),
        write_count(row.n_first),
        write_count(row.n_second),
        write_count(row.n_both),
        write_expected(row.n_both_expected),
        write_percent(row.jaccard),
        write_percent(row.share_of_first),
        write_percent(row.share_of_second),
    )
