"""Reads and writes files of judgements, JSONL or CSV, to exchange and merge them."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from video_oasis.csv_text import write_csv
from video_oasis.errors import JudgementsError, SchemaError
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.rows import FIELDS, parse_judgement
from video_oasis.whole_file import write_whole

_SUFFIXES: Final = (".jsonl", ".csv")
_BAD_ROWS_NAMED: Final = 20
# Tables with gaps make 2.0 of 2.
_WHOLE_NUMBER: Final = re.compile(r"[+-]?\d+(\.0+)?", re.ASCII)


def read_judgements(
    path: Path, check: Callable[[Judgement], object] | None = None
) -> tuple[Judgement, ...]:
    """Read a file of judgements, each once.

    Args:
        path: the file; its ending says what it is.
        check: what else to ask of each, such as ``matching.match_sample``; a ``SchemaError`` that
            it raises is reported with the row.

    Raises:
        JudgementsError: the file cannot be read, or rows are wrong: the message names each with
            what is wrong with it, and nothing is returned.
    """
    suffix = _find_suffix(path)
    try:
        # Spreadsheets begin their files with a byte-order mark.
        text = path.read_bytes().decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except OSError as error:
        raise JudgementsError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise JudgementsError(f"{path}: not text in UTF-8 ({error}); save it as UTF-8") from error
    judgements: dict[Judgement, None] = {}
    bad: list[str] = []
    for number, parse in _list_lines(text) if suffix == ".jsonl" else _list_records(text, path):
        try:
            judgement = parse_judgement(parse())
            if check is not None:
                check(judgement)
        except (ValueError, RecursionError) as error:
            bad.append(f"{path} row {number}: {error}")
        else:
            judgements[judgement] = None
    if bad:
        n_more = len(bad) - _BAD_ROWS_NAMED
        more = [f"and {n_more} more rows"] if n_more > 0 else []
        raise JudgementsError("\n".join([*bad[:_BAD_ROWS_NAMED], *more]))
    return tuple(judgements)


def write_judgements(judgements: Iterable[Judgement], path: Path) -> None:
    """Write a file that ``read_judgements`` reads back to the same; its ending says what it is.

    Raises:
        JudgementsError: the file cannot be written.
    """
    rows = [each.plain() for each in judgements]
    if _find_suffix(path) == ".jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    else:
        text = write_csv(FIELDS, ([row[field] for field in FIELDS] for row in rows))
    try:
        write_whole(path, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise JudgementsError(f"{path}: cannot be written ({error.strerror})") from error


def merge(*sets: Iterable[Judgement]) -> tuple[Judgement, ...]:
    """Return every judgement of any set once, in the order they were made."""
    every = {each for judgements in sets for each in judgements}
    return tuple(sorted(every, key=lambda each: (each.made_at, each.id)))


def _find_suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise JudgementsError(
            f"{path}: ends in {path.suffix or 'nothing'!r}; expected {' or '.join(_SUFFIXES)}"
        )
    return suffix


def _list_lines(text: str) -> Iterator[tuple[int, Callable[[], Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, partial(json.loads, line)


def _list_records(text: str, path: Path) -> Iterator[tuple[int, Callable[[], Any]]]:
    try:
        records = [*filter(None, csv.reader(io.StringIO(text, newline=""), strict=True))]
    except csv.Error as error:
        raise JudgementsError(f"{path}: not CSV ({error})") from error
    head = records[0] if records else []
    if set(head) - set(FIELDS) or len(set(head)) < len(head) or not head:
        raise JudgementsError(
            f"{path}: the first line is {','.join(head)!r}; expected the names of the fields, each "
            f"once: {','.join(FIELDS)}"
        )
    for number, record in enumerate(records[1:], start=1):
        yield number, partial(_parse_record, head, record)


def _parse_record(head: list[str], record: list[str]) -> dict[str, Any]:
    if len(record) != len(head):
        raise SchemaError(f"{len(record)} cells; expected {len(head)}, as the first line has")
    row: dict[str, Any] = dict(zip(head, record, strict=True))
    choice = row.pop("choice", "")
    if _WHOLE_NUMBER.fullmatch(choice):
        row["choice"] = int(choice.partition(".")[0])
    elif choice:
        row["choice"] = choice
    return row
