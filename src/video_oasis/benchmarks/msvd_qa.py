"""MSVD-QA (ACM Multimedia 2017): open questions made from the captions of MSVD's short clips."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from video_oasis.annotations.caption_questions import read_caption_questions
from video_oasis.annotations.files import find_file, read_text
from video_oasis.annotations.rows import RawRow, RowFault
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.errors import BenchmarkError

_NAME = "msvd-qa"
_MAPPING = "youtube_mapping.txt"


def _read(root: Path) -> Iterator[Row]:
    path = find_file(root, "test_qa.json")
    mapping = path.with_name(_MAPPING)
    names = _read_mapping(mapping) if mapping.is_file() else None

    def name_video(row: RawRow) -> str:
        number = f"vid{row.name('video_id')}"
        if names is None:
            return f"{number}.avi"
        if number not in names:
            raise RowFault("video_id", "video_unknown", f"there is no {number} in {_MAPPING}")
        return f"{names[number]}.avi"

    return read_caption_questions(_NAME, path, root=root, name_video=name_video)


def _read_mapping(path: Path) -> Mapping[str, str]:
    """Read which clip of MSVD each numbered video is, from lines such as ``yt_5_15 vid1``."""
    names: dict[str, str] = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        match line.split():
            case []:
                continue
            case [name, video] if names.setdefault(video, name) == name:
                continue
        raise BenchmarkError(
            f"{path} line {number}: {line[:80]!r}; expected the name of a clip and a number that "
            f"no other clip has, such as 'abc_5_15 vid1'"
        )
    return names


MSVD_QA: Final = Benchmark(_NAME, "open", f"test_qa.json, {_MAPPING}", _read)
