"""LVBench (arXiv 2406.08035): hour-long videos; one line a video, choices inside the questions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.inline import split_choices
from video_oasis.annotations.rows import Parts, RawRow, RowFault, read_rows
from video_oasis.annotations.times import read_ranges
from video_oasis.benchmarks.interface import Benchmark, Publication, Row
from video_oasis.errors import BenchmarkError
from video_oasis.schema import METADATA_TIME_REFERENCES, Video

_NAME = "lvbench"


def _read(root: Path) -> Iterator[Row]:
    path = find_file(root, "video_info.meta.jsonl")
    rows = (question for video in read_file(path, root=root) for question in _questions(video))
    return read_rows(_NAME, rows, identify=lambda row: row.name("uid"), take=_take)


def _questions(video: RawRow) -> Iterator[RawRow]:
    """Give each question of a line a row of its own, with the video's columns beside its own."""
    questions = video.columns.get("qa")
    if not isinstance(questions, list) or not all(isinstance(item, dict) for item in questions):
        raise BenchmarkError(
            f"{_NAME} {video.file} line {video.number}: column 'qa' is no list of questions; "
            f"expected the released video_info.meta.jsonl"
        )
    for question in questions:
        yield RawRow(video.file, video.number, {**video.without("qa"), **question})


def _take(row: RawRow) -> Parts:
    inline = split_choices(row.text("question"))
    if inline is None:
        raise RowFault("question", "choices_missing", "no choices (A), (B) … below the question")
    return Parts(
        video=Video(f"{row.name('key')}.mp4", duration_seconds=_duration_seconds(row)),
        question=inline.question,
        choices=inline.choices,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.LETTER,
        # The paper counts a question in each of its types; a sample has one task, so the first.
        task=row.texts("question_type")[0],
        metadata={
            **row.without("key", "uid", "question", "answer"),
            METADATA_TIME_REFERENCES: read_ranges(row.text("time_reference")),
        },
    )


def _duration_seconds(row: RawRow) -> float:
    published = row.value("video_info")
    minutes = published.get("duration_minutes") if isinstance(published, dict) else None
    if not isinstance(minutes, int | float):
        raise RowFault(
            "video_info", "value_unreadable", f"{published!r}; expected duration_minutes"
        )
    return 60.0 * minutes


LVBENCH: Final = Benchmark(
    _NAME,
    "general",
    "video_info.meta.jsonl",
    _read,
    published=Publication(
        "zai-org/LVBench", annotations=("video_info.meta.jsonl",), on_youtube=True
    ),
)
