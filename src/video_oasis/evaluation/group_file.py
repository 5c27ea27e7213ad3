"""Reads a file that sorts samples into groups, such as the categories of ``oasis categorize``."""

import csv
import io
import json
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.analysis.evaluation import Grouping
from video_oasis.errors import SettingsError
from video_oasis.schema import SampleKey

_KEY: Final = ("benchmark", "sample_id")
_SUFFIXES: Final = (".csv", ".jsonl", ".parquet")


def read_grouping(name: str, file: Path, samples: Collection[SampleKey]) -> Grouping:
    """Read the group of each sample; rows of other samples and rows without a group are left out.

    Args:
        name: the column that holds the group, which is also the grouping's name.
        file: a JSONL, CSV or Parquet file with the columns ``benchmark``, ``sample_id`` and that.
        samples: the samples to sort.

    Returns:
        The grouping, groups in the order of their first appearance in the file.

    Raises:
        SettingsError: the file cannot be read, a row is wrong, a sample has two groups, or no
            sample of the file is among these.
    """
    of_sample: dict[SampleKey, str] = {}
    groups: dict[str, None] = {}
    for number, row in enumerate(_read(file), start=1):
        absent = [column for column in (*_KEY, name) if column not in row]
        if absent:
            raise SettingsError(
                f"{file} row {number}: no {', '.join(absent)} among {', '.join(map(str, row))}; "
                f"expected the columns benchmark, sample_id and {name}"
            )
        if row[name] is None or not str(row[name]).strip():
            continue
        key, group = (str(row["benchmark"]), str(row["sample_id"])), str(row[name]).strip()
        if key not in samples:
            continue
        groups[group] = None
        if of_sample.setdefault(key, group) != group:
            raise SettingsError(
                f"{file} row {number}: {key[0]} sample {key[1]!r} is {group!r} there and "
                f"{of_sample[key]!r} in an earlier row; leave one of them out"
            )
    if not of_sample:
        raise SettingsError(
            f"{file}: gives no sample of the runs a {name}; expected rows such as "
            f'{{"benchmark": "mvbench", "sample_id": "17", "{name}": "..."}}'
        )
    return Grouping(name, tuple(groups), of_sample)


def _read(file: Path) -> Iterator[dict[str, Any]]:
    if file.suffix not in _SUFFIXES:
        raise SettingsError(
            f"{file}: ends in {file.suffix or 'nothing'!r}; expected {', '.join(_SUFFIXES)}"
        )
    try:
        if file.suffix == ".parquet":
            yield from pl.read_parquet(file).iter_rows(named=True)
            return
        text = file.read_bytes().decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except (OSError, UnicodeDecodeError, pl.exceptions.PolarsError) as error:
        raise SettingsError(f"{file}: cannot be read ({error})") from error
    if file.suffix == ".csv":
        yield from csv.DictReader(io.StringIO(text, newline=""))
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield _parse(line, f"{file} line {number}")


def _parse(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise SettingsError(f"{where}: not JSON ({error})") from error
    if not isinstance(row, dict):
        raise SettingsError(
            f"{where}: {line[:80]!r}; expected an object with a field for each column"
        )
    return row
