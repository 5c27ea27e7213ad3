"""TGIF-QA (arXiv 1704.04497): questions on animated GIFs, two tasks open and two with choices."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Final

from video_oasis.annotations.files import find_files, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, RowFault, read_rows
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.errors import BenchmarkError
from video_oasis.schema import Video

_NAME = "tgif-qa"
_FILE_NAME: Final = re.compile(
    r"(?:Test|Train|Total)_(action|count|frameqa|transition)_question\.csv"
)
_CHOICES: Final = ("a1", "a2", "a3", "a4", "a5")
_FRAMEQA_TYPES: Final[Mapping[str, str]] = {
    "0": "object",
    "1": "number",
    "2": "color",
    "3": "location",
}


def _read(root: Path) -> Iterator[Row]:
    paths = find_files(root, "Test_*_question.csv", "dataset/Test_*_question.csv")
    for path in paths:
        if not _FILE_NAME.fullmatch(path.name):
            raise BenchmarkError(
                f"{path}: the name says no task of {_NAME}; expected one such as "
                f"Test_frameqa_question.csv (action, count, frameqa or transition)"
            )
    # Named .csv, they are separated by tabs.
    rows = (row for path in paths for row in read_file(path, root=root, delimiter="\t"))
    # The released columns are the wrong way round: vid_id numbers questions, key numbers videos.
    return read_rows(
        _NAME, rows, identify=lambda row: row.name("vid_id"), take=_take, has_choices=_has_choices
    )


def _task(row: RawRow) -> str:
    name = _FILE_NAME.fullmatch(PurePosixPath(row.file).name)
    return name[1] if name else ""


def _has_choices(row: RawRow) -> bool:
    return _task(row) in ("action", "transition")


def _take(row: RawRow) -> Parts:
    task = _task(row)
    return Parts(
        video=Video(f"{row.name('gif_name')}.gif"),
        question=row.required_text("question", expected="a question"),
        choices=tuple(row.text(column) for column in _CHOICES) if _has_choices(row) else None,
        answer=row.value("answer"),
        answer_column="answer",
        answer_form=AnswerForm.INDEX0,
        task=f"{task}_{_frameqa_type(row)}" if task == "frameqa" else task,
        metadata=row.without("vid_id", "gif_name", "question", "answer", "type", *_CHOICES),
    )


def _frameqa_type(row: RawRow) -> str:
    code = row.text("type")
    if code not in _FRAMEQA_TYPES:
        raise RowFault(
            "type", "value_unreadable", f"{code!r}; expected one of {', '.join(_FRAMEQA_TYPES)}"
        )
    return _FRAMEQA_TYPES[code]


TGIF_QA: Final = Benchmark(_NAME, "open", "Test_<task>_question.csv", _read)
