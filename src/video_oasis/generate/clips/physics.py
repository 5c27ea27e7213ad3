"""Lets discs roll on the ground, slow down and bounce off each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.world import Collision

_STEPS_PER_FRAME: Final = 16


@dataclass(frozen=True, slots=True)
class Disc:
    """A round body as it starts.

    Attributes:
        x: its centre in pixels of the world.
        y: likewise.
        velocity_x: pixels a second.
        velocity_y: likewise.
        radius: in pixels; its mass grows with its area.
    """

    x: float
    y: float
    velocity_x: float
    velocity_y: float
    radius: float


class Roll(NamedTuple):
    """How discs moved.

    Attributes:
        positions: for each frame the centre of each disc, in pixels of the world.
        collisions: which met, and when, in order of time.
    """

    positions: tuple[tuple[tuple[float, float], ...], ...]
    collisions: tuple[Collision, ...]


def roll(
    discs: Sequence[Disc], n_frames: int, fps: int, *, slowing: float, bounce: float = 1.0
) -> Roll:
    """Let discs roll from the first frame on.

    Args:
        discs: the discs; none may overlap another.
        n_frames: how many frames.
        fps: frames a second.
        slowing: pixels a second by which each second takes from a disc's speed, until it rests.
        bounce: share of the speed of approach that two discs part with.

    Raises:
        SchemaError: discs overlap at the start.
    """
    places = [(disc.x, disc.y) for disc in discs]
    speeds = [(disc.velocity_x, disc.velocity_y) for disc in discs]
    for one, other in combinations(range(len(discs)), 2):
        if _measure_gap(places, discs, one, other) < 0:
            raise SchemaError(f"discs {one} and {other} overlap at the start; put them apart")
    positions = [tuple(places)]
    collisions: list[Collision] = []
    seconds = 1 / (fps * _STEPS_PER_FRAME)
    for frame in range(1, n_frames):
        for _ in range(_STEPS_PER_FRAME):
            speeds = [_slow(speed, slowing * seconds) for speed in speeds]
            places = [
                (x + vx * seconds, y + vy * seconds)
                for (x, y), (vx, vy) in zip(places, speeds, strict=True)
            ]
            for one, other in combinations(range(len(discs)), 2):
                if _measure_gap(places, discs, one, other) <= 0 and _part(
                    places, speeds, discs, one, other, bounce
                ):
                    x, y = _find_touch(places, discs, one, other)
                    collisions.append(Collision(frame, (one, other), x, y))
        positions.append(tuple(places))
    return Roll(tuple(positions), tuple(collisions))


def _slow(speed: tuple[float, float], by: float) -> tuple[float, float]:
    size = math.hypot(*speed)
    if size <= by:
        return 0.0, 0.0
    return speed[0] * (size - by) / size, speed[1] * (size - by) / size


def _measure_gap(
    places: Sequence[tuple[float, float]], discs: Sequence[Disc], one: int, other: int
) -> float:
    across = places[other][0] - places[one][0]
    down = places[other][1] - places[one][1]
    return math.hypot(across, down) - discs[one].radius - discs[other].radius


def _part(
    places: Sequence[tuple[float, float]],
    speeds: list[tuple[float, float]],
    discs: Sequence[Disc],
    one: int,
    other: int,
    bounce: float,
) -> bool:
    """Exchange momentum along the line between two discs; tell whether they were approaching."""
    across = places[other][0] - places[one][0]
    down = places[other][1] - places[one][1]
    distance = math.hypot(across, down)
    along = (across / distance, down / distance)
    approach = (speeds[one][0] - speeds[other][0]) * along[0] + (
        speeds[one][1] - speeds[other][1]
    ) * along[1]
    if approach <= 0:
        return False
    masses = discs[one].radius ** 2, discs[other].radius ** 2
    momentum = (1 + bounce) * approach * masses[0] * masses[1] / sum(masses)
    for which, sign in ((one, -1), (other, 1)):
        change = sign * momentum / masses[which == other]
        vx, vy = speeds[which]
        speeds[which] = (vx + change * along[0], vy + change * along[1])
    return True


def _find_touch(
    places: Sequence[tuple[float, float]], discs: Sequence[Disc], one: int, other: int
) -> tuple[float, float]:
    share = discs[one].radius / (discs[one].radius + discs[other].radius)
    (x, y), (other_x, other_y) = places[one], places[other]
    return x + share * (other_x - x), y + share * (other_y - y)
