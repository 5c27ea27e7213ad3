"""Describes a world in the form of CLEVRER's annotation files."""

from collections.abc import Mapping
from typing import Any, Final

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.world import HEIGHT, WIDTH, Shape, View, World

_SCALE: Final = 480 / WIDTH
"""CLEVRER's pictures have 480 × 320 pixels."""
_CENTRE: Final = (240.0, 160.0)
_FOCUS: Final = 525.0
_SIN: Final = 0.5006
_COS: Final = 0.8657
_CAMERA_X: Final = 4.321
_CAMERA_Z: Final = 2.499
_REST_Z: Final = 0.2
"""Height of the middle of a thing that stands on the ground."""
_DECIMALS: Final = 4
_SHAPES: Final = {
    Shape.CIRCLE: "sphere",
    Shape.SQUARE: "cube",
    Shape.TRIANGLE: "cylinder",
    Shape.DIAMOND: "cylinder",
}
_COLOURS: Final = {"grey": "gray"}


def write_clevrer_annotation(
    world: World, *, scene_index: int = 0, video_filename: str = ""
) -> dict[str, Any]:
    """Return a world as the content of a CLEVRER annotation file.

    Things are put where CLEVRER's camera would see them as this world's camera does, on the ground;
    a camera that moves is written as things that move. Velocity is the way from one frame to the
    next times the frames a second, so a thing that rests has exactly none.

    Args:
        world: the world.
        scene_index: its number.
        video_filename: the name of its video; by default made of the number, as CLEVRER does.

    Raises:
        SchemaError: a thing is so far above the picture that CLEVRER's camera would look past the
            ground there.
    """
    n_frames = world.n_frames
    tracks = [
        [
            None if pose is None else _locate(view, pose.x, pose.y)
            for pose, view in zip(thing.poses, world.views, strict=True)
        ]
        for thing in world.things
    ]
    return {
        "scene_index": scene_index,
        "video_filename": video_filename or f"video_{scene_index:05d}.mp4",
        "object_property": [
            {"object_id": number, **_describe(world, number)} for number in range(len(world.things))
        ],
        "motion_trajectory": [
            {
                "frame_id": frame,
                "objects": [
                    {
                        "object_id": number,
                        "location": _round(track[frame]),
                        "orientation": [0.0, 0.0, 0.0],
                        "velocity": _measure_velocity(track, frame, world.fps),
                        "angular_velocity": [0.0, 0.0, 0.0],
                        "inside_camera_view": _is_inside(world, number, frame),
                    }
                    for number, track in enumerate(tracks)
                    if track[frame] is not None
                ],
            }
            for frame in range(n_frames)
        ],
        "collision": [
            {
                "object_ids": list(met.things),
                "frame_id": met.frame,
                "location": _round(_locate(world.views[met.frame], met.x, met.y)),
            }
            for met in world.collisions
        ],
    }


def _describe(world: World, number: int) -> Mapping[str, str]:
    thing = world.things[number]
    colour = next((pose.colour for pose in thing.poses if pose is not None), world.ground)
    return {
        "color": _COLOURS.get(colour, colour),
        "material": "rubber",
        "shape": _SHAPES[thing.shape],
    }


def _locate(view: View, x: float, y: float) -> tuple[float, float, float]:
    """Return the point at a thing's height that CLEVRER's camera sees where ours sees this one."""
    seen_x, seen_y = view.project(x, y)
    down = (seen_y * _SCALE - _CENTRE[1]) / _FOCUS
    if _SIN + _COS * down <= 0:
        raise SchemaError(
            f"a thing {-seen_y:.0f} pixels above the picture; CLEVRER's camera sees no ground there"
        )
    height = _REST_Z - _CAMERA_Z
    ahead = height * (_COS - _SIN * down) / (_SIN + _COS * down)
    depth = -_COS * ahead - _SIN * height
    return ahead + _CAMERA_X, (seen_x * _SCALE - _CENTRE[0]) * depth / _FOCUS, _REST_Z


def _measure_velocity(
    track: list[tuple[float, float, float] | None], frame: int, fps: int
) -> list[float]:
    """Return the way from the frame before, or to the next where there is none before."""
    here = track[frame]
    before = track[frame - 1] if frame else None
    after = track[frame + 1] if frame + 1 < len(track) else None
    first, second = (before, here) if before is not None else (here, after)
    if first is None or second is None:
        return [0.0, 0.0, 0.0]
    return _round(tuple((b - a) * fps for a, b in zip(first, second, strict=True)))


def _is_inside(world: World, number: int, frame: int) -> bool:
    pose = world.things[number].poses[frame]
    if pose is None:
        return False
    x, y = world.views[frame].project(pose.x, pose.y)
    return 0 <= x < WIDTH and 0 <= y < HEIGHT


def _round(values: tuple[float, ...] | None) -> list[float]:
    return [round(value, _DECIMALS) for value in values or ()]
