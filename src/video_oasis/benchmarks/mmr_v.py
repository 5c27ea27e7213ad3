"""MMR-V (arXiv 2506.04141): what videos mean beneath the surface, with up to thirteen choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import Video

_NAME = "mmr-v"


def _read(root: Path) -> Iterator[Row]:
    rows = read_files(find_files(root, "test-*.parquet"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("question_idx"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(row.name("video")),
        question=row.text("question"),
        choices=row.texts("options"),
        labelled=True,
        answer=row.value("correctAnswer"),
        answer_column="correctAnswer",
        answer_form=AnswerForm.LETTER,
        # The paper's tables go by these ten; abilityType_L3 has kinds with one question.
        task=row.text("abilityType_L2"),
        metadata=row.without(
            "question_idx", "video", "question", "options", "correctAnswer", "abilityType_L2"
        ),
    )


MMR_V: Final = Benchmark(
    _NAME,
    "reasoning",
    "test-*.parquet",
    _read,
    published=Publication(
        "JokerJan/MMR-VBench",
        annotations=("test-*.parquet",),
        videos=("videos.tar.part.*",),
    ),
)
