"""Tracks are what they are worked out to be by hand, and the same backwards where they claim so."""

from dataclasses import replace

from video_oasis.generate.clips.motion import (
    go,
    pan_camera,
    place,
    show_only,
    stand,
    strike,
    turn_colour,
    zoom_camera,
)
from video_oasis.generate.clips.world import Pose, View

BALL = Pose(0.0, 50.0, 10.0, "red")


def xs(poses: tuple[Pose | None, ...]) -> list[float | None]:
    return [None if pose is None else pose.x for pose in poses]


def test_a_thing_goes_evenly_from_one_end_to_the_other() -> None:
    poses = go(BALL, 9.0, 20.0, 4)
    assert xs(poses) == [0.0, 3.0, 6.0, 9.0]
    assert [pose.y for pose in poses if pose] == [50.0, 40.0, 30.0, 20.0]


def test_going_back_is_going_backwards_to_the_last_bit() -> None:
    there = go(replace(BALL, x=0.1), 77.7, 50.0, 29)
    back = go(replace(BALL, x=77.7), 0.1, 50.0, 29)
    assert there == back[::-1]


def test_colours_blend_in_quarters_halfway() -> None:
    poses = turn_colour(BALL, "blue", 7, n_blended=3)
    assert [(pose.colour, pose.blend_share) for pose in poses if pose] == [
        ("red", 0.0), ("red", 0.0), ("red", 0.25), ("red", 0.5), ("red", 0.75), ("blue", 0.0),
        ("blue", 0.0),
    ]  # fmt: skip


def test_the_striker_stops_where_the_other_sets_off() -> None:
    comes, goes = strike(replace(BALL, x=10.0), replace(BALL, x=20.0), 6.0, 7)
    assert xs(comes) == [4.0, 6.0, 8.0, 10.0, 10.0, 10.0, 10.0]
    assert xs(goes) == [20.0, 20.0, 20.0, 20.0, 22.0, 24.0, 26.0]


def test_a_strike_backwards_is_the_strike_of_the_other() -> None:
    left, right = replace(BALL, x=63.5), replace(BALL, x=80.5)
    comes, goes = strike(left, right, 34.0, 29)
    other_comes, other_goes = strike(right, left, 34.0, 29)
    assert (comes[::-1], goes[::-1]) == (other_goes, other_comes)


def test_things_are_absent_where_they_are_not_placed_or_shown() -> None:
    assert xs(place(stand(BALL, 2), 1, 5)) == [None, 0.0, 0.0, None, None]
    assert xs(show_only(stand(BALL, 3), {2})) == [None, None, 0.0]


def test_the_camera_passes_over_the_middle() -> None:
    assert pan_camera(12.0, 4.0, 3) == (View(66.0, 46.0), View(72.0, 48.0), View(78.0, 50.0))
    assert [view.zoom for view in zoom_camera(1.0, 2.0, 3)] == [1.0, 1.5, 2.0]
    assert View(66.0, 46.0, 2.0).project(72.0, 48.0) == (84.0, 52.0)
