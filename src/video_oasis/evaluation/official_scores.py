"""Reads a file of published scores, to compare ours with."""

import csv
import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from video_oasis.analysis.reproduction import OfficialScore
from video_oasis.errors import SettingsError
from video_oasis.toml_file import read_toml

_COLUMNS: Final = ("model", "benchmark", "score", "source")


def read_official_scores(file: Path) -> tuple[OfficialScore, ...]:
    """Read published accuracies in percent, with their sources.

    Args:
        file: a CSV file with the columns ``model, benchmark, score, source``, or a TOML file with
            tables ``[[scores]]`` that have these keys.

    Raises:
        SettingsError: the file cannot be read, or a row is wrong.
    """
    if file.suffix == ".toml":
        rows = read_toml(file).get("scores", [])
    elif file.suffix == ".csv":
        rows = list(csv.DictReader(io.StringIO(_read_text(file), newline="")))
    else:
        raise SettingsError(f"{file}: ends in {file.suffix or 'nothing'!r}; expected .toml or .csv")
    if not isinstance(rows, list) or not rows:
        raise SettingsError(
            f"{file}: no scores; expected a row for each, with {', '.join(_COLUMNS)}"
        )
    return tuple(_read_score(row, f"{file} score {number}") for number, row in enumerate(rows, 1))


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{file}: cannot be read ({error})") from error


def _read_score(row: Any, where: str) -> OfficialScore:
    if not isinstance(row, Mapping) or set(row) != set(_COLUMNS):
        found = ", ".join(map(str, row)) if isinstance(row, Mapping) else repr(row)
        raise SettingsError(f"{where}: found {found}; expected {', '.join(_COLUMNS)}")
    for name in ("model", "benchmark", "source"):
        if not isinstance(row[name], str) or not row[name].strip():
            raise SettingsError(f"{where}: {name} is {row[name]!r}; expected text")
    try:
        percent = float(row["score"])
    except (TypeError, ValueError):
        percent = math.nan
    if not 1 < percent <= 100:
        raise SettingsError(
            f"{where}: score is {row['score']!r}; expected percent, more than 1 and at most 100"
        )
    return OfficialScore(
        model=row["model"].strip(),
        benchmark=row["benchmark"].strip(),
        score=percent / 100,
        source=row["source"].strip(),
    )
