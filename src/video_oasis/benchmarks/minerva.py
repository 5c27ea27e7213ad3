"""MINERVA (arXiv 2505.00681): questions with hand-written reasoning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import METADATA_REFERENCE, Video

_NAME = "minerva"
_CHOICES: Final = tuple(f"answer_choice_{index}" for index in range(5))


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "minerva.json"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("key"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(f"{row.name('video_id')}.mp4"),
        question=row.text("question"),
        choices=tuple(row.text(column) for column in _CHOICES),
        answer=row.value("answer_id"),
        answer_column="answer_id",
        answer_form=AnswerForm.INDEX0,
        task=row.text("question_type"),
        metadata={
            **row.without(
                "key", "video_id", "question", *_CHOICES, "answer_id", "question_type", "reasoning"
            ),
            METADATA_REFERENCE: row.text("reasoning"),
        },
    )


MINERVA: Final = Benchmark(
    _NAME,
    "reasoning",
    "minerva.json",
    _read,
    published=Publication(
        "lmms-lab-eval/minerva",
        annotations=("minerva.json",),
        on_youtube=True,
        note="This data set is a copy made by lmms-eval: the authors publish elsewhere.",
    ),
)
