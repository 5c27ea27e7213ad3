"""What is painted is what the world says, and what can be seen of it is measured right."""

import numpy as np
import pytest

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.motion import hold_camera, stand, zoom_camera
from video_oasis.generate.clips.render import Picture, render
from video_oasis.generate.clips.rolling import make_rolling_world
from video_oasis.generate.clips.visibility import find_frames_in_sight, measure_visibility
from video_oasis.generate.clips.world import COLOURS, Pose, Shape, Sign, Thing, View, World


def world_of(*things: Thing, n_frames: int = 2, views: tuple[View, ...] = ()) -> World:
    return World(ground="grey", things=things, views=views or hold_camera(n_frames), fps=8)


def pixel(picture: Picture, x: int, y: int) -> tuple[int, ...]:
    return tuple(picture[y, x].tolist())


@pytest.mark.parametrize("shape", Shape)
def test_a_shape_has_its_colour_inside_and_its_area_in_all(shape: Shape) -> None:
    world = world_of(Thing(shape, stand(Pose(72.0, 48.0, 40.0, "red"), 2)))
    picture = render(world)[0]
    assert pixel(picture, 72, 48) == COLOURS["red"]
    assert pixel(picture, 5, 48) == COLOURS["grey"]
    changed = (picture != render(world_of())[0]).any(axis=-1).sum()
    # The rim is counted whole where it is only in part covered.
    assert 1600 <= changed <= 1600 + 2 * 4 * 45
    assert measure_visibility(world)[0, 0] == pytest.approx(1.0, abs=0.01)


def test_a_triangle_points_upward() -> None:
    picture = render(world_of(Thing(Shape.TRIANGLE, stand(Pose(72.0, 48.0, 40.0, "red"), 2))))[0]
    # Half the side's root of two is 28 pixels: its tip is at 20, its foot reaches from 44 to 100.
    assert pixel(picture, 72, 26) == COLOURS["red"]
    assert pixel(picture, 52, 26) != COLOURS["red"]
    assert pixel(picture, 52, 70) == COLOURS["red"]


def test_later_things_hide_earlier_ones() -> None:
    world = world_of(
        Thing(Shape.SQUARE, stand(Pose(72.0, 48.0, 40.0, "red"), 2)),
        Thing(Shape.SQUARE, (Pose(92.0, 48.0, 40.0, "blue"), None)),
    )
    first, second = render(world)
    assert pixel(first, 60, 48) == COLOURS["red"]
    assert pixel(first, 82, 48) == COLOURS["blue"]
    assert pixel(second, 82, 48) == COLOURS["red"]
    # The second square covers the right half of the first.
    assert measure_visibility(world).tolist() == [
        [pytest.approx(0.5, abs=0.01), pytest.approx(1.0)],
        [pytest.approx(1.0), 0.0],
    ]
    assert find_frames_in_sight(world) == ((1,), (0,))


def test_a_thing_half_outside_is_half_in_sight() -> None:
    world = world_of(Thing(Shape.SQUARE, stand(Pose(0.0, 48.0, 40.0, "red"), 2)))
    assert measure_visibility(world)[0].tolist() == pytest.approx([0.5, 0.5], abs=0.01)


def test_zoom_enlarges_around_the_middle() -> None:
    world = world_of(
        Thing(Shape.SQUARE, stand(Pose(72.0, 48.0, 20.0, "red"), 2)),
        views=zoom_camera(1.0, 2.0, 2),
    )
    near, far = (
        (np.abs(picture.astype(int) - COLOURS["red"]).sum(axis=-1) == 0).sum()
        for picture in render(world)
    )
    # Without their rims of one and a half pixels, squares of sides 17 and 37.
    assert near == pytest.approx(17**2, rel=0.15)
    assert far == pytest.approx(37**2, rel=0.15)


def test_two_colours_mix_by_share() -> None:
    pose = Pose(72.0, 48.0, 40.0, "black", blend="white", blend_share=0.5)
    picture = render(world_of(Thing(Shape.SQUARE, stand(pose, 2))))[0]
    assert pixel(picture, 72, 48) == (131, 131, 130)


def test_a_sign_is_there_from_its_first_frame_to_its_last() -> None:
    world = World(
        ground="brown", things=(), views=hold_camera(4), fps=8, signs=(Sign("BAKERY", 1, 2),)
    )
    shown = [bool((picture > 240).all(axis=-1).any()) for picture in render(world)]
    assert shown == [False, True, True, False]


def test_the_same_world_gives_the_same_pixels() -> None:
    frames, again = (render(make_rolling_world(3, 5)) for _ in range(2))
    assert all(np.array_equal(one, other) for one, other in zip(frames, again, strict=True))
    assert not np.array_equal(frames[0], render(make_rolling_world(4, 5))[0])


def test_worlds_check_themselves() -> None:
    with pytest.raises(SchemaError, match="3 poses; expected one for each of 2 frames"):
        world_of(Thing(Shape.SQUARE, stand(Pose(0.0, 0.0, 9.0, "red"), 3)))
    with pytest.raises(SchemaError, match="'teal'"):
        Pose(0.0, 0.0, 9.0, "teal")
    with pytest.raises(SchemaError, match="side 0"):
        Pose(0.0, 0.0, 0.0, "red")
    with pytest.raises(SchemaError, match=r"mixes 0.5 of ''"):
        Pose(0.0, 0.0, 9.0, "red", blend_share=0.5)
