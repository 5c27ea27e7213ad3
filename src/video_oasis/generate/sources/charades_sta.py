"""Charades-STA (arXiv 1705.02101): lines ``VIDEO start end##sentence``, with clip lengths.

Written after real files. The lengths come from Charades' own tables, which must lie in the same
folder.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files
from video_oasis.annotations.rows import RowFault
from video_oasis.generate.sources.charades_files import CharadesVideo, read_videos
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import Place, read_lines, take_records
from video_oasis.schema import BadRow

_NAME = "charades-sta"
_LINE: Final = re.compile(r"(\S+) (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)\s*##\s*(\S.*)", re.ASCII)
_OVERHANG_SECONDS: Final = 2.0
"""Published ends are rounded and run this far past the end of the video at most."""


@dataclass(frozen=True, slots=True)
class Moment:
    """One sentence and when it holds.

    Attributes:
        video: file name of the video.
        length_seconds: the video's length.
        sentence: the sentence, without the full stop.
        start_seconds: when it begins.
        end_seconds: when it ends, not past the end of the video.
        others: the other sentences of the same video, with their times.
    """

    video: str
    length_seconds: float
    sentence: str
    start_seconds: float
    end_seconds: float
    others: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class _Line:
    video: str
    start_seconds: float
    end_seconds: float
    sentence: str


def _read(root: Path) -> Iterator[Moment | BadRow]:
    lengths: dict[str, float] = {}
    for row in read_videos(_NAME, root if root.is_dir() else root.parent, {}):
        if isinstance(row, CharadesVideo):
            lengths[row.id] = row.length_seconds
        else:
            yield row
    paths = find_files(root, "*sta*.txt", "*.txt")
    rows = [(place, line) for path in paths for place, line in read_lines(path, root)]
    lines: list[_Line] = []
    for taken in take_records(_NAME, _key(rows), lambda line: _take(line, lengths)):
        if isinstance(taken, BadRow):
            yield taken
        else:
            lines.append(taken)
    of_video: dict[str, list[_Line]] = {}
    for line in lines:
        of_video.setdefault(line.video, []).append(line)
    for line in lines:
        yield Moment(
            video=f"{line.video}.mp4",
            length_seconds=lengths[line.video],
            sentence=line.sentence,
            start_seconds=line.start_seconds,
            end_seconds=min(line.end_seconds, lengths[line.video]),
            others=tuple(
                (other.sentence, other.start_seconds, other.end_seconds)
                for other in of_video[line.video]
                if other is not line
            ),
        )


def _key(rows: list[tuple[Place, str]]) -> Iterator[tuple[Place, str]]:
    for place, line in rows:
        yield Place(place.file, place.row, line), line


def _take(line: str, lengths: dict[str, float]) -> _Line:
    found = _LINE.fullmatch(line)
    if found is None:
        raise RowFault(
            "line", "value_unreadable", f"{line[:60]!r}; expected 'VIDEO start end##sentence'"
        )
    video, start, end = found[1], float(found[2]), float(found[3])
    if video not in lengths:
        raise RowFault("video", "length_missing", f"{video} is in no table of lengths")
    if not start < end or end > lengths[video] + _OVERHANG_SECONDS or start >= lengths[video]:
        raise RowFault(
            "times", "range_wrong", f"{start} to {end} in a video of {lengths[video]} seconds"
        )
    return _Line(video, start, end, found[4].strip().rstrip("."))


CHARADES_STA: Final = Source(
    _NAME,
    "*sta*.txt and, for the lengths, Charades_v1_*.csv",
    "Charades-STA (Gao et al. 2017) over Charades; for non-commercial use, see Charades' licence",
    _read,
)
