"""An audit report as one HTML page that needs nothing but itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.report.charts.cells import draw_estimate, draw_part, draw_shares
from video_oasis.report.charts.falls import Fall, draw_falls
from video_oasis.report.charts.scatter import Point, draw_scatter
from video_oasis.report.charts.upset import Combination, draw_upset
from video_oasis.report.document import AuditReport, FateCount
from video_oasis.report.headline import write_caveats, write_faults, write_rule
from video_oasis.report.numbers import write_count, write_estimate, write_percent
from video_oasis.report.page import render
from video_oasis.report.sample_pages import explain_choice
from video_oasis.report.tables import make_tables
from video_oasis.report.tables.table import Section, Table, name_task
from video_oasis.report.verdicts import Verdict, find_verdicts

MAX_ROWS: Final = 300
"""The most rows of one table that the page shows."""
_TASKS_FIRST: Final = 5
_TASKS_DRAWN: Final = 60
_COMBINATIONS_DRAWN: Final = 20
_FALLS_DRAWN: Final = 40


@dataclass(frozen=True, slots=True)
class _Cell:
    dot: Markup
    text: str
    marked: bool


@dataclass(frozen=True, slots=True)
class _TaskRow:
    """A task, and one cell for each diagnostic that was read on it."""

    name: str
    n_samples: int
    cells: dict[str, _Cell]


def write_html(report: AuditReport) -> str:
    """Write the whole report as one page: style, pictures and our one script inside, no network."""
    verdicts = find_verdicts(report)
    task_rows = _draw_tasks(report)
    overlap, overlap_more = _draw_overlap(report)
    falls, falls_more = _draw_falls(report)
    return render(
        "audit.html",
        report=report,
        names=[headline.benchmark for headline in report.summary.benchmarks],
        verdicts=verdicts,
        rule=write_rule(report) if report.summary.tests else "",
        caveats=write_caveats(report),
        faults={each.benchmark: write_faults(report, each.benchmark) for each in verdicts},
        shares={each.benchmark: _draw_fates(each.fates) for each in verdicts},
        bars=_draw_contributions(verdicts),
        dots={each.benchmark: _draw_union(each) for each in verdicts},
        scatter=_draw_benchmarks(verdicts),
        overlap=overlap,
        overlap_more=overlap_more,
        falls=falls,
        falls_more=falls_more,
        diagnostics=list(dict.fromkeys(row.diagnostic for row in report.summary.accuracy)),
        task_rows=task_rows[:_TASKS_DRAWN],
        n_tasks=len(task_rows),
        left_out=explain_choice(report),
        sections=_sort_into_sections(make_tables(report)),
        max_rows=MAX_ROWS,
        n_first=_TASKS_FIRST,
    )


def _sort_into_sections(tables: Sequence[Table]) -> dict[Section, list[Table]]:
    sections: dict[Section, list[Table]] = {}
    for table in tables:
        sections.setdefault(table.section, []).append(table)
    return sections


def _draw_fates(fates: FateCount) -> Markup:
    return draw_shares(
        [
            ("dropped", fates.n_dropped),
            ("judged", fates.n_judged_defective),
            ("kept", fates.n_kept),
            ("undecided", fates.n_undecided),
            ("untested", fates.n_untested),
        ]
    )


def _draw_contributions(verdicts: Sequence[Verdict]) -> dict[tuple[str, str], Markup]:
    bars = {}
    for verdict in verdicts:
        found = [each.contribution.n_shortcuts for each in verdict.tests if each.contribution]
        for each in verdict.diagnostics:
            row = each.contribution
            bars[verdict.benchmark, each.diagnostic] = (
                Markup("")
                if row is None
                else draw_part(row.n_shortcuts, row.n_unique, largest=max(found, default=0))
            )
    return bars


def _draw_union(verdict: Verdict) -> Markup:
    union = verdict.union
    if union is None or union.observed is None:
        return Markup("")
    return draw_estimate(
        union.observed,
        low=union.observed_low,
        high=union.observed_high,
        reference=union.null,
        marked=union.corrected_low is not None and union.corrected_low > 0,
    )


def _draw_benchmarks(verdicts: Sequence[Verdict]) -> Markup:
    """Draw accuracy against shortcuts, where there are several benchmarks with both."""
    points = [
        Point(verdict.benchmark, verdict.union.observed, each.best.accuracy)
        for verdict in verdicts
        if verdict.benchmark and verdict.union is not None and verdict.union.observed is not None
        for each in verdict.diagnostics
        if each.diagnostic == "standard" and each.best.accuracy is not None
    ]
    if len(points) < 2:
        return Markup("")
    return draw_scatter(
        points,
        x_axis="samples that are shortcuts, %",
        y_axis="best model with the whole video, %",
        title="Accuracy of the best model with the whole video against the share of shortcuts: "
        + "; ".join(
            f"{point.name} {write_percent(point.y)} against {write_percent(point.x)}"
            for point in points
        ),
    )


def _draw_overlap(report: AuditReport) -> tuple[Markup, str]:
    """Draw which tests find the same samples, and say what the picture leaves out."""
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    rows = [
        row
        for row in report.summary.intersections
        if row.level == level and row.threshold == report.threshold and row.n
    ]
    sizes = [
        (row.test, row.n_shortcuts)
        for row in report.summary.contribution
        if row.level == level and row.threshold == report.threshold
    ]
    if len(sizes) < 2 or not rows:
        return Markup(""), ""
    drawn = rows[:_COMBINATIONS_DRAWN]
    picture = draw_upset(
        sorted(sizes, key=lambda size: -size[1]),
        [Combination(frozenset(row.tests.split(" & ")), row.n) for row in drawn],
        title="Samples by the tests in which they are shortcuts: "
        + "; ".join(f"{row.tests} {write_count(row.n)}" for row in drawn),
    )
    more = (
        f"The {len(drawn)} largest of {len(rows)} combinations." if len(drawn) < len(rows) else ""
    )
    return picture, more


def _draw_falls(report: AuditReport) -> tuple[Markup, str]:
    """Draw what models lose without the whole video, and say what the picture leaves out."""
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    falls = [
        Fall(
            model=row.model,
            other=row.other,
            reference=row.reference_accuracy,
            value=row.other_accuracy,
            low=None
            if row.difference_high is None
            else row.reference_accuracy - row.difference_high,
            high=None
            if row.difference_low is None
            else row.reference_accuracy - row.difference_low,
            chance=row.chance,
            marked=row.difference_low is not None and row.difference_low > 0,
            text=f"lost {write_estimate(row.difference, row.difference_low, row.difference_high)}",
        )
        for row in sorted(report.summary.dependence, key=lambda row: row.model)
        if row.level == level
        and row.reference_accuracy is not None
        and row.other_accuracy is not None
        and row.chance is not None
    ]
    if not falls:
        return Markup(""), ""
    drawn = falls[:_FALLS_DRAWN]
    picture = draw_falls(
        drawn,
        title="Accuracy with the whole video and with something else: "
        + "; ".join(
            f"{fall.model} {write_percent(fall.reference)}, {fall.other} "
            f"{write_percent(fall.value)}"
            for fall in drawn
        ),
    )
    left_out = len(falls) - len(drawn)
    return picture, f"{left_out} more rows are in the tables below." if left_out else ""


def _draw_tasks(report: AuditReport) -> list[_TaskRow]:
    """Draw a row for each task, furthest above chance first."""
    n_samples: dict[tuple[str, str], int] = {}
    for finding in report.summary.tasks:
        place = (finding.best.benchmark, finding.best.task)
        n_samples[place] = max(n_samples.get(place, 0), finding.best.n_samples)
    rows: dict[tuple[str, str], _TaskRow] = {}
    for finding in report.summary.tasks:
        best = finding.best
        place = (best.benchmark, best.task)
        row = rows.setdefault(place, _TaskRow(name_task(report, *place), n_samples[place], {}))
        if best.accuracy is not None:
            marked = bool(finding.is_given_away)
            row.cells[best.diagnostic] = _Cell(
                dot=_draw_accuracy(best, marked=marked),
                text=write_percent(best.accuracy),
                marked=marked,
            )
    return list(rows.values())


def _draw_accuracy(row: AccuracyRow, *, marked: bool) -> Markup:
    assert row.accuracy is not None
    return draw_estimate(
        row.accuracy,
        low=row.accuracy_low,
        high=row.accuracy_high,
        reference=row.chance,
        marked=marked,
    )
