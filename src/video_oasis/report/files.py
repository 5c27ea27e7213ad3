"""Writes a report's files: report.json, report.md, report.html and a CSV and LaTeX file a table."""

import csv
import io
import json
from pathlib import Path

from video_oasis.errors import RunError
from video_oasis.report.document import AuditReport
from video_oasis.report.html import write_html
from video_oasis.report.latex import write_latex
from video_oasis.report.markdown import write_markdown
from video_oasis.report.tables import Table, make_tables


def write_report(report: AuditReport, folder: Path) -> list[Path]:
    """Write all files of a report into a folder, each whole or not at all.

    Returns:
        The files written, the page for people first.

    Raises:
        RunError: the folder cannot be written.
    """
    texts = {
        "report.html": write_html(report),
        "report.md": write_markdown(report),
        "report.json": json.dumps(report.to_plain(), ensure_ascii=False, indent=1) + "\n",
    }
    for table in make_tables(report):
        texts[f"tables/{table.name}.csv"] = _write_csv(table)
        texts[f"tables/{table.name}.tex"] = write_latex(table)
    try:
        for name, text in texts.items():
            _replace(folder / name, text)
    except OSError as error:
        raise RunError(
            f"{folder}: the report cannot be written there ({error.strerror}); make room or mend "
            f"its permissions, then run 'oasis report'"
        ) from error
    return [folder / name for name in texts]


def _write_csv(table: Table) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.head)
    writer.writerows(table.rows)
    return text.getvalue()


def _replace(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}.part")
    unfinished.write_text(text, encoding="utf-8")
    unfinished.replace(file)
