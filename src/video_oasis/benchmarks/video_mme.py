"""Video-MME (arXiv 2405.21075): short, medium and long videos, four choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "video-mme"


def _read(root: Path) -> Iterator[Row]:
    rows = read_files(find_files(root, "test-*.parquet"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("question_id"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(f"{row.name('videoID')}.mp4"),
        question=row.text("question"),
        choices=row.texts("options"),
        labelled=True,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        task=row.text("task_type"),
        metadata=row.without(
            "question_id", "videoID", "question", "options", "answer", "task_type"
        ),
    )


VIDEO_MME: Final = Benchmark(
    _NAME,
    "general",
    "test-*.parquet",
    _read,
    published=Publication(
        "lmms-lab/Video-MME",
        annotations=("videomme/test-*.parquet",),
        videos=("videos_chunked_*.zip",),
    ),
)
