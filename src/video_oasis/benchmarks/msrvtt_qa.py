"""MSRVTT-QA (ACM Multimedia 2017): open questions made from the captions of MSR-VTT."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.caption_questions import read_caption_questions
from video_oasis.annotations.files import find_file
from video_oasis.annotations.rows import RawRow
from video_oasis.benchmarks.interface import Benchmark, Row

_NAME = "msrvtt-qa"


def _read(root: Path) -> Iterator[Row]:
    path = find_file(root, "test_qa.json")
    return read_caption_questions(_NAME, path, root=root, name_video=_name_video)


def _name_video(row: RawRow) -> str:
    return f"video{row.name('video_id')}.mp4"


MSRVTT_QA: Final = Benchmark(_NAME, "open", "test_qa.json", _read)
