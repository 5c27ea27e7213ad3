"""Descriptions of the scenes of film clips, in order, as MoVQA's and MVBench's questions have them.

None of MoVQA's annotation (arXiv 2312.04817) was at hand. What is read is what such questions are
made of: rows with ``video`` and either ``scenes``, the descriptions in order, or ``answer``, a
sentence ``From the library to the yard.`` as MVBench has it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.rows import RawRow, RowFault
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import Place, take_records
from video_oasis.schema import BadRow

_NAME = "movqa"
_TRANSITION: Final = re.compile(r"From (\S.*?) to (\S.*?)\.?", re.IGNORECASE)
_TO: Final = " to "


@dataclass(frozen=True, slots=True)
class SceneSequence:
    """The scenes of one clip.

    Attributes:
        video: file name of the clip.
        scenes: descriptions in order, at least two.
        length_seconds: length of the clip; None if it is not given.
    """

    video: str
    scenes: tuple[str, ...]
    length_seconds: float | None


def _read(root: Path) -> Iterator[SceneSequence | BadRow]:
    paths = find_files(root, "*scene*.json", "*.json")
    rows = (
        (Place(row.file, row.number, str(row.columns.get("video", ""))), row)
        for row in read_files(paths, root=root)
    )
    return take_records(_NAME, rows, _take)


def _take(row: RawRow) -> SceneSequence:
    if "scenes" in row.columns:
        scenes = tuple(scene.strip().rstrip(".") for scene in row.texts("scenes"))
        if len(scenes) < 2 or not all(scenes):
            raise RowFault("scenes", "value_empty", f"{list(scenes)}; expected two or more")
    else:
        found = _TRANSITION.fullmatch(row.name("answer").strip())
        if found is None:
            raise RowFault(
                "answer", "value_unreadable", f"{row.text('answer')!r}; expected 'From … to ….'"
            )
        if _TO in found[2]:
            raise RowFault(
                "answer",
                "value_unreadable",
                f"{found[0]!r}; can be parted at more than one 'to'; give scenes instead",
            )
        scenes = (found[1], found[2])
    return SceneSequence(row.name("video"), scenes, row.optional_seconds("length"))


MOVQA: Final = Source(
    _NAME,
    "*scene*.json, rows with video and scenes (or answer 'From … to ….')",
    "MoVQA (Zhang et al. 2023) over films: the rights in the films are their owners'",
    _read,
)
