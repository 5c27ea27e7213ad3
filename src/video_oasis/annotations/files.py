"""Annotation files to numbered rows of plain data: JSON, JSONL, CSV, TSV, Parquet and Arrow."""

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import polars as pl

from video_oasis.annotations.rows import RawRow
from video_oasis.errors import BenchmarkError

DATA_SUFFIXES: Final = (".parquet", ".arrow", ".jsonl", ".ndjson", ".json", ".csv", ".tsv")
"""Endings of the files that can be read, whatever their case."""

_DELIMITERS: Final = {".csv": ",", ".tsv": "\t"}
_LARGEST_FIELD = 2**31 - 1
_SHARD_NUMBER: Final = re.compile(r"-\d+-of-\d+$")
# What the datasets library writes beside the data of a folder.
_DESCRIPTIONS: Final = frozenset(
    {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"}
)


def find_files(root: Path, *patterns: str) -> tuple[Path, ...]:
    """Find the released files of a benchmark.

    Args:
        root: the folder they lie in, or one such file itself, whatever its name.
        patterns: names to look for below the folder, in order; the first that is there counts.

    Returns:
        The files in order of name: the shards of one table, or one file for each task.

    Raises:
        BenchmarkError: nothing is there; the message says what was looked for and what was found.
    """
    if root.is_file():
        return (root,)
    if not root.is_dir():
        raise BenchmarkError(
            f"{root}: no such file or folder; expected {_either(patterns)}, or the folder it is in"
        )
    for pattern in patterns:
        if found := sorted(path for path in root.glob(pattern) if path.is_file()):
            return tuple(found)
    there = sorted(path.name for path in root.iterdir())
    raise BenchmarkError(
        f"{root}: no {_either(patterns)} in this folder; it holds {_some(there) or 'nothing'}. "
        f"Give the folder of the released files, or the file itself"
    )


def find_file(root: Path, *patterns: str) -> Path:
    """Find the one released file of a benchmark, as ``find_files`` does.

    Raises:
        BenchmarkError: nothing is there, or several files are.
    """
    found = find_files(root, *patterns)
    if len(found) > 1:
        raise BenchmarkError(
            f"{root}: {_some([path.name for path in found])} all fit; give the one to read"
        )
    return found[0]


def find_shards(root: Path, *, split: str | None = None) -> tuple[Path, ...]:
    """Find the data files of a data set of any make, such as a Hugging Face dataset folder.

    Args:
        root: a data file, or a folder with the shards of one split at any depth.
        split: the split to read where the folder has several, such as ``test``. The split of a
            shard is its path below the folder without ``-00000-of-00002``, without ending, and
            without parts that are just ``data``: ``Subset/test``.

    Raises:
        BenchmarkError: nothing is there, or splits or formats are mixed.
    """
    if root.is_file():
        return (root,)
    if not root.is_dir():
        raise BenchmarkError(f"{root}: no such file or folder; expected a file of questions")
    shards: dict[str, list[Path]] = {}
    for path in sorted(root.rglob("*")):
        hidden = any(part.startswith(".") for part in path.relative_to(root).parts)
        if not hidden and path.suffix.lower() in DATA_SUFFIXES and path.name not in _DESCRIPTIONS:
            shards.setdefault(_split_name(path, root), []).append(path)
    if not shards:
        raise BenchmarkError(
            f"{root}: no data file in this folder; expected one that ends in "
            f"{_either(DATA_SUFFIXES)}"
        )
    if split is None and len(shards) > 1:
        raise BenchmarkError(
            f"{root}: several splits or tables ({_some(list(shards))}); name the split to read, or "
            f"give the path of one file"
        )
    chosen = next(iter(shards)) if split is None else split
    if chosen not in shards:
        raise BenchmarkError(f"{root}: no split {chosen!r}; there are: {_some(list(shards))}")
    found = shards[chosen]
    if len({path.suffix.lower() for path in found}) > 1:
        raise BenchmarkError(
            f"{root}: split {chosen!r} is there in several formats "
            f"({_some([path.name for path in found])}); give the path of one file"
        )
    return tuple(found)


def read_files(paths: tuple[Path, ...], *, root: Path) -> Iterator[RawRow]:
    """Read files one after the other.

    Args:
        paths: the files.
        root: the folder (or file) the user gave; rows name their file relative to it.
    """
    for path in paths:
        yield from read_file(path, root=root)


def read_file(path: Path, *, root: Path, delimiter: str | None = None) -> list[RawRow]:
    """Read one file; its ending tells the format.

    In CSV and TSV every value is text as it stands ("None" and "NA" too). Elsewhere a number that
    is not a number is null.

    Args:
        path: the file.
        root: as for ``read_files``.
        delimiter: what separates the values of CSV and TSV, where it is not what the ending says.

    Returns:
        At least one row, numbered from 1: by record; in JSONL by line.

    Raises:
        BenchmarkError: the file is missing, empty, not in its format, or not in UTF-8.
    """
    name = path.name if path == root else path.relative_to(root).as_posix()
    suffix = path.suffix.lower()
    if suffix not in DATA_SUFFIXES:
        raise BenchmarkError(
            f"{path}: cannot tell the format from the ending {path.suffix!r}; expected "
            f"{_either(DATA_SUFFIXES)}"
        )
    if suffix in (".parquet", ".arrow"):
        records = _read_columnar(path)
    else:
        text = read_text(path)
        if suffix == ".json":
            records = _read_json(path, text)
        elif suffix in _DELIMITERS:
            records = _read_delimited(path, text, delimiter or _DELIMITERS[suffix])
        else:
            records = _read_json_lines(path, text)
    rows = [RawRow(file=name, number=number, columns=record) for number, record in records]
    if not rows:
        raise BenchmarkError(f"{path}: no rows; expected one for each question")
    return rows


def read_text(path: Path) -> str:
    """Read a file in UTF-8, with or without a byte order mark.

    Raises:
        BenchmarkError: the file is missing, empty or not in UTF-8.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error.strerror})") from error
    if not content.strip():
        raise BenchmarkError(f"{path}: the file is empty")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise BenchmarkError(
            f"{path} line {line}: byte 0x{content[error.start]:02x} is not UTF-8; save the file in "
            f"UTF-8"
        ) from error


def _parse_json(path: Path, text: str, first_line: int) -> Any:
    try:
        return json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        cut = "" if text.rstrip().endswith(("]", "}")) else "; the end seems to be missing"
        raise BenchmarkError(
            f"{path} line {line}: not JSON: {error.msg} at column {error.colno}{cut}"
        ) from error
    except RecursionError as error:
        raise BenchmarkError(f"{path} line {first_line}: JSON nested too deeply") from error


def _read_json(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    value = _parse_json(path, text, first_line=1)
    if isinstance(value, Mapping):
        lists = [item for item in value.values() if isinstance(item, list)]
        value = lists[0] if len(lists) == 1 else value
    if not isinstance(value, list):
        raise BenchmarkError(
            f"{path}: a JSON {_kind(value)}; expected a list of objects, one for each question, or "
            f"an object with one such list in it"
        )
    for number, record in enumerate(value, start=1):
        yield number, _require_record(record, f"{path} row {number}")


def _read_json_lines(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    # Not splitlines(): JSON strings may hold U+2028 and the like unescaped.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            record = _parse_json(path, line, first_line=number)
            yield number, _require_record(record, f"{path} line {number}")


def _read_delimited(path: Path, text: str, delimiter: str) -> Iterator[tuple[int, dict[str, Any]]]:
    csv.field_size_limit(_LARGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        header = next(reader)
        if repeated := sorted({name for name in header if header.count(name) > 1}):
            raise BenchmarkError(f"{path} line 1: column name {repeated[0]!r} repeats")
        line = reader.line_num + 1
        for number, values in enumerate(filter(None, reader), start=1):
            if len(values) != len(header):
                raise BenchmarkError(
                    f"{path} line {line}: {len(values)} values, but {len(header)} columns in line "
                    f"1; is a delimiter unquoted, or the line cut?"
                )
            yield number, dict(zip(header, values, strict=True))
            line = reader.line_num + 1
    except csv.Error as error:
        raise BenchmarkError(f"{path} line {reader.line_num}: {error}") from error


def _read_columnar(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        if path.suffix.lower() == ".parquet":
            table = pl.read_parquet(path, glob=False)
        else:
            table = pl.read_ipc_stream(path)
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error})") from error
    except pl.exceptions.PolarsError as error:
        raise BenchmarkError(
            f"{path}: not a readable {path.suffix.lower()} file, or cut off ({error})"
        ) from error
    floats = table.select(pl.selectors.float()).columns
    yield from enumerate(
        table.with_columns(pl.col(floats).fill_nan(None)).iter_rows(named=True), start=1
    )


def _require_record(value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BenchmarkError(f"{where}: a JSON {_kind(value)}; expected an object with columns")
    return value


def _kind(value: Any) -> str:
    names = {dict: "object", list: "list", str: "string", type(None): "null", bool: "boolean"}
    return names.get(type(value), "number")


def _split_name(path: Path, root: Path) -> str:
    named = path.relative_to(root).with_name(_SHARD_NUMBER.sub("", path.stem))
    return "/".join(part for part in named.parts if part != "data") or "data"


def _either(names: tuple[str, ...]) -> str:
    return " or ".join(names)


def _some(names: list[str], *, most: int = 10) -> str:
    shown = ", ".join(names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown
