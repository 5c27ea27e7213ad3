"""Paints a world: the same world, the same pixels."""

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from video_oasis.generate.clips.world import COLOURS, HEIGHT, WIDTH, Pose, Shape, Sign, View, World

Picture = npt.NDArray[np.uint8]
"""Height × width × red, green and blue."""
Mask = npt.NDArray[np.float32]
"""Share of each pixel that a thing covers, 0 to 1."""

RIM_PIXELS: Final = 1.5
"""Width of the darker rim of a thing, in pixels of the picture."""
_RIM_LIGHT: Final = 0.55
_GROUND_LIGHT: Final = (1.06, 0.94)
"""Light on the ground at the top and at the bottom of the picture."""
_SIGN_HEIGHT: Final = 20


def render(world: World) -> list[Picture]:
    """Paint all frames of a world; equal frames are one picture."""
    ground = _paint_ground(world.ground)
    painted: dict[object, Picture] = {}
    frames = []
    for number, view in enumerate(world.views):
        poses = tuple(thing.poses[number] for thing in world.things)
        signs = tuple(sign for sign in world.signs if sign.first_frame <= number <= sign.last_frame)
        state = (view, poses, signs)
        if state not in painted:
            painted[state] = _paint(world, ground, view, poses, signs)
        frames.append(painted[state])
    return frames


def cover(shape: Shape, pose: Pose, view: View) -> tuple[slice, slice, Mask] | None:
    """Return which part of the picture a thing covers.

    Returns:
        The rows and the columns of the part that it lies in, and the share of each of their pixels
        that it covers; None if it lies outside the picture.
    """
    x, y = view.project(pose.x, pose.y)
    distance = _measure_depth(shape, x, y, pose.side * view.zoom)
    if distance is None:
        return None
    rows, columns, depth = distance
    return rows, columns, np.clip(depth + 0.5, 0.0, 1.0)


def _paint(
    world: World,
    ground: Picture,
    view: View,
    poses: tuple[Pose | None, ...],
    signs: tuple[Sign, ...],
) -> Picture:
    picture = ground.copy()
    for thing, pose in zip(world.things, poses, strict=True):
        if pose is None:
            continue
        x, y = view.project(pose.x, pose.y)
        found = _measure_depth(thing.shape, x, y, pose.side * view.zoom)
        if found is None:
            continue
        rows, columns, depth = found
        covered = np.clip(depth + 0.5, 0.0, 1.0)[..., None]
        inner = np.clip(depth + 0.5 - RIM_PIXELS, 0.0, 1.0)[..., None]
        colour = _mix(pose)
        paint = colour * (_RIM_LIGHT + (1 - _RIM_LIGHT) * inner)
        part = picture[rows, columns]
        picture[rows, columns] = np.rint(part * (1 - covered) + paint * covered)
    for sign in signs:
        board = _paint_sign(sign.text)
        height, width, _ = board.shape
        left = (WIDTH - width) // 2
        picture[HEIGHT - height - 4 : HEIGHT - 4, left : left + width] = board
    return picture


def _mix(pose: Pose) -> npt.NDArray[np.float32]:
    colour = np.array(COLOURS[pose.colour], np.float32)
    if not pose.blend:
        return colour
    share = np.float32(pose.blend_share)
    return colour * (1 - share) + np.array(COLOURS[pose.blend], np.float32) * share


@lru_cache(maxsize=len(COLOURS))
def _paint_ground(colour: str) -> Picture:
    light = np.linspace(*_GROUND_LIGHT, HEIGHT, dtype=np.float32)[:, None, None]
    ground = np.array(COLOURS[colour], np.float32) * light
    return np.broadcast_to(np.rint(ground), (HEIGHT, WIDTH, 3)).astype(np.uint8)


@lru_cache(maxsize=256)
def _paint_sign(text: str) -> Picture:
    font = ImageFont.load_default(size=15)
    left, top, right, bottom = font.getbbox(text)
    width = min(WIDTH, int(right - left) + 12)
    board = Image.new("RGB", (width, _SIGN_HEIGHT), (250, 250, 246))
    draw = ImageDraw.Draw(board)
    draw.rectangle((0, 0, width - 1, _SIGN_HEIGHT - 1), outline=(20, 20, 20))
    draw.text(
        ((width - (right - left)) / 2 - left, (_SIGN_HEIGHT - (bottom - top)) / 2 - top),
        text,
        fill=(20, 20, 20),
        font=font,
    )
    return np.asarray(board)


def _measure_depth(
    shape: Shape, x: float, y: float, side: float
) -> tuple[slice, slice, Mask] | None:
    """Return how deep inside a shape each pixel's centre is, in pixels; below 0 outside.

    Args:
        shape: the outline.
        x: centre in pixels from the left of the picture.
        y: centre in pixels from the top.
        side: side of the square of its area.
    """
    reach = _REACH[shape] * side
    rows = slice(max(0, int(y - reach - 1)), min(HEIGHT, int(y + reach + 2)))
    columns = slice(max(0, int(x - reach - 1)), min(WIDTH, int(x + reach + 2)))
    if rows.start >= rows.stop or columns.start >= columns.stop:
        return None
    across = np.arange(columns.start, columns.stop, dtype=np.float32) + np.float32(0.5 - x)
    down = (np.arange(rows.start, rows.stop, dtype=np.float32) + np.float32(0.5 - y))[:, None]
    if shape is Shape.CIRCLE:
        depth = np.float32(reach) - np.hypot(across, down)
    elif shape is Shape.SQUARE:
        depth = np.float32(reach) - np.maximum(abs(across), abs(down))
    elif shape is Shape.DIAMOND:
        depth = (np.float32(reach) - abs(across) - abs(down)) * np.float32(0.5**0.5)
    else:
        # An isosceles triangle as wide as it is high, its tip at the top.
        flank = (np.float32(reach) / 2 - abs(across) + down / 2) * np.float32(2 / 5**0.5)
        depth = np.minimum(flank, np.float32(reach) - down)
    return rows, columns, depth.astype(np.float32)


_REACH: Final = {
    Shape.CIRCLE: np.pi**-0.5,
    Shape.SQUARE: 0.5,
    Shape.TRIANGLE: 0.5**0.5,
    Shape.DIAMOND: 0.5**0.5,
}
"""How far a shape reaches from its centre to each side, at most, as a multiple of its side."""
