"""Writes the files of the report on judges: page, Markdown, JSON, and tables as CSV and LaTeX."""

import io
import json
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.csv_text import write_csv
from video_oasis.errors import RunError
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_document
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.page import write_page
from video_oasis.report.open_ended.sentences import write_caveats, write_verdict
from video_oasis.report.open_ended.tables import make_tables
from video_oasis.report.text_files import write_texts
from video_oasis.whole_file import write_whole


def write_judges(report: JudgeReport, grades: pl.DataFrame, folder: Path) -> list[Path]:
    """Write all files of the report into a folder, each whole or not at all.

    Args:
        report: the report.
        grades: the grade table, kept as Parquet for other programs.
        folder: the folder.

    Returns:
        The files written, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    texts = {
        "judges.html": write_page(report),
        "judges.md": _write_markdown(report),
        "judges.json": json.dumps(to_plain_data(report), ensure_ascii=False, indent=1) + "\n",
    }
    for table in make_tables(report):
        texts[f"tables/{table.name}.csv"] = write_csv(table.head, table.rows)
        texts[f"tables/{table.name}.tex"] = write_latex(table)
    files = write_texts(texts, folder, what="the report on judges")
    parquet = io.BytesIO()
    grades.write_parquet(parquet)
    try:
        write_whole(folder / "grades.parquet", parquet.getvalue())
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror})") from error
    return [*files, folder / "grades.parquet"]


def to_plain_data(report: JudgeReport) -> dict[str, Any]:
    """Return nested dicts that JSON can carry: the report, and what it comes to in words."""
    return {
        "verdict": write_verdict(report),
        "caveats": write_caveats(report),
        **report.to_plain(),
    }


def _write_markdown(report: JudgeReport) -> str:
    return write_document(
        "Judges of open questions",
        write_verdict(report),
        write_caveats(report),
        make_tables(report),
        closing=f"Made by video-oasis {report.version}; every number is in `judges.json`, and "
        f"every grade in `grades.parquet`.",
    )
