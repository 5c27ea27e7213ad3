"""Makes worlds in which balls roll, collide and come to rest, as CLEVRER's do."""

from typing import Final

from video_oasis.errors import SettingsError
from video_oasis.generate.clips.motion import hold_camera
from video_oasis.generate.clips.physics import Disc, roll
from video_oasis.generate.clips.world import HEIGHT, WIDTH, Pose, Shape, Thing, World
from video_oasis.generate.dealer import Dealer

N_FRAMES: Final = 128
FPS: Final = 25
"""As CLEVRER has it."""

_COLOURS: Final = ("red", "green", "blue", "yellow", "purple", "cyan", "brown")
_SIDE: Final = 16.0
_RADIUS: Final = _SIDE / 2 * 1.2
"""A little more than the half side, so that shapes with corners do not overlap when they meet."""
_SLOWING: Final = 6.0
_SPEEDS: Final = (22.0, 28.0, 34.0, 40.0)
_REST_PLACES: Final = tuple(
    (WIDTH * column / 6, HEIGHT * row / 4) for column in (2, 3, 4) for row in (1, 2, 3)
)
"""Where a thing can rest at the start, in pixels; far enough apart not to overlap."""
_ENTRIES: Final = ((-14.0, 1.0), (WIDTH + 14.0, -1.0))
"""Where a thing can come in, in pixels from the left, and which way it then goes."""


def make_rolling_world(seed: int, number: int, *, n_things: int = 4) -> World:
    """Make a world of things at rest and things that roll in, no two alike.

    Args:
        seed: another seed, other worlds.
        number: the number of the world.
        n_things: how many things, 2 to 6; half of them, rounded up, roll in.

    Raises:
        SettingsError: the number of things is out of range.
    """
    if not 2 <= n_things <= 6:
        raise SettingsError(f"a world of {n_things} things; expected 2 to 6")
    dealer = Dealer(seed, "rolling world")
    n_rolling = (n_things + 1) // 2
    colours = dealer.order(_COLOURS, "colours", number)[:n_things]
    places = dealer.order(_REST_PLACES, "places", number)
    discs = [Disc(x, y, 0.0, 0.0, _RADIUS) for x, y in places[: n_things - n_rolling]]
    lanes = dealer.order(range(n_rolling), "lanes", number)
    for which, lane in enumerate(lanes):
        x, way = _ENTRIES[(which + dealer.draw(2, "entry", number)) % 2]
        y = HEIGHT * (lane + 1) / (n_rolling + 1)
        speed = dealer.pick(_SPEEDS, "speed", number, which)
        slant = (dealer.draw(201, "slant", number, which) - 100) / 100
        discs.append(Disc(x, y, way * speed, slant * speed / 2, _RADIUS))
    rolled = roll(discs, N_FRAMES, FPS, slowing=_SLOWING)
    shapes = (Shape.CIRCLE, Shape.SQUARE, Shape.DIAMOND)
    return World(
        ground="grey",
        things=tuple(
            Thing(
                dealer.pick(shapes, "shape", number, which),
                tuple(Pose(*places[which], _SIDE, colour) for places in rolled.positions),
            )
            for which, colour in enumerate(colours)
        ),
        views=hold_camera(N_FRAMES),
        fps=FPS,
        collisions=rolled.collisions,
    )
