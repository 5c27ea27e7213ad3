"""An audit report as Markdown."""

from video_oasis.report.document import AuditReport
from video_oasis.report.headline import write_caveats, write_headlines
from video_oasis.report.tables import make_tables
from video_oasis.report.tables.table import Table


def write_markdown(report: AuditReport) -> str:
    """Write the whole report as one Markdown text."""
    parts = ["# Audit report"]
    for benchmark, sentences in write_headlines(report).items():
        parts.append(f"**{escape(benchmark)}**")
        parts.append("\n".join(f"- {escape(sentence)}" for sentence in sentences))
    if caveats := write_caveats(report):
        parts.append("**Read this with care**")
        parts.append("\n".join(f"- {escape(caveat)}" for caveat in caveats))
    parts.extend(write_table(table) for table in make_tables(report))
    bad_rows = [row for rows in report.rows for row in rows.bad_rows]
    if bad_rows:
        parts.append("## Rows left out")
        parts.append("\n".join(f"- {escape(row)}" for row in bad_rows))
    parts.append(f"Made by video-oasis {report.version}; every number is in `report.json`.")
    return "\n\n".join(parts) + "\n"


def write_table(table: Table) -> str:
    """Write a table under its title."""
    n_numbers = len(table.head) - table.n_text_columns
    lines = [
        _write_line(tuple(map(escape, table.head))),
        _write_line((":---",) * table.n_text_columns + ("---:",) * n_numbers),
        *(_write_line(tuple(map(escape, row))) for row in table.rows),
    ]
    parts = (f"## {escape(table.title)}", escape(table.note), "\n".join(lines))
    return "\n\n".join(part for part in parts if part)


def _write_line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def escape(text: str) -> str:
    """Keep benchmark text from being read as Markdown."""
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())
