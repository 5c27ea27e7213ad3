"""An audit report as one HTML page that needs nothing but itself."""

from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.report.charts import Interval, draw_intervals
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import write_headlines
from video_oasis.report.tables import make_tables, name_task

_TASKS_DRAWN: Final = 30


def write_html(report: AuditReport) -> str:
    """Write the whole report as one page: style and pictures inside, no script, no network."""
    environment = Environment(
        loader=PackageLoader("video_oasis.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("audit.html").render(
        report=report,
        headlines=write_headlines(report),
        tables=make_tables(report),
        charts=_draw_charts(report),
    )


def _draw_charts(report: AuditReport) -> dict[str, Markup]:
    """Draw, for each diagnostic, its benchmarks if there are several, and its tasks."""
    charts: dict[str, Markup] = {}
    several = len(report.summary.benchmarks) > 1
    for diagnostic in dict.fromkeys(row.diagnostic for row in report.summary.accuracy):
        benchmarks = [
            _make_interval(head.best, label=headline.benchmark, marked=bool(head.best.above_chance))
            for headline in report.summary.benchmarks
            for head in headline.diagnostics
            if head.diagnostic == diagnostic and head.best.accuracy is not None
        ]
        if several and benchmarks:
            title = f"Best model of each benchmark under {diagnostic}"
            charts[title] = draw_intervals(benchmarks, title=title)
        tasks = [
            _make_interval(
                finding.best,
                label=name_task(report, finding.best.benchmark, finding.best.task),
                marked=bool(finding.is_given_away),
            )
            for finding in report.summary.tasks
            if finding.best.diagnostic == diagnostic and finding.best.accuracy is not None
        ]
        if tasks:
            n_drawn = min(len(tasks), _TASKS_DRAWN)
            which = "All" if n_drawn == len(tasks) else f"The first {n_drawn} of {len(tasks)}"
            title = f"{which} tasks under {diagnostic}, furthest above chance first"
            charts[title] = draw_intervals(tasks[:n_drawn], title=title)
    return charts


def _make_interval(row: AccuracyRow, *, label: str, marked: bool) -> Interval:
    assert row.accuracy is not None
    assert row.chance is not None
    return Interval(
        label=label,
        value=row.accuracy,
        low=row.accuracy_low,
        high=row.accuracy_high,
        reference=row.chance,
        marked=marked,
    )
