"""Perception Test's JSON files (arXiv 2305.13786): questions, cups games, actions of a video.

No raw record was at hand: members and meanings follow the field tables of the data set's README,
in an object of video ids. Times are published in microseconds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from video_oasis.annotations.files import find_files
from video_oasis.annotations.rows import RowFault
from video_oasis.errors import BenchmarkError
from video_oasis.generate.sources.interface import Source
from video_oasis.generate.sources.values import (
    Place,
    Value,
    claim_key,
    make_bad_row,
    name_file,
    read_json,
    take_records,
)
from video_oasis.schema import BadRow

_NAME = "perception-test"
_MICROSECONDS: Final = 1e6


@dataclass(frozen=True, slots=True)
class ActionSegment:
    """An action of the video."""

    label: str
    start_seconds: float
    end_seconds: float


@dataclass(frozen=True, slots=True)
class PerceptionVideo:
    """What is known of one video.

    Attributes:
        video: its file name.
        length_seconds: frames over frame rate.
        is_cup_game: whether something is hidden under objects that are then moved.
        n_occluders: number of tracked objects that hide others; None without object tracks.
        actions: the action segments, in published order.
    """

    video: str
    length_seconds: float
    is_cup_game: bool
    n_occluders: int | None
    actions: tuple[ActionSegment, ...]


@dataclass(frozen=True, slots=True)
class PerceptionQuestion:
    """One multiple-choice question.

    Attributes:
        video: the video it is about.
        id: its id, unique within the video.
        question: its text.
        options: the options.
        target: index of the right one.
        tags: the skills it asks for.
    """

    video: PerceptionVideo
    id: str
    question: str
    options: tuple[str, ...]
    target: int
    tags: tuple[str, ...]


def _read(root: Path) -> Iterator[PerceptionQuestion | BadRow]:
    taken: dict[str, Place] = {}
    for path in find_files(root, "*.json"):
        file = name_file(path, root)
        plain = read_json(path)
        if not isinstance(plain, dict):
            raise BenchmarkError(f"{path}: expected a JSON object with a member for each video")
        for number, (video_id, record) in enumerate(plain.items(), start=1):
            place = Place(file, number, video_id)
            value = Value("row", record)
            try:
                claim_key(place, taken)
                video = _take_video(video_id, value)
                questions = value["mc_question"].items()
            except RowFault as fault:
                yield make_bad_row(_NAME, place, fault)
                continue
            yield from _take_questions(video, questions, place)


def _take_questions(video: PerceptionVideo, questions: list[Value], place: Place) -> Iterator[Any]:
    def take(value: Value) -> PerceptionQuestion:
        options = tuple(_option(each) for each in value["options"].items())
        target = value["answer_id"].whole()
        if target >= len(options):
            raise RowFault(
                f"{value.place}.answer_id",
                "target_out_of_range",
                f"{target}, but there are {len(options)} options, counted from 0",
            )
        if len(set(options)) < len(options):
            raise RowFault(f"{value.place}.options", "options_repeat", "two options are the same")
        tags = value.get("tag")
        return PerceptionQuestion(
            video=video,
            id=str(value["id"].plain),
            question=value["question"].text(),
            options=options,
            target=target,
            tags=() if tags is None else tuple(each.text() for each in tags.items()),
        )

    def locate(value: Value) -> Place:
        named = value.plain.get("id") if isinstance(value.plain, dict) else None
        return Place(
            place.file, place.row, f"{place.key}/{value.place if named is None else named}"
        )

    return take_records(_NAME, ((locate(value), value) for value in questions), take)


def _option(value: Value) -> str:
    # Counts are published as texts or as numbers.
    return str(value.whole()) if isinstance(value.plain, int) else value.text()


def _take_video(video_id: str, record: Value) -> PerceptionVideo:
    metadata = record["metadata"]
    rate = metadata["frame_rate"].number()
    if rate <= 0:
        raise RowFault("metadata.frame_rate", "value_unreadable", f"{rate}; expected more than 0")
    cup_game = metadata.get("is_cup_game")
    tracks = record.get("object_tracking")
    actions = record.get("action_localisation")
    return PerceptionVideo(
        video=f"{video_id}.mp4",
        length_seconds=metadata["num_frames"].whole() / rate,
        # The files have 0 and 1 in some releases.
        is_cup_game=cup_game is not None and bool(cup_game.plain),
        n_occluders=(
            None
            if tracks is None
            else sum(bool(each["is_occluder"].plain) for each in tracks.items())
        ),
        actions=() if actions is None else tuple(map(_take_action, actions.items())),
    )


def _take_action(value: Value) -> ActionSegment:
    times = [each.seconds() / _MICROSECONDS for each in value["timestamps"].items()]
    if len(times) != 2 or times[1] < times[0]:
        raise RowFault(
            f"{value.place}.timestamps", "range_wrong", f"{value.plain}; expected start and end"
        )
    return ActionSegment(value["label"].text(), times[0], times[1])


PERCEPTION_TEST: Final = Source(
    _NAME,
    "*.json, an object of videos with metadata and mc_question",
    "Perception Test (Patraucean et al. 2023), CC BY 4.0: name the authors",
    _read,
)
