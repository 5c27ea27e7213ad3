"""Object Count: how many objects move when the video begins or ends, from CLEVRER's scenes."""

from typing import Final

from video_oasis.generate.sources.clevrer import Scene, SceneFrame, SceneObject
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings

_CHOICES: Final = ("0", "1", "2", "3")
_KINDS: Final = (
    ("", "objects"),
    ("metal", "metal objects"),
    ("rubber", "rubber objects"),
    ("cube", "cubes"),
    ("cylinder", "cylinders"),
    ("sphere", "spheres"),
)
"""What can be counted: a material or shape (empty for all objects), and how it is worded."""


def _find(record: Scene, settings: TVBenchSettings, _mode: Mode, _draws: Draws) -> Found:
    for when, frame in (("begins", record.frames[0]), ("ends", record.frames[-1])):
        if any(
            state.is_visible and settings.resting_speed <= state.speed <= settings.moving_speed
            for state in frame.states.values()
        ):
            yield LeftOut("something may or may not be moving")
            continue
        for trait, kind in _KINDS:
            n_moving = _count(frame, record, trait, settings)
            if n_moving >= len(_CHOICES):
                yield LeftOut(f"more than {len(_CHOICES) - 1} objects are moving")
                continue
            yield Event(
                source="clevrer",
                video=record.video,
                key=f"{kind} {when}",
                choices=_CHOICES,
                target=n_moving,
                slots=(kind, when),
                group=f"{kind} {when}",
                unit=record.video,
                length_seconds=record.length_seconds,
                video_seconds=record.length_seconds,
            )


def _count(frame: SceneFrame, scene: Scene, trait: str, settings: TVBenchSettings) -> int:
    return sum(
        state.is_visible
        and state.speed > settings.moving_speed
        and _has(scene.objects[object_id], trait)
        for object_id, state in frame.states.items()
    )


def _has(scene_object: SceneObject, trait: str) -> bool:
    return trait in ("", scene_object.material, scene_object.shape)


OBJECT_COUNT: Final = Task(
    name="object_count",
    asks="how many objects move when the video begins or ends",
    templates=("How many {} are moving when the video {}?",),
    find={"clevrer": _find},
    form_blocks=form_even_blocks,
)
