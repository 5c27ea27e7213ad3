"""MLVU (arXiv 2406.04264): multiple-choice tasks over long videos, the test set."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "mlvu"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "test_mcq_gt.json"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("question_id"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(row.name("video"), duration_seconds=row.seconds("duration")),
        question=row.text("question"),
        choices=row.texts("candidates"),
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.TEXT,
        task=row.text("question_type"),
        metadata=row.without(
            "question_id", "video", "duration", "question", "candidates", "answer", "question_type"
        ),
    )


MLVU: Final = Benchmark(
    _NAME,
    "general",
    "test_mcq_gt.json",
    _read,
    published=Publication(
        "MLVU/MLVU_Test",
        annotations=("test_mcq_gt.json",),
        videos=("test_video.tar.gz.part-*",),
    ),
)
