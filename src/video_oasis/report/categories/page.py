"""The categories of a run as one HTML page that needs nothing but itself."""

from video_oasis.report.categories.document import CategoriesReport
from video_oasis.report.categories.sentences import write_verdict
from video_oasis.report.categories.tables import make_tables
from video_oasis.report.html import MAX_ROWS
from video_oasis.report.page import render


def write_page(report: CategoriesReport) -> str:
    """Write the categories as one page: style and our one script inside, no network."""
    return render(
        "categories.html",
        report=report,
        verdict=write_verdict(report),
        tables=make_tables(report),
        max_rows=MAX_ROWS,
    )
