"""Label banks of procedures: each procedure's steps, and the videos that show it.

Written after the released files of SVIP's Chemical Sequence Verification (arXiv 2112.06447):
``label_bank.json`` is an object of procedures with their steps, and lines ``name.MP4 1.2`` of the
split files say which procedure a video shows. A video is called ``1.2/name.MP4``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, find_files
from video_oasis.annotations.rows import RowFault
from video_oasis.errors import BenchmarkError
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import (
    Place,
    Value,
    make_bad_row,
    name_file,
    read_json,
    read_lines,
    take_records,
)
from video_oasis.schema import BadRow

_NAME = "svip"


@dataclass(frozen=True, slots=True)
class ProcedureVideo:
    """One video of one procedure.

    Attributes:
        video: file name, below a folder for each procedure.
        procedure: name of the procedure.
        bank: the steps of every procedure, by name.
    """

    video: str
    procedure: str
    bank: Mapping[str, tuple[str, ...]]

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps that the video shows, in order."""
        return self.bank[self.procedure]


def _read(root: Path) -> Iterator[ProcedureVideo | BadRow]:
    if root.is_file():
        raise BenchmarkError(f"{root}: expected the folder with {SVIP.files}")
    bank_file = find_file(root, "*label_bank*.json", "*.json")
    bank: dict[str, tuple[str, ...]] = {}
    for number, (procedure, steps) in enumerate(_members(bank_file), start=1):
        try:
            bank[procedure] = _take_steps(steps)
        except RowFault as fault:
            yield make_bad_row(_NAME, Place(name_file(bank_file, root), number, procedure), fault)
    lines = (
        (Place(place.file, place.row, line), line)
        for path in find_files(root, "*split*.txt", "*.txt")
        for place, line in read_lines(path, root)
    )
    yield from take_records(_NAME, lines, lambda line: _take(line, bank))


def _take_steps(value: Value) -> tuple[str, ...]:
    steps = tuple(each.text() for each in value.items())
    if not steps:
        raise RowFault(value.place, "value_empty", "no steps")
    return steps


def _members(path: Path) -> list[tuple[str, Value]]:
    plain = read_json(path)
    if not isinstance(plain, dict):
        raise BenchmarkError(f"{path}: expected a JSON object of procedures with their steps")
    return [(name, Value(name, steps)) for name, steps in plain.items()]


def _take(line: str, bank: Mapping[str, tuple[str, ...]]) -> ProcedureVideo:
    name, _, procedure = line.rpartition(" ")
    if not name:
        raise RowFault("line", "value_unreadable", f"{line!r}; expected 'name.MP4 procedure'")
    if procedure not in bank:
        raise RowFault("procedure", "key_unknown", f"{procedure!r} has no steps in the label bank")
    return ProcedureVideo(f"{procedure}/{name.strip()}", procedure, bank)


SVIP: Final = Source(
    _NAME,
    "label_bank.json and *split*.txt with lines 'name.MP4 procedure'",
    "Chemical Sequence Verification of SVIP (Qian et al. 2022), files under the MIT licence",
    _read,
)
