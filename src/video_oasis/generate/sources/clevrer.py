"""CLEVRER's ``annotation_*.json`` (arXiv 1910.01442): where every object is in every frame.

Written after real files: ``object_property``, ``motion_trajectory`` (128 frames, 25 a second;
objects may be absent from a frame) and ``collision``.
"""

from collections.abc import Iterator, Mapping
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
)
from video_oasis.schema import BadRow

FRAMES_PER_SECOND: Final = 25.0
_NAME = "clevrer"


@dataclass(frozen=True, slots=True)
class SceneObject:
    """What an object looks like."""

    id: int
    color: str
    material: str
    shape: str


@dataclass(frozen=True, slots=True)
class ObjectState:
    """Where an object is in one frame.

    Attributes:
        location: x, y, z in units of the scene.
        speed: horizontal speed as published.
        is_visible: whether the camera sees it.
    """

    location: tuple[float, float, float]
    speed: float
    is_visible: bool


@dataclass(frozen=True, slots=True)
class SceneFrame:
    """One frame: the state of every object that is in it, by object id."""

    frame: int
    states: Mapping[int, ObjectState]


@dataclass(frozen=True, slots=True)
class Collision:
    """Two objects that touch in a frame."""

    frame: int
    object_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scene:
    """One video.

    Attributes:
        video: its file name.
        objects: the objects, by id.
        frames: the frames in order, at least one.
        collisions: in published order.
    """

    video: str
    objects: Mapping[int, SceneObject]
    frames: tuple[SceneFrame, ...]
    collisions: tuple[Collision, ...]

    @property
    def length_seconds(self) -> float:
        """Length of the video, from the number of its last frame."""
        return (self.frames[-1].frame + 1) / FRAMES_PER_SECOND


def _read(root: Path) -> Iterator[Scene | BadRow]:
    taken: dict[str, Place] = {}
    for path in find_files(root, "**/annotation_*.json", "*.json"):
        place = Place(name_file(path, root), 1, path.stem)
        try:
            scene = _take(Value("row", _load(path)))
            claim_key(Place(place.file, 1, scene.video), taken)
            yield scene
        except RowFault as fault:
            yield make_bad_row(_NAME, place, fault)


def _load(path: Path) -> Any:
    # A file is one row here: that one of thousands is cut must not stop the others.
    try:
        return read_json(path)
    except BenchmarkError as error:
        raise RowFault("file", "file_unreadable", str(error)) from error


def _take(record: Value) -> Scene:
    objects = {}
    for each in record["object_property"].items():
        scene_object = SceneObject(
            id=each["object_id"].whole(),
            color=each["color"].text(),
            material=each["material"].text(),
            shape=each["shape"].text(),
        )
        if scene_object.id in objects:
            raise RowFault(
                f"{each.place}.object_id", "key_repeated", f"{scene_object.id} is there twice"
            )
        objects[scene_object.id] = scene_object
    frames = [_take_frame(each, objects) for each in record["motion_trajectory"].items()]
    numbers = [frame.frame for frame in frames]
    if not frames or numbers != sorted(set(numbers)):
        raise RowFault("motion_trajectory", "order_wrong", "frame_id must grow from frame to frame")
    return Scene(
        video=record["video_filename"].text(),
        objects=objects,
        frames=tuple(frames),
        collisions=tuple(
            Collision(
                each["frame_id"].whole(),
                tuple(_known(each_id, objects) for each_id in each["object_ids"].items()),
            )
            for each in record["collision"].items()
        ),
    )


def _take_frame(record: Value, objects: Mapping[int, SceneObject]) -> SceneFrame:
    states = {}
    for each in record["objects"].items():
        object_id = _known(each["object_id"], objects)
        if object_id in states:
            raise RowFault(f"{each.place}.object_id", "key_repeated", f"{object_id} is there twice")
        vx, vy, _ = _three(each["velocity"])
        states[object_id] = ObjectState(
            location=_three(each["location"]),
            speed=(vx * vx + vy * vy) ** 0.5,
            is_visible=each["inside_camera_view"].flag(),
        )
    return SceneFrame(record["frame_id"].whole(), states)


def _known(value: Value, objects: Mapping[int, SceneObject]) -> int:
    if value.whole() not in objects:
        raise RowFault(
            value.place, "key_unknown", f"{value.plain}; object_property has {sorted(objects)}"
        )
    return value.whole()


def _three(value: Value) -> tuple[float, float, float]:
    numbers = [each.number() for each in value.items()]
    if len(numbers) != 3:
        raise RowFault(value.place, "value_unreadable", f"{value.plain}; expected x, y, z")
    return numbers[0], numbers[1], numbers[2]


CLEVRER: Final = Source(
    _NAME,
    "annotation_*.json, in any folder below",
    "CLEVRER (Yi et al. 2020); see its site for the terms of videos and annotations",
    _read,
)
