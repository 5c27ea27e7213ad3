"""ImplicitQA (arXiv 2506.21742): questions whose answer is implied rather than shown."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import METADATA_TIME_REFERENCES, Video

_NAME = "implicitqa"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "ImplicitQA*.jsonl"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("question_id"), take=_take)


def _take(row: RawRow) -> Parts:
    labels, choices = row.labelled_texts("options")
    return Parts(
        video=Video(f"{row.name('video_id')}.mp4"),
        question=row.text("question_text"),
        choices=choices,
        labels=labels,
        answer=row.value("answer_choice"),
        answer_column="answer_choice",
        answer_form=AnswerForm.LETTER,
        task=row.text("category"),
        metadata={
            **row.without(
                "video_id",
                "question_id",
                "question_start_time",
                "question_stop_time",
                "question_text",
                "options",
                "answer_choice",
                "category",
            ),
            # Where the evidence lies; models are given the whole clip.
            METADATA_TIME_REFERENCES: row.ranges("question_start_time", "question_stop_time"),
        },
    )


IMPLICITQA: Final = Benchmark(
    _NAME,
    "spatial",
    "ImplicitQA*.jsonl",
    _read,
    published=Publication(
        "ucf-crcv/ImplicitQA",
        annotations=("ImplicitQA*.jsonl",),
        on_youtube=True,
        note="The benchmark names a video by its YouTube id, '_' and a code (see video_id): rename "
        "what you download.",
    ),
)
