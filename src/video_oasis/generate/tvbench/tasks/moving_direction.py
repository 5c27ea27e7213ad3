"""Moving Direction: along which diagonal of the picture an object moves, from CLEVRER's scenes."""

from itertools import pairwise
from typing import Final

from video_oasis.generate.sources.clevrer import Scene, SceneObject
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings

_CHOICES: Final = (
    "Down and to the left.",
    "Down and to the right.",
    "Up and to the left.",
    "Up and to the right.",
)
# CLEVRER's camera, fitted to its videos: where it stands, how it is tilted, and its focal length
# and centre in pixels of a picture of 480 × 320.
_CAMERA_X: Final = 4.321
_CAMERA_Z: Final = 2.499
_TILT_COSINE: Final = 0.8657
_TILT_SINE: Final = 0.5006
_FOCAL_PIXELS: Final = 525.0
_CENTRE: Final = (240.0, 160.0)


def project(location: tuple[float, float, float]) -> tuple[float, float]:
    """Return the column and row, in pixels, at which the camera sees a place of the scene."""
    x, y, z = location
    depth = -_TILT_COSINE * (x - _CAMERA_X) - _TILT_SINE * (z - _CAMERA_Z)
    down = _TILT_SINE * (x - _CAMERA_X) - _TILT_COSINE * (z - _CAMERA_Z)
    return _CENTRE[0] + _FOCAL_PIXELS * y / depth, _CENTRE[1] + _FOCAL_PIXELS * down / depth


def _find(record: Scene, settings: TVBenchSettings, _mode: Mode, _draws: Draws) -> Found:
    looks = [(each.color, each.shape) for each in record.objects.values()]
    for scene_object in record.objects.values():
        look = (scene_object.color, scene_object.shape)
        if looks.count(look) > 1:
            yield LeftOut("another object has the same colour and shape")
            continue
        target = _tell_direction(record, scene_object, settings)
        if target is None:
            yield LeftOut("no clear direction")
            continue
        yield Event(
            source="clevrer",
            video=record.video,
            key=f"object {scene_object.id}",
            choices=_CHOICES,
            target=target,
            slots=look,
            group=" ".join(look),
            unit=record.video,
            length_seconds=record.length_seconds,
            video_seconds=record.length_seconds,
        )


def _tell_direction(
    scene: Scene, scene_object: SceneObject, settings: TVBenchSettings
) -> int | None:
    path = [
        project(frame.states[scene_object.id].location)
        for frame in scene.frames
        if scene_object.id in frame.states and frame.states[scene_object.id].is_visible
    ]
    if len(path) < max(2, settings.direction_min_frames):
        return None
    net = [path[-1][axis] - path[0][axis] for axis in (0, 1)]
    least = (settings.direction_min_columns, settings.direction_min_rows)
    for axis in (0, 1):
        whole = sum(abs(after[axis] - before[axis]) for before, after in pairwise(path))
        if abs(net[axis]) < least[axis]:
            return None
        if abs(net[axis]) < settings.direction_min_straightness * whole:
            return None
    up, right = net[1] < 0, net[0] > 0
    return 2 * up + right


MOVING_DIRECTION: Final = Task(
    name="moving_direction",
    asks="along which diagonal of the picture an object moves",
    templates=("Which direction does the {} {} move in the video?",),
    find={"clevrer": _find},
    form_blocks=form_even_blocks,
)
