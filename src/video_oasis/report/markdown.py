"""An audit report as Markdown."""

from video_oasis.report.document import AuditReport
from video_oasis.report.headline import write_caveats, write_headlines
from video_oasis.report.tables import Table, make_tables


def write_markdown(report: AuditReport) -> str:
    """Write the whole report as one Markdown text."""
    parts = ["# Audit report"]
    for benchmark, sentences in write_headlines(report).items():
        parts.append(f"**{_escape(benchmark)}**")
        parts.append("\n".join(f"- {_escape(sentence)}" for sentence in sentences))
    if caveats := write_caveats(report):
        parts.append("**Read this with care**")
        parts.append("\n".join(f"- {_escape(caveat)}" for caveat in caveats))
    parts.extend(_write_table(table) for table in make_tables(report))
    bad_rows = [row for rows in report.rows for row in rows.bad_rows]
    if bad_rows:
        parts.append("## Rows left out")
        parts.append("\n".join(f"- {_escape(row)}" for row in bad_rows))
    parts.append(f"Made by video-oasis {report.version}; every number is in `report.json`.")
    return "\n\n".join(parts) + "\n"


def _write_table(table: Table) -> str:
    n_numbers = len(table.head) - table.n_text_columns
    lines = [
        _write_line(table.head),
        _write_line((":---",) * table.n_text_columns + ("---:",) * n_numbers),
        *(_write_line(tuple(map(_escape, row))) for row in table.rows),
    ]
    return "\n\n".join(part for part in (f"## {table.title}", table.note, "\n".join(lines)) if part)


def _write_line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    """Keep benchmark text from being read as Markdown."""
    for character in "\\`*_[]<>|#":
        text = text.replace(character, f"\\{character}")
    return " ".join(text.split())
