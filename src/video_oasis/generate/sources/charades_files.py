"""Charades' own tables: lengths and action times of its videos, names of its action classes.

Written after real files: ``Charades_v1_*.csv`` with ``id``, ``actions`` (``c077 12.10 18.00;…``)
and ``length`` in seconds; ``Charades_v1_classes.txt`` with lines such as ``c001 text``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.rows import RawRow, RowFault
from video_oasis.errors import BenchmarkError
from video_oasis.generate.sources.values import Place, read_lines, take_records
from video_oasis.schema import BadRow

_ACTION: Final = re.compile(r"(c\d{3}) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)", re.ASCII)
_CLASS: Final = re.compile(r"([ac]\d{3})\s+(\S.*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ActionSpan:
    """An action with its times.

    Attributes:
        name: description of its class, or the class's id if its description is not known.
        start_seconds: when it begins.
        end_seconds: when it ends.
    """

    name: str
    start_seconds: float
    end_seconds: float


@dataclass(frozen=True, slots=True)
class CharadesVideo:
    """One video.

    Attributes:
        id: its id; the file is called ``ID.mp4``.
        length_seconds: its length.
        actions: its actions, in published order; spans may run a little past the end.
    """

    id: str
    length_seconds: float
    actions: tuple[ActionSpan, ...]


def read_videos(
    source: str, root: Path, names: Mapping[str, str]
) -> Iterator[CharadesVideo | BadRow]:
    """Read the CSV tables.

    Args:
        source: name of the source that reads them, for bad rows.
        root: the folder with ``Charades*.csv``.
        names: descriptions of classes by id.
    """

    def take(row: RawRow) -> CharadesVideo:
        length = row.seconds("length")
        if not length:
            raise RowFault("length", "value_empty", "no length; expected seconds")
        return CharadesVideo(row.name("id"), length, _take_actions(row.text("actions"), names))

    paths = find_files(root, "Charades*.csv", "*.csv")
    rows = (
        (Place(row.file, row.number, str(row.columns.get("id", ""))), row)
        for row in read_files(paths, root=root)
    )
    return take_records(source, rows, take)


def read_class_names(root: Path, pattern: str) -> dict[str, str]:
    """Read the descriptions of action classes by id; empty if the folder has no such file.

    Raises:
        BenchmarkError: a line is not an id and a description.
    """
    names = {}
    for path in sorted(root.glob(pattern)) if root.is_dir() else ():
        for place, line in read_lines(path, root):
            found = _CLASS.fullmatch(line)
            if found is None:
                raise BenchmarkError(
                    f"{path} line {place.row}: {line[:60]!r}; expected a class id and its "
                    f"description, such as 'c001 text'"
                )
            names[found[1]] = found[2].strip()
    return names


def _take_actions(text: str, names: Mapping[str, str]) -> tuple[ActionSpan, ...]:
    spans = []
    for part in filter(None, text.split(";")):
        found = _ACTION.fullmatch(part.strip())
        if found is None:
            raise RowFault(
                "actions", "value_unreadable", f"{part[:60]!r}; expected such as 'c077 12.10 18.00'"
            )
        start, end = float(found[2]), float(found[3])
        if end < start:
            raise RowFault("actions", "range_wrong", f"{part!r} ends before it starts")
        spans.append(ActionSpan(names.get(found[1], found[1]), start, end))
    return tuple(spans)
