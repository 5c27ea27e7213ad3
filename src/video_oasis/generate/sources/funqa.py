"""FunQA's annotation files (arXiv 2306.14899): when the surprising moment of a video is.

Written after real rows of the humorous part (task ``H1``): ``output`` is ``[start, end]`` in frames
of the clip, and the last two numbers of a file name are the first and last frame of the clip in its
source. Creative (``C1``) and magical (``M1``) rows are documented to have the same form. Rows of
other tasks describe the moment in words.
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

FRAMES_PER_SECOND: Final = 30.0
_NAME = "funqa"
_VIDEO: Final = re.compile(r".*_(\d+)_(\d+)\.\w+", re.ASCII)
_SPAN: Final = re.compile(r"\[\s*(\d+)\s*,\s*(\d+)\s*\]", re.ASCII)
_OVERHANG_FRAMES: Final = 3


@dataclass(frozen=True, slots=True)
class SurprisingMoment:
    """One row.

    Attributes:
        id: the published id.
        video: file name of the clip.
        task: the kind of row: ``H1``, ``C1`` or ``M1`` for the moment, others for words on it.
        length_seconds: length of the clip.
        span_seconds: start and end of the moment; None for rows in words.
    """

    id: str
    video: str
    task: str
    length_seconds: float
    span_seconds: tuple[float, float] | None


def _read(root: Path) -> Iterator[SurprisingMoment | BadRow]:
    paths = find_files(root, "*.json")
    rows = (
        (Place(row.file, row.number, str(row.columns.get("ID", ""))), row)
        for row in read_files(paths, root=root)
    )
    return take_records(_NAME, rows, _take)


def _take(row: RawRow) -> SurprisingMoment:
    video, task = row.name("visual_input"), row.name("task")
    named = _VIDEO.fullmatch(video)
    if named is None or int(named[1]) >= int(named[2]):
        raise RowFault(
            "visual_input",
            "value_unreadable",
            f"{video!r}; expected first and last frame at its end",
        )
    n_frames = int(named[2]) - int(named[1])
    span = None
    if task.endswith("1"):
        found = _SPAN.fullmatch(row.text("output").strip())
        if found is None:
            raise RowFault(
                "output", "value_unreadable", f"{row.text('output')[:60]!r}; expected [start, end]"
            )
        start, end = int(found[1]), int(found[2])
        if not start < end or end > n_frames + _OVERHANG_FRAMES:
            raise RowFault(
                "output", "range_wrong", f"{start} to {end} in a clip of {n_frames} frames"
            )
        span = (start / FRAMES_PER_SECOND, min(end, n_frames) / FRAMES_PER_SECOND)
    return SurprisingMoment(
        id=row.name("ID"),
        video=video,
        task=task,
        length_seconds=n_frames / FRAMES_PER_SECOND,
        span_seconds=span,
    )


FUNQA: Final = Source(
    _NAME,
    "*.json, rows with visual_input, output, task and ID",
    "FunQA (Xie et al. 2024), annotations CC BY-NC-SA 4.0: not for commercial use, share alike",
    _read,
)
