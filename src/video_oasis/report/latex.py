"""The tables of an audit report as LaTeX, for the ``booktabs`` package."""

from typing import Final

from video_oasis.report.tables.table import Table

_ESCAPES: Final = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "$": r"\$",
        "&": r"\&",
        "#": r"\#",
        "%": r"\%",
        "_": r"\_",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "–": "--",
        "−": "$-$",
    }
)


def write_latex(table: Table) -> str:
    """Write one table as a ``table`` environment with caption and label."""
    columns = "l" * table.n_text_columns + "r" * (len(table.head) - table.n_text_columns)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{_escape(table.title)}. {_escape(table.note)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _write_line(table.head),
        r"\midrule",
        *map(_write_line, table.rows),
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _write_line(cells: tuple[str, ...]) -> str:
    return " & ".join(map(_escape, cells)) + r" \\"


def _escape(text: str) -> str:
    return " ".join(text.split()).translate(_ESCAPES)
