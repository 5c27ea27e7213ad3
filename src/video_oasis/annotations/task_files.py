"""The file form that MVBench introduced and others took over: one JSON file for each task."""

from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from video_oasis.annotations.files import read_files
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, derive_ids, read_rows
from video_oasis.schema import (
    METADATA_SUBTITLES_TEXT,
    METADATA_TIME_REFERENCES,
    BadRow,
    OpenQuestion,
    Sample,
    Video,
)

_USED_COLUMNS = (
    "video",
    "question",
    "candidates",
    "answer",
    "start",
    "end",
    "accurate_start",
    "accurate_end",
    "subtitle",
)


def read_task_files(
    benchmark: str, paths: tuple[Path, ...], *, root: Path, video_folder: Callable[[str], str]
) -> Iterator[Sample | OpenQuestion | BadRow]:
    """Read the rows of such files; a file is named after its task, and rows have no ids.

    Args:
        benchmark: the benchmark's name.
        paths: the files.
        root: the folder the user gave.
        video_folder: gives the folder that a task's videos are released in.
    """

    def take(row: RawRow) -> Parts:
        task = _task(row)
        metadata = row.without(*_USED_COLUMNS)
        if references := row.ranges("accurate_start", "accurate_end"):
            metadata[METADATA_TIME_REFERENCES] = references
        if "subtitle" in row.columns:
            metadata[METADATA_SUBTITLES_TEXT] = row.text("subtitle")
        return Parts(
            video=Video(
                f"{video_folder(task)}/{row.name('video')}",
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

    return read_rows(benchmark, read_files(paths, root=root), identify=derive_ids(_task), take=take)


def _task(row: RawRow) -> str:
    return PurePosixPath(row.file).stem
