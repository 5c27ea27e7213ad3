"""The report on judges as one HTML page that needs nothing but itself."""

from video_oasis.report.html import MAX_ROWS
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.sentences import write_caveats, write_verdict
from video_oasis.report.open_ended.tables import make_tables
from video_oasis.report.page import render


def write_page(report: JudgeReport) -> str:
    """Write the report as one page: style and our one script inside, no network."""
    return render(
        "judges.html",
        report=report,
        verdict=write_verdict(report),
        caveats=write_caveats(report),
        tables=make_tables(report),
        max_rows=MAX_ROWS,
    )
