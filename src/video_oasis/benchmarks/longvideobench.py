"""LongVideoBench (arXiv 2407.15754): long videos with subtitles, the validation set."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.schema import METADATA_SUBTITLES_PATH, METADATA_SUBTITLES_START, Video

_NAME = "longvideobench"


def _read(root: Path) -> Iterator[Row]:
    rows = read_file(find_file(root, "lvb_val.json"), root=root)
    return read_rows(_NAME, rows, identify=lambda row: row.name("id"), take=_take)


def _take(row: RawRow) -> Parts:
    return Parts(
        video=Video(row.name("video_path"), duration_seconds=row.seconds("duration")),
        question=row.text("question"),
        choices=row.texts("candidates"),
        answer=row.value("correct_choice"),
        answer_column="correct_choice",
        answer_form=AnswerForm.INDEX0,
        task=row.text("question_category"),
        metadata={
            **row.without(
                "id",
                "video_path",
                "duration",
                "question",
                "candidates",
                "correct_choice",
                "question_category",
                "subtitle_path",
                "starting_timestamp_for_subtitles",
            ),
            METADATA_SUBTITLES_PATH: row.text("subtitle_path"),
            METADATA_SUBTITLES_START: row.seconds("starting_timestamp_for_subtitles"),
        },
    )


LONGVIDEOBENCH: Final = Benchmark(
    _NAME,
    "general",
    "lvb_val.json",
    _read,
    published=Publication(
        "longvideobench/LongVideoBench",
        annotations=("lvb_val.json",),
        videos=("videos.tar.part.*",),
    ),
)
