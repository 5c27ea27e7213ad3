"""Writes the files of a calibration: page, Markdown, JSON, and tables as CSV and LaTeX."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.calibration import FindingRow
from video_oasis.analysis.frames import row_schema
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.calibration.page import write_page
from video_oasis.report.calibration.sentences import write_verdict
from video_oasis.report.calibration.tables import make_tables
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import escape, write_table
from video_oasis.report.text_files import write_texts


def write_calibration(report: CalibrationReport, folder: Path) -> list[Path]:
    """Write all files of a calibration into a folder, each whole or not at all.

    Returns:
        The files written, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    calibration = report.calibration
    texts = {
        "calibration.html": write_page(report),
        "calibration.md": _write_markdown(report),
        "calibration.json": json.dumps(to_plain_data(report), ensure_ascii=False, indent=1) + "\n",
        "tables/findings.csv": _write_csv(calibration.findings, FindingRow),
        "tables/accuracy.csv": _write_csv(calibration.accuracy, AccuracyRow),
    }
    texts |= {f"tables/{table.name}.tex": write_latex(table) for table in make_tables(report)}
    return write_texts(texts, folder, what="the calibration")


def to_plain_data(report: CalibrationReport) -> dict[str, Any]:
    """Return nested dicts that JSON can carry, with what follows from the numbers.

    Returns:
        The fields of the report, ``is_sound``, ``threshold`` (the best of the
        union) and ``verdict`` (sentences).
    """
    return {
        "is_sound": report.is_sound,
        "threshold": report.calibration.threshold,
        "verdict": write_verdict(report),
        **asdict(report),
    }


def _write_markdown(report: CalibrationReport) -> str:
    parts = [
        "# Calibration",
        "\n".join(f"- {escape(sentence)}" for sentence in write_verdict(report)),
        "\n".join(f"- *{escape(kind)}*: {escape(words)}" for kind, words in report.kinds.items()),
        *map(write_table, make_tables(report)),
        f"Made by video-oasis {report.version}; every number is in `calibration.json`.",
    ]
    return "\n\n".join(parts) + "\n"


def _write_csv(rows: tuple[FindingRow, ...] | tuple[AccuracyRow, ...], row_type: type) -> str:
    return pl.DataFrame([asdict(row) for row in rows], schema=row_schema(row_type)).write_csv()
