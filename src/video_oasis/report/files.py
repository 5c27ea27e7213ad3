"""Writes a report's files: pages, Markdown, JSON, and tables as CSV and LaTeX."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from video_oasis.csv_text import write_csv
from video_oasis.errors import RunError
from video_oasis.media.frames import ReadPicture
from video_oasis.report.document import AuditReport
from video_oasis.report.html import write_html
from video_oasis.report.latex import write_latex
from video_oasis.report.leftovers import remove_others
from video_oasis.report.markdown import write_markdown
from video_oasis.report.sample_pages import write_sample_pages
from video_oasis.report.tables import make_tables
from video_oasis.report.thumbnails import write_thumbnails
from video_oasis.whole_file import write_whole

_CSV_TABLES: Final = (
    "accuracy",
    "agreement",
    "ambiguity",
    "bias",
    "consensus",
    "contribution",
    "correlation",
    "dependence",
    "difficulty",
    "intersections",
    "queue",
    "robustness",
    "rotations",
    "statuses",
)
"""The parts of a summary that are tables of numbers, written with full precision."""


def write_report(
    report: AuditReport, folder: Path, *, read_picture: ReadPicture | None = None
) -> list[Path]:
    """Write all files of a report into a folder, each whole or not at all.

    Args:
        report: the report.
        folder: the folder.
        read_picture: reads the frames that tests showed; None if there are none to read.

    Returns:
        The files written but for thumbnails, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    plain = report.to_plain()
    texts = {
        "report.html": write_html(report),
        "report.md": write_markdown(report),
        "report.json": json.dumps(plain, ensure_ascii=False, indent=1) + "\n",
    }
    texts |= {f"tables/{table.name}.tex": write_latex(table) for table in make_tables(report)}
    for name in _CSV_TABLES:
        texts[f"tables/{name}.csv"] = _write_csv(plain["summary"][name])
    texts["tables/findings.csv"] = _write_csv(plain["findings"])
    refinement = plain["refinement"] or {"rows": [], "agreement": []}
    texts["tables/refinement.csv"] = _write_csv(refinement["rows"])
    texts["tables/reviewers.csv"] = _write_csv(refinement["agreement"])
    texts["tables/samples.csv"] = report.samples.write_csv()
    try:
        thumbnails = write_thumbnails(report.views, folder / "thumbnails", read_picture)
        pages = write_sample_pages(report, thumbnails)
        texts |= {f"samples/{name}": text for name, text in pages.items()}
        for name, text in texts.items():
            write_whole(folder / name, text.encode())
        remove_others(folder / "samples", "*.html", pages)
    except OSError as error:
        raise RunError(
            f"{folder}: the report cannot be written there ({error.strerror}); make room or mend "
            f"its permissions, then run 'oasis report'"
        ) from error
    return [folder / name for name in texts]


def _write_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    return write_csv(rows[0] if rows else (), (row.values() for row in rows))
