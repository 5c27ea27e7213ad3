"""Checked access to nested values of an annotation file, each of which knows where it stands."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from video_oasis.annotations.rows import RowFault
from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Value:
    """A value and its place within its record.

    Attributes:
        place: such as ``motion_trajectory[3].objects[0].velocity``; ``row`` for a whole record.
        plain: the value as the file has it.
    """

    place: str
    plain: Any

    def __getitem__(self, name: str) -> "Value":
        """Return a member of an object.

        Raises:
            RowFault: this is no object, or it has no such member.
        """
        place = name if self.place == "row" else f"{self.place}.{name}"
        if not isinstance(self.plain, Mapping):
            raise self._unlike("an object")
        if name not in self.plain:
            there = ", ".join(map(str, self.plain)) or "nothing"
            raise RowFault(place, "column_missing", f"not there; there are: {there}")
        return Value(place, self.plain[name])

    def get(self, name: str) -> "Value | None":
        """Return a member of an object, None if it is absent or null.

        Raises:
            RowFault: this is no object.
        """
        if not isinstance(self.plain, Mapping):
            raise self._unlike("an object")
        return None if self.plain.get(name) is None else self[name]

    def items(self) -> "list[Value]":
        """Return the items of a list.

        Raises:
            RowFault: this is no list.
        """
        if not isinstance(self.plain, list):
            raise self._unlike("a list")
        return [Value(f"{self.place}[{i}]", item) for i, item in enumerate(self.plain)]

    def members(self) -> "list[tuple[str, Value]]":
        """Return the members of an object with their names.

        Raises:
            RowFault: this is no object.
        """
        if not isinstance(self.plain, Mapping):
            raise self._unlike("an object")
        return [(str(name), self[name]) for name in self.plain]

    def number(self) -> float:
        """Return a finite number.

        Raises:
            RowFault: this is none.
        """
        if isinstance(self.plain, int | float) and not isinstance(self.plain, bool):
            try:
                number = float(self.plain)
            except OverflowError:
                number = math.inf
            if math.isfinite(number):
                return number
        raise self._unlike("a number")

    def whole(self) -> int:
        """Return a whole number, 0 or more.

        Raises:
            RowFault: this is none.
        """
        number = self.number()
        if number < 0 or number != int(number):
            raise self._unlike("a whole number of 0 or more")
        return int(number)

    def seconds(self) -> float:
        """Return a time, 0 or more.

        Raises:
            RowFault: this is none.
        """
        number = self.number()
        if number < 0:
            raise self._unlike("a time of 0 or more")
        return number

    def flag(self) -> bool:
        """Return a truth value.

        Raises:
            RowFault: this is none.
        """
        if isinstance(self.plain, bool):
            return self.plain
        raise self._unlike("true or false")

    def text(self) -> str:
        """Return a text that is not empty.

        Raises:
            RowFault: this is none.
        """
        if isinstance(self.plain, str) and self.plain.strip():
            return self.plain.strip()
        raise self._unlike("a text")

    def _unlike(self, expected: str) -> RowFault:
        shown = repr(self.plain)
        shown = shown if len(shown) <= 60 else f"{shown[:60]}…"
        return RowFault(self.place, "value_unreadable", f"{shown}; expected {expected}")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands.

    Attributes:
        file: the file, relative to what the user gave.
        row: its number in the file, from 1.
        key: what the file calls it; empty where it has no name.
    """

    file: str
    row: int
    key: str


def take_records(
    source: str, records: Iterable[tuple[Place, T]], take: Callable[[T], Any]
) -> Iterator[Any]:
    """Turn records into what a source reads from them, and those at fault into bad rows.

    A record whose key an earlier one has is at fault too: its answers could be mixed up.

    Args:
        source: name of the source.
        records: what stands where.
        take: makes the source's record; may raise ``RowFault``.
    """
    first: dict[str, Place] = {}
    for place, record in records:
        try:
            claim_key(place, first)
            yield take(record)
        except RowFault as fault:
            yield make_bad_row(source, place, fault)


def claim_key(place: Place, taken: dict[str, Place]) -> None:
    """Note a record's key.

    Args:
        place: where the record stands.
        taken: the keys so far, and where they stand; the key is added.

    Raises:
        RowFault: an earlier record has it.
    """
    if place.key and place.key in taken:
        other = taken[place.key]
        raise RowFault("key", "key_repeated", f"the same as {other.file} row {other.row}; keep one")
    taken[place.key] = place


def make_bad_row(source: str, place: Place, fault: RowFault) -> BadRow:
    """Return the bad row of a record at fault."""
    return BadRow(
        benchmark=source,
        file=place.file,
        row=place.row,
        id=place.key,
        field=fault.column,
        code=fault.code,
        message=str(fault),
    )


def name_file(path: Path, root: Path) -> str:
    """Name a file relative to the folder (or file) the user gave."""
    return path.name if path == root else path.relative_to(root).as_posix()


def read_text(path: Path) -> str:
    """Return the text of a file.

    Raises:
        BenchmarkError: it cannot be read, or is not in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BenchmarkError(f"{path}: not in UTF-8 ({error}); save the file in UTF-8") from error


def read_json(path: Path) -> Any:
    """Return what a JSON file holds; numbers that are none (NaN) are null.

    Raises:
        BenchmarkError: it cannot be read, or is not JSON.
    """
    try:
        return json.loads(read_text(path), parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise BenchmarkError(
            f"{path} line {error.lineno}: not JSON: {error.msg}; is the file cut?"
        ) from error
    except ValueError as error:
        raise BenchmarkError(f"{path}: a value that cannot be read: {error}") from error
    except RecursionError as error:
        raise BenchmarkError(f"{path}: JSON nested too deeply") from error


def read_lines(path: Path, root: Path) -> Iterator[tuple[Place, str]]:
    """Give the lines of a text file that are not blank, without keys.

    Raises:
        BenchmarkError: as for ``read_text``.
    """
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            yield Place(name_file(path, root), number, ""), line.strip()
