"""The state of a small world, frame by frame, as plain data."""

import math
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from video_oasis.errors import SchemaError

WIDTH: Final = 144
HEIGHT: Final = 96
"""Size of a picture in pixels; CLEVRER's pictures are 10 / 3 as large."""

COLOURS: Final = MappingProxyType(
    {
        "black": (26, 26, 28),
        "grey": (128, 128, 128),
        "white": (236, 236, 232),
        "brown": (118, 78, 44),
        "red": (214, 40, 40),
        "orange": (242, 132, 20),
        "yellow": (240, 210, 40),
        "green": (44, 160, 60),
        "cyan": (40, 200, 210),
        "blue": (40, 90, 214),
        "purple": (140, 60, 190),
        "pink": (246, 120, 180),
    }
)
"""Colours that things and grounds can have, by name, as red, green and blue from 0 to 255."""


class Shape(StrEnum):
    """Outlines of things; of equal side they are equal in area."""

    CIRCLE = "circle"
    SQUARE = "square"
    TRIANGLE = "triangle"
    DIAMOND = "diamond"


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a thing is and how it looks in one frame.

    Attributes:
        x: its centre in pixels from the left of the world; the camera at rest shows 0 to ``WIDTH``.
        y: its centre in pixels from the top, likewise.
        side: side in pixels of the square that has its area.
        colour: name of its colour.
        blend: name of a second colour that is mixed in; empty for none.
        blend_share: how much of the second colour, 0 to 1.
    """

    x: float
    y: float
    side: float
    colour: str
    blend: str = ""
    blend_share: float = 0.0

    def __post_init__(self) -> None:
        """Check the numbers and the colours.

        Raises:
            SchemaError: one is out of range or unknown.
        """
        if not (math.isfinite(self.x) and math.isfinite(self.y) and self.side > 0):
            raise SchemaError(
                f"pose at ({self.x}, {self.y}) of side {self.side}; expected finite numbers and a "
                "side above 0"
            )
        if not 0 <= self.blend_share <= 1 or (self.blend_share > 0) != bool(self.blend):
            raise SchemaError(
                f"pose mixes {self.blend_share} of {self.blend!r}; expected a share above 0 and at "
                "most 1 of a named colour, or 0 of none"
            )
        for colour in (self.colour, self.blend or self.colour):
            _check_colour(colour)


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing of a world.

    Attributes:
        shape: its outline.
        poses: its pose in each frame; None where it is absent.
    """

    shape: Shape
    poses: tuple[Pose | None, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What the camera looks at in one frame.

    Attributes:
        x: the world's point in the middle of the picture, in pixels from the left of the world.
        y: likewise from the top.
        zoom: how much larger than at rest things are shown.
    """

    x: float = WIDTH / 2
    y: float = HEIGHT / 2
    zoom: float = 1.0

    def project(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of the world is in the picture, in pixels."""
        return (x - self.x) * self.zoom + WIDTH / 2, (y - self.y) * self.zoom + HEIGHT / 2


@dataclass(frozen=True, slots=True)
class Sign:
    """Words burned into the lower part of the picture.

    Attributes:
        text: the words.
        first_frame: the first frame that shows them.
        last_frame: the last one.
    """

    text: str
    first_frame: int
    last_frame: int


@dataclass(frozen=True, slots=True)
class Collision:
    """Two things that meet.

    Attributes:
        frame: the frame in which they touch.
        things: positions of the two among the world's things.
        x: where they touch, in pixels of the world.
        y: likewise.
    """

    frame: int
    things: tuple[int, int]
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All that there is in a clip.

    Attributes:
        ground: colour of the ground.
        things: from the hindmost to the foremost: a thing hides those before it in the list.
        views: what the camera looks at in each frame; their number is the clip's length.
        fps: frames a second.
        signs: words in the picture.
        collisions: which things meet, in order of time.
    """

    ground: str
    things: tuple[Thing, ...]
    views: tuple[View, ...]
    fps: int
    signs: tuple[Sign, ...] = ()
    collisions: tuple[Collision, ...] = ()

    def __post_init__(self) -> None:
        """Check that every thing has a pose for each frame.

        Raises:
            SchemaError: one has not, there is no frame, or the ground's colour is unknown.
        """
        _check_colour(self.ground)
        if not self.views or self.fps < 1:
            raise SchemaError(
                f"a world of {len(self.views)} frames at {self.fps} a second; expected at least 1"
            )
        for number, thing in enumerate(self.things):
            if len(thing.poses) != len(self.views):
                raise SchemaError(
                    f"thing {number} has {len(thing.poses)} poses; expected one for each of "
                    f"{len(self.views)} frames"
                )

    @property
    def n_frames(self) -> int:
        """How many frames the clip has."""
        return len(self.views)


def _check_colour(colour: str) -> None:
    if colour not in COLOURS:
        raise SchemaError(f"colour {colour!r}; expected one of {', '.join(COLOURS)}")
