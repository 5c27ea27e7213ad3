"""A calibration as one HTML page that needs nothing but itself."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from video_oasis.analysis.calibration import FindingRow
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.calibration.sentences import name_detector, write_verdict
from video_oasis.report.calibration.tables import (
    find_cells,
    list_chosen,
    make_tables,
)
from video_oasis.report.charts.cells import draw_estimate
from video_oasis.report.html import MAX_ROWS
from video_oasis.report.numbers import write_percent
from video_oasis.report.page import render


@dataclass(frozen=True, slots=True)
class _Dot:
    picture: Markup
    text: str
    should_find: bool


@dataclass(frozen=True, slots=True)
class _KindRow:
    """A kind of sample, and what each detector finds of it."""

    kind: str
    planted: str
    n: int
    cells: tuple[tuple[_Dot, ...], ...]


def write_page(report: CalibrationReport) -> str:
    """Write a calibration as one page: style, pictures and our one script inside, no network."""
    return render(
        "calibration.html",
        report=report,
        verdict=write_verdict(report),
        detectors=[name_detector(each.detector) for each in list_chosen(report)],
        kinds=[_draw_kind(report, kind) for kind in report.kinds],
        tables=make_tables(report),
        max_rows=MAX_ROWS,
    )


def _draw_kind(report: CalibrationReport, kind: str) -> _KindRow:
    found = find_cells(report, kind)
    return _KindRow(
        kind=kind,
        planted=report.kinds[kind],
        n=max((row.n for rows in found.values() for row in rows), default=0),
        cells=tuple(_draw_cell(found.get(each.detector, [])) for each in list_chosen(report)),
    )


def _draw_cell(rows: Sequence[FindingRow]) -> tuple[_Dot, ...]:
    return tuple(
        _Dot(
            picture=draw_estimate(
                row.rate,
                low=row.rate_low,
                high=row.rate_high,
                reference=row.null,
                marked=row.should_find,
            ),
            text=write_percent(row.rate),
            should_find=row.should_find,
        )
        for row in rows
        if row.rate is not None
    )
