"""Video-Holmes (arXiv 2505.21374): suspense short films, six choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import METADATA_REFERENCE, Video

_NAME = "video-holmes"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "test_Video-Holmes.json"), root=root)
    return read_rows(_NAME, rows, identify=_identify, take=_take)


def _identify(row: RawRow) -> str:
    # Question numbers repeat between videos.
    return f"{row.name('video ID')}/{row.name('Question ID')}"


def _take(row: RawRow) -> Parts:
    labels, choices = row.labelled_texts("Options")
    return Parts(
        video=Video(f"{row.name('video ID')}.mp4"),
        question=row.text("Question"),
        choices=choices,
        labels=labels,
        answer=row.value("Answer"),
        answer_column="Answer",
        answer_form=AnswerForm.LETTER,
        task=row.text("Question Type"),
        metadata={
            **row.without(
                "video ID",
                "Question ID",
                "Question",
                "Options",
                "Answer",
                "Question Type",
                "Explanation",
            ),
            METADATA_REFERENCE: row.text("Explanation"),
        },
    )


VIDEO_HOLMES: Final = Benchmark(
    _NAME,
    "reasoning",
    "test_Video-Holmes.json",
    _read,
    published=Publication(
        "TencentARC/Video-Holmes", annotations=("test_Video-Holmes.json",), videos=("videos.zip",)
    ),
)
