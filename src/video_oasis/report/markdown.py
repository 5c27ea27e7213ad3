"""Reports as Markdown."""

from collections.abc import Iterable, Sequence

from video_oasis.report.document import AuditReport
from video_oasis.report.headline import write_caveats, write_headlines
from video_oasis.report.tables import make_tables
from video_oasis.report.tables.table import Table


def write_markdown(report: AuditReport) -> str:
    """Write the whole report as one Markdown text."""
    parts = ["# Audit report"]
    for benchmark, sentences in write_headlines(report).items():
        parts.append(f"**{escape(benchmark)}**")
        parts.append(write_list(sentences))
    if caveats := write_caveats(report):
        parts.append("**Read this with care**")
        parts.append(write_list(caveats))
    parts.extend(write_table(table) for table in make_tables(report))
    bad_rows = [row for rows in report.rows for row in rows.bad_rows]
    if bad_rows:
        parts.append("## Rows left out")
        parts.append(write_list(bad_rows))
    parts.append(f"Made by video-oasis {report.version}; every number is in `report.json`.")
    return "\n\n".join(parts) + "\n"


def write_document(
    title: str,
    verdict: Sequence[str],
    caveats: Sequence[str],
    tables: Iterable[Table],
    closing: str,
) -> str:
    """Write a report of sentences and tables as one Markdown text.

    Args:
        title: its title.
        verdict: what it comes to.
        caveats: what to bear in mind.
        tables: the tables.
        closing: its last line, as Markdown.
    """
    parts = [f"# {title}", write_list(verdict)]
    if caveats:
        parts += ["**Read this with care**", write_list(caveats)]
    parts += map(write_table, tables)
    return "\n\n".join(part for part in (*parts, closing) if part) + "\n"


def write_list(sentences: Iterable[str]) -> str:
    """Write sentences as a list."""
    return "\n".join(f"- {escape(sentence)}" for sentence in sentences)


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
