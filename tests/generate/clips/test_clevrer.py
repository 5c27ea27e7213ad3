"""Worlds are described as CLEVRER's files describe theirs."""

import json
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.clevrer import write_clevrer_annotation
from video_oasis.generate.clips.motion import go, hold_camera, place, stand
from video_oasis.generate.clips.rolling import make_rolling_world
from video_oasis.generate.clips.world import Collision, Pose, Shape, Thing, World

WORLD = World(
    ground="white",
    things=(
        Thing(Shape.CIRCLE, stand(Pose(72.0, 48.0, 20.0, "grey"), 3)),
        Thing(Shape.SQUARE, go(Pose(-10.0, 48.0, 20.0, "red"), 72.0, 48.0, 3)),
        Thing(Shape.DIAMOND, place((Pose(100.0, 90.0, 20.0, "blue"),), 1, 3)),
    ),
    views=hold_camera(3),
    fps=25,
    collisions=(Collision(2, (0, 1), 72.0, 48.0),),
)


def project(location: list[float]) -> tuple[float, float]:
    """Where CLEVRER's camera sees a point, in pixels of its pictures of 480 × 320."""
    x, y, z = location
    depth = -0.8657 * (x - 4.321) - 0.5006 * (z - 2.499)
    row = 160 + 525 * (0.5006 * (x - 4.321) - 0.8657 * (z - 2.499)) / depth
    return 240 + 525 * y / depth, row


def state(annotation: dict[str, Any], frame: int, number: int) -> dict[str, Any]:
    objects = annotation["motion_trajectory"][frame]["objects"]
    (found,) = [each for each in objects if each["object_id"] == number]
    return dict(found)


def test_the_middle_of_the_picture_is_where_the_camera_looks() -> None:
    # In the middle row: x - 4.321 = (0.2 - 2.499) * 0.8657 / 0.5006 = -3.9757.
    annotation = write_clevrer_annotation(WORLD)
    assert state(annotation, 0, 0)["location"] == [pytest.approx(0.3453, abs=2e-4), 0.0, 0.2]
    assert state(annotation, 0, 0)["velocity"] == [0.0, 0.0, 0.0]


def test_things_move_absent_ones_are_left_out_and_outside_is_told() -> None:
    annotation = write_clevrer_annotation(WORLD, scene_index=7)
    assert annotation["video_filename"] == "video_00007.mp4"
    assert [frame["frame_id"] for frame in annotation["motion_trajectory"]] == [0, 1, 2]
    ids = [
        [each["object_id"] for each in frame["objects"]]
        for frame in annotation["motion_trajectory"]
    ]
    assert ids == [[0, 1], [0, 1, 2], [0, 1]]
    assert [state(annotation, frame, 1)["inside_camera_view"] for frame in range(3)] == [
        False,
        True,
        True,
    ]
    # From -10 to 31 pixels, 41 of 144, in the middle row, where the depth is 4.5926.
    way = 41 * 480 / 144 / 525 * 4.5926
    assert state(annotation, 1, 1)["velocity"][1] == pytest.approx(way * 25, rel=1e-3)
    assert state(annotation, 0, 1)["velocity"] == state(annotation, 1, 1)["velocity"]


def test_properties_and_collisions_are_named_as_published() -> None:
    annotation = write_clevrer_annotation(WORLD)
    assert annotation["object_property"] == [
        {"object_id": 0, "color": "gray", "material": "rubber", "shape": "sphere"},
        {"object_id": 1, "color": "red", "material": "rubber", "shape": "cube"},
        {"object_id": 2, "color": "blue", "material": "rubber", "shape": "cylinder"},
    ]
    (met,) = annotation["collision"]
    assert (met["object_ids"], met["frame_id"]) == ([0, 1], 2)


def test_every_thing_is_seen_where_it_is_painted() -> None:
    world = make_rolling_world(1, 2, n_things=5)
    annotation = write_clevrer_annotation(world)
    for frame in (0, 64, 127):
        for number, thing in enumerate(world.things):
            pose = thing.poses[frame]
            assert pose is not None
            seen = project(state(annotation, frame, number)["location"])
            assert seen == pytest.approx((pose.x * 480 / 144, pose.y * 320 / 96), abs=0.1)


def test_the_form_is_that_of_a_real_file(shared_data: Path) -> None:
    file = shared_data / "sources" / "clevrer_annotation_10000_excerpt.json"
    real = json.loads(file.read_text())
    made = write_clevrer_annotation(make_rolling_world(0, 0, n_things=2))
    assert real.keys() == made.keys()
    assert real["object_property"][0].keys() == made["object_property"][0].keys()
    real_frame, made_frame = real["motion_trajectory"][0], made["motion_trajectory"][0]
    assert real_frame.keys() == made_frame.keys()
    assert real_frame["objects"][0].keys() == made_frame["objects"][0].keys()


def test_what_clevrer_could_not_see_is_refused() -> None:
    high = Thing(Shape.CIRCLE, stand(Pose(72.0, -60.0, 20.0, "red"), 3))
    world = World(ground="white", things=(high,), views=hold_camera(3), fps=25)
    with pytest.raises(SchemaError, match="60 pixels above the picture"):
        write_clevrer_annotation(world)
