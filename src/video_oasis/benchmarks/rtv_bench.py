"""RTV-Bench (arXiv 2505.02064): one question asked at several moments, with other answers each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "rtv-bench"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "QA.json"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("questionID"), take=_take)


def _take(row: RawRow) -> Parts:
    labels, choices = row.labelled_texts("options")
    return Parts(
        video=Video(
            row.name("video"),
            start_seconds=row.seconds("start_time"),
            end_seconds=row.seconds("end_time"),
        ),
        question=row.text("question"),
        choices=choices,
        labels=labels,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        task=row.text("type"),
        metadata=row.without(
            "questionID", "video", "start_time", "end_time", "question", "options", "answer", "type"
        ),
    )


RTV_BENCH: Final = Benchmark(
    _NAME,
    "temporal",
    "QA.json",
    _read,
    published=Publication("RTVBench/RTV-Bench", annotations=("QA.json",), videos=("*.mp4",)),
)
