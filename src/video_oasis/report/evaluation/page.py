"""An evaluation as one HTML page that needs nothing but itself."""

from typing import Final

from markupsafe import Markup

from video_oasis.analysis.cells import Level
from video_oasis.report.charts.falls import Fall, draw_falls
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.lookup import list_labels
from video_oasis.report.evaluation.sentences import write_caveats, write_verdict
from video_oasis.report.evaluation.tables import make_tables
from video_oasis.report.html import MAX_ROWS
from video_oasis.report.numbers import write_change, write_percent
from video_oasis.report.page import render

_FALLS_DRAWN: Final = 60


def write_page(report: EvaluationReport) -> str:
    """Write an evaluation as one page: style, pictures and our one script inside, no network."""
    overview, *tables = make_tables(report)
    return render(
        "evaluation.html",
        report=report,
        verdict=write_verdict(report),
        caveats=write_caveats(report),
        overview=overview,
        pictures={name: _draw_gaps(report, name) for name in report.gaps},
        tables=tables,
        max_rows=MAX_ROWS,
    )


def _draw_gaps(report: EvaluationReport, name: str) -> Markup:
    """Draw each model's accuracy on the original and on another set, by benchmark."""
    order = {label: number for number, label in enumerate(list_labels(report))}
    falls = [
        Fall(
            model=row.model,
            other=row.benchmark,
            reference=row.original,
            value=row.distilled,
            low=None if row.gap_high is None else row.original - row.gap_high,
            high=None if row.gap_low is None else row.original - row.gap_low,
            chance=row.distilled_chance,
            marked=row.gap_low is not None and row.gap_low > 0,
            text=f"gap {write_change(row.gap, row.gap_low, row.gap_high)}",
        )
        for row in sorted(report.gaps[name], key=lambda row: order[row.model])
        if row.level == Level.BENCHMARK
        and row.original is not None
        and row.distilled is not None
        and row.distilled_chance is not None
    ][:_FALLS_DRAWN]
    if not falls:
        return Markup("")
    return draw_falls(
        falls,
        title=f"Accuracy on the original set and on {name}: "
        + "; ".join(
            f"{fall.model}, {fall.other}: {write_percent(fall.reference)} to "
            f"{write_percent(fall.value)}"
            for fall in falls
        ),
    )
