"""STAR's question files (arXiv 2405.09711): situated questions over Charades videos.

No raw record was at hand: members follow the schema its authors publish (``question_id``,
``video_id``, ``start``, ``end``, ``question``, ``answer``, ``choices`` with ``choice_id`` and
``choice``, ``situations`` by frame with ``actions``). The classes of the actions (``a001 text``)
stand in a file of their own, whose numbers are not those of Charades.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_files, read_files
from video_oasis.annotations.rows import RawRow, RowFault
from video_oasis.generate.sources.charades_files import read_class_names
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import Place, Value, take_records
from video_oasis.schema import BadRow

_NAME = "star"


@dataclass(frozen=True, slots=True)
class StarQuestion:
    """One question.

    Attributes:
        id: its id, such as ``Sequence_T3_5``: kind, template and number.
        video: file name of the video.
        start_seconds: start of the clip it is about.
        end_seconds: end of the clip.
        question: its text.
        answer: text of the right choice.
        choices: texts of all choices.
        frames_of_action: by description of an action class (its id if that is not known), the
            annotated frames of the clip that show it, in order.
    """

    id: str
    video: str
    start_seconds: float
    end_seconds: float
    question: str
    answer: str
    choices: tuple[str, ...]
    frames_of_action: Mapping[str, tuple[int, ...]]


def _read(root: Path) -> Iterator[StarQuestion | BadRow]:
    names = read_class_names(root, "**/*action_classes.txt")
    paths = find_files(root, "STAR_*.json", "*.json")
    rows = (
        (Place(row.file, row.number, str(row.columns.get("question_id", ""))), row)
        for row in read_files(paths, root=root)
    )
    return take_records(_NAME, rows, lambda row: _take(row, names))


def _take(row: RawRow, names: Mapping[str, str]) -> StarQuestion:
    record = Value("row", dict(row.columns))
    start, end = record["start"].seconds(), record["end"].seconds()
    if not start < end:
        raise RowFault("end", "range_wrong", f"{start} to {end}; expected an end after the start")
    choices = tuple(each["choice"].text() for each in record["choices"].items())
    answer = record["answer"].text()
    if answer not in choices:
        raise RowFault("answer", "target_unknown", f"{answer!r} is none of {list(choices)}")
    return StarQuestion(
        id=record["question_id"].text(),
        video=f"{record['video_id'].text()}.mp4",
        start_seconds=start,
        end_seconds=end,
        question=record["question"].text(),
        answer=answer,
        choices=choices,
        frames_of_action=_take_situations(record["situations"], names),
    )


def _take_situations(value: Value, names: Mapping[str, str]) -> dict[str, tuple[int, ...]]:
    frames: dict[str, list[int]] = {}
    for frame, situation in value.members():
        if not frame.isdecimal():
            raise RowFault(situation.place, "value_unreadable", f"{frame!r}; expected a frame")
        for action in situation["actions"].items():
            frames.setdefault(names.get(action.text(), action.text()), []).append(int(frame))
    return {name: tuple(sorted(of_action)) for name, of_action in frames.items()}


STAR: Final = Source(
    _NAME,
    "STAR_*.json and, for strict sets, action_classes.txt",
    "STAR (Wu et al. 2021), Apache 2.0, over Charades videos; see Charades' licence for these",
    _read,
)
