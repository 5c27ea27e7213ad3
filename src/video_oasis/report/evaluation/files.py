"""Writes the files of an evaluation: page, Markdown, JSON, and tables as CSV and LaTeX."""

import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.frames import row_schema
from video_oasis.analysis.gap import GapRow
from video_oasis.analysis.mode_union import UnionRow
from video_oasis.analysis.model_pairs import ModelPairRow
from video_oasis.analysis.reproduction import ReproductionRow
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.page import write_page
from video_oasis.report.evaluation.sentences import write_caveats, write_verdict
from video_oasis.report.evaluation.tables import make_tables
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_document
from video_oasis.report.text_files import write_texts


def write_evaluation(report: EvaluationReport, folder: Path) -> list[Path]:
    """Write all files of an evaluation into a folder, each whole or not at all.

    Returns:
        The files written, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    texts = {
        "evaluation.html": write_page(report),
        "evaluation.md": _write_markdown(report),
        "evaluation.json": json.dumps(to_plain_data(report), ensure_ascii=False, indent=1) + "\n",
    }
    texts |= {f"tables/{table.name}.tex": write_latex(table) for table in make_tables(report)}
    texts |= {f"tables/{name}.csv": text for name, text in _write_csv_files(report).items()}
    return write_texts(texts, folder, what="the evaluation")


def to_plain_data(report: EvaluationReport) -> dict[str, Any]:
    """Return nested dicts that JSON can carry: the report, and what it comes to in words."""
    return {
        "verdict": write_verdict(report),
        "caveats": write_caveats(report),
        **report.to_plain(),
    }


def _write_markdown(report: EvaluationReport) -> str:
    return write_document(
        "Evaluation",
        write_verdict(report),
        write_caveats(report),
        make_tables(report),
        closing=f"Made by video-oasis {report.version}; every number is in `evaluation.json` and "
        f"in `tables/*.csv`.",
    )


def _write_csv_files(report: EvaluationReport) -> dict[str, str]:
    """Write every number with full precision, the rows of all sets together."""
    found = [
        ((findings.name, each.grouping, each.group), each)
        for findings in report.findings
        for each in (findings.whole, *findings.groups)
    ]
    in_groups = ("set", "grouping", "sample_group")
    return {
        "accuracy": _write_csv(
            AccuracyRow, in_groups, ((place, row) for place, each in found for row in each.accuracy)
        ),
        "unions": _write_csv(
            UnionRow, in_groups, ((place, row) for place, each in found for row in each.unions)
        ),
        "views": _write_csv(
            ModelPairRow, in_groups, ((place, row) for place, each in found for row in each.views)
        ),
        "pairs": _write_csv(
            ModelPairRow,
            ("set",),
            (((each.name,), row) for each in report.findings for row in each.pairs),
        ),
        "gaps": _write_csv(
            GapRow, ("set",), (((name,), row) for name, rows in report.gaps.items() for row in rows)
        ),
        "reproduction": _write_csv(ReproductionRow, (), (((), row) for row in report.reproduction)),
    }


def _write_csv(
    row_type: type, places: tuple[str, ...], rows: Iterable[tuple[tuple[str, ...], Any]]
) -> str:
    """Write rows behind the columns that say what each is of."""
    schema = dict.fromkeys(places, pl.String()) | row_schema(row_type)
    plain = [dict(zip(places, place, strict=True)) | asdict(row) for place, row in rows]
    return pl.DataFrame(plain, schema=schema).write_csv()
