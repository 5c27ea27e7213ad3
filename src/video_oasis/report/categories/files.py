"""Writes the files of a run's categories: page, card, JSON, and tables as CSV and LaTeX."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from video_oasis.csv_text import write_csv
from video_oasis.report.categories.card import write_card
from video_oasis.report.categories.document import CategoriesReport, ModelVotes
from video_oasis.report.categories.page import write_page
from video_oasis.report.categories.tables import make_tables
from video_oasis.report.latex import write_latex
from video_oasis.report.text_files import write_texts
from video_oasis.taxonomy.agreement import PanelAgreement, PanelOverlap
from video_oasis.taxonomy.counts import CrossTable


def write_categories(report: CategoriesReport, folder: Path) -> list[Path]:
    """Write all files of the report into a folder, each whole or not at all.

    Returns:
        The files written, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    texts = {
        "categories.html": write_page(report),
        "README.md": write_card(report),
        "categories.json": json.dumps(report.to_plain(), ensure_ascii=False, indent=1) + "\n",
        "tables/category_by_benchmark.csv": write_counts(report.by_benchmark, "benchmark"),
        "tables/category_by_duration.csv": write_counts(report.by_duration, "category"),
        "tables/category_by_answer_position.csv": write_counts(report.by_position, "category"),
        "tables/votes.csv": _write_rows(ModelVotes, report.votes),
        "tables/panel_overlap.csv": _write_rows(PanelOverlap, report.overlaps),
        "tables/panel_agreement.csv": _write_rows(
            PanelAgreement, [report.agreement] if report.agreement else []
        ),
    }
    texts |= {f"tables/{table.name}.tex": write_latex(table) for table in make_tables(report)}
    return write_texts(texts, folder, what="the categories")


def write_counts(counts: CrossTable, rows_are: str) -> str:
    """Write counts as CSV, without their sums.

    Args:
        counts: the counts.
        rows_are: the title of the first column.
    """
    rows = ((name, *row) for name, row in zip(counts.rows, counts.counts, strict=True))
    return write_csv((rows_are, *counts.columns), rows)


def _write_rows(row_type: type, rows: Sequence[Any]) -> str:
    cells = (
        [" ".join(value) if isinstance(value, tuple) else value for value in asdict(row).values()]
        for row in rows
    )
    return write_csv([field.name for field in fields(row_type)], cells)
