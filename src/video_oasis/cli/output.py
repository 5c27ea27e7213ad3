"""Prints data on standard output, and notes for people on standard error."""

import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

import typer

_WIDTH: Final = 80

CHARACTERS_PER_TOKEN: Final = 4
"""What the length of a prompt in tokens is estimated by."""


def print_json(data: Any) -> None:
    """Print data as JSON."""
    json.dump(data, sys.stdout, ensure_ascii=False, indent=1)
    typer.echo()


def print_table(rows: Sequence[Mapping[str, str]]) -> None:
    """Print rows of texts in aligned columns, with the keys of the first as heads."""
    if not rows:
        return
    lines = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        typer.echo("  ".join(cells).rstrip())


def print_rows(rows: Sequence[Mapping[str, Any]], *, as_json: bool) -> None:
    """Print rows as JSON or as a table."""
    if as_json:
        print_json(rows)
    else:
        print_table([{name: f"{value}" for name, value in row.items()} for row in rows])


def print_text(text: str, *, indent: str = "") -> None:
    """Print a text in lines that fit a terminal, all but the first indented."""
    typer.echo(textwrap.fill(text, _WIDTH, subsequent_indent=indent))


def print_note(text: str) -> None:
    """Print a note for people, apart from the data."""
    typer.echo(text, err=True)


def print_given_up(gave_up: Mapping[str, str]) -> None:
    """Say which models were not asked everything, and why."""
    for model, reason in gave_up.items():
        print_note(f"{model} was left alone after too many failures in a row: {reason}")


def print_guesses(benchmark: str, guessed: Mapping[str, str]) -> None:
    """Say how a user's own file was understood where the user did not."""
    if guessed:
        print_note(f"{benchmark}: read as")
        for setting, value in guessed.items():
            print_note(f"  {setting} = {value}")
