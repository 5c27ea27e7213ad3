"""TVBench (arXiv 2410.07752): ten tasks that are meant to need the order of frames."""

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, derive_ids, read_rows
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.schema import METADATA_TIME_REFERENCES, Video

_NAME = "tvbench"


def _read(root: Path) -> Iterator[Row]:
    rows = read_files(find_files(root, "json/*.json", "*.json"), root=root)
    return read_rows(_NAME, rows, identify=derive_ids(_task), take=_take)


def _task(row: RawRow) -> str:
    return PurePosixPath(row.file).stem


def _take(row: RawRow) -> Parts:
    task = _task(row)
    metadata = row.without(
        "video",
        "question",
        "candidates",
        "answer",
        "start",
        "end",
        "accurate_start",
        "accurate_end",
    )
    if references := row.ranges("accurate_start", "accurate_end"):
        metadata[METADATA_TIME_REFERENCES] = references
    return Parts(
        # Released with one folder of videos for each task; names repeat between the folders.
        video=Video(
            f"{task}/{row.name('video')}",
            start_seconds=row.optional_seconds("start"),
            end_seconds=row.optional_seconds("end"),
        ),
        question=row.text("question"),
        choices=row.texts("candidates"),
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.TEXT,
        task=task,
        metadata=metadata,
    )


TVBENCH: Final = Benchmark(_NAME, "temporal", "json/<task>.json", _read)
