"""Scenes in which shapes and words are in sight for a while: static attributes, order-free."""

from collections.abc import Collection
from typing import Final, NamedTuple

from video_oasis.generate.clips.motion import (
    hold_camera,
    pan_camera,
    show_only,
    stand,
    zoom_camera,
)
from video_oasis.generate.clips.visibility import find_frames_in_sight
from video_oasis.generate.clips.world import Pose, Shape, Sign, Thing, View, World
from video_oasis.generate.dealer import Dealer
from video_oasis.generate.planted.scene import (
    BETWEEN,
    GROUNDS,
    SIDE,
    WARM_AND_COLD,
    Draft,
    Scene,
    describe_place,
    others,
)
from video_oasis.generate.planted.timing import FPS, N_FRAMES, frames_of
from video_oasis.generate.planted.truth import Evidence, PlantedKind

CENTRE_VARIANTS: Final = ("colour", "place", "colour", "sign", "colour", "place")
FREE_VARIANTS: Final = ("visit", "glimpse", "uncovered", "uncovered", "glimpse", "visit")
"""Variants of the centre question and of the order-free one of each scene, in turn."""

PLACES: Final = {
    "on the left": (40.0, 48.0),
    "on the right": (104.0, 48.0),
    "at the top": (72.0, 31.0),
    "at the bottom": (72.0, 65.0),
}
_SIDES: Final = tuple(PLACES)[:2]
_SIGNS: Final = ("HARBOUR", "LIBRARY", "BAKERY", "STATION")
_CENTRE_FRAMES: Final = frames_of(3, 4)
_FREE_PARTS: Final = (0, 1, 2, 5, 6, 7)
_GLIMPSE_FRAMES: Final = 3
_SCREEN_SIDE: Final = 62.0
_FRAME: Final = (Evidence.FRAME,)


class _Cast(NamedTuple):
    """What is drawn for one scene; answers are numbers with their positions among the choices."""

    shapes: tuple[Shape, Shape]
    centre_variant: str
    centre: tuple[int, int]
    free_variant: str
    free: tuple[int, int]
    ground: tuple[int, int]


def make_visits(seed: int, number: int, kinds: Collection[PlantedKind]) -> Scene:
    """Make a scene with one shape or sign around its middle and another shape elsewhere in time.

    Args:
        seed: the set's seed.
        number: the number of the scene among those of its sort.
        kinds: which of the centre-frame, the order-free and the defective question (one that any
            part of the clip answers) to ask.
    """
    dealer = Dealer(seed, "visits")
    cast = _cast(seed, number)
    world = _stage(cast, dealer, number)
    in_sight = find_frames_in_sight(world)
    sign_frames = tuple(sorted(_CENTRE_FRAMES))
    centre_frames = sign_frames if cast.centre_variant == "sign" else in_sight[-1]
    question, values = {
        "colour": (f"What colour is the {cast.shapes[0]}?", WARM_AND_COLD),
        "place": (f"Where in the picture is the {cast.shapes[0]}?", tuple(PLACES)),
        "sign": ("Which word is written on the sign?", _SIGNS),
    }[cast.centre_variant]
    drafts = (
        _ask(
            PlantedKind.CENTER_FRAME,
            cast.centre_variant,
            question,
            values,
            cast.centre,
            centre_frames,
        ),
        _ask(
            PlantedKind.ORDER_FREE,
            cast.free_variant,
            f"What colour is the {cast.shapes[1]}?",
            BETWEEN,
            cast.free,
            in_sight[0],
        ),
        _ask(
            PlantedKind.DEFECTIVE,
            "every_chunk",
            "What colour is the floor?",
            GROUNDS,
            cast.ground,
            tuple(range(N_FRAMES)),
        ),
    )
    asked = tuple(draft for draft in drafts if draft.kind in kinds)
    return Scene(world, describe_place(dealer, number), asked)


def _cast(seed: int, number: int) -> _Cast:
    centre_variant = CENTRE_VARIANTS[number % len(CENTRE_VARIANTS)]
    free_variant = FREE_VARIANTS[number % len(FREE_VARIANTS)]
    first, second, *_ = Dealer(seed, "visits").order(tuple(Shape), "shapes", number)
    return _Cast(
        (first, second),
        centre_variant,
        Dealer(seed, "visits centre").deal(number),
        free_variant,
        Dealer(seed, "visits free").deal(number),
        Dealer(seed, "every_chunk").deal(number),
    )


def _stage(cast: _Cast, dealer: Dealer, number: int) -> World:
    """Put the guest of the middle and the other one on opposite sides, or the former off them."""
    answer = cast.centre[0]
    colour, place = dealer.pick(WARM_AND_COLD, "colour", number), dealer.pick(_SIDES, "at", number)
    signs: tuple[Sign, ...] = ()
    frames: Collection[int] = _CENTRE_FRAMES
    if cast.centre_variant == "colour":
        colour = WARM_AND_COLD[answer]
    elif cast.centre_variant == "place":
        place = tuple(PLACES)[answer]
    else:
        signs = (Sign(_SIGNS[answer], min(_CENTRE_FRAMES), max(_CENTRE_FRAMES)),)
        frames = ()
    ground = GROUNDS[cast.ground[0]]
    other_place = next(each for each in _SIDES if each != place)
    pose = Pose(*PLACES[place], SIDE, colour)
    return World(
        ground=ground,
        things=(
            *_make_guest(cast, other_place, ground, dealer, number),
            Thing(cast.shapes[0], show_only(stand(pose, N_FRAMES), frames)),
        ),
        views=_move_camera(dealer, number, is_steady=cast.centre_variant == "place"),
        fps=FPS,
        signs=signs,
    )


def _make_guest(
    cast: _Cast, place: str, ground: str, dealer: Dealer, number: int
) -> tuple[Thing, ...]:
    """Make the shape that is not in sight of the middle frame, with the screen that may hide it."""
    shape, variant = cast.shapes[1], cast.free_variant
    part = dealer.pick(_FREE_PARTS, "part", number)
    poses = stand(Pose(*PLACES[place], SIDE, BETWEEN[cast.free[0]]), N_FRAMES)
    if variant == "uncovered":
        screen = Pose(*PLACES[place], _SCREEN_SIDE, "grey" if ground == "black" else "black")
        hiding = frozenset(range(N_FRAMES)) - frames_of(part)
        return (
            Thing(shape, poses),
            Thing(Shape.SQUARE, show_only(stand(screen, N_FRAMES), hiding)),
        )
    frames = frames_of(part)
    if variant == "glimpse":
        frames = frozenset(sorted(frames)[:_GLIMPSE_FRAMES])
    return (Thing(shape, show_only(poses, frames)),)


def _move_camera(dealer: Dealer, number: int, *, is_steady: bool) -> tuple[View, ...]:
    movement = "none" if is_steady else dealer.pick(("none", "pan", "zoom"), "camera", number)
    if movement == "pan":
        return pan_camera(dealer.pick((-12.0, 12.0), "pan", number), 0.0, N_FRAMES)
    if movement == "zoom":
        return zoom_camera(*dealer.pick(((1.0, 1.1), (1.1, 1.0)), "zoom", number), N_FRAMES)
    return hold_camera(N_FRAMES)


def _ask(
    kind: PlantedKind,
    variant: str,
    question: str,
    values: tuple[str, ...],
    dealt: tuple[int, int],
    frames: tuple[int, ...],
) -> Draft:
    answer, position = dealt
    right = values[answer]
    return Draft(
        kind=kind,
        variant=variant,
        task=_TASKS[variant],
        question=question,
        wrong=others(values, right),
        position=position,
        label=right,
        acceptable=(right,),
        evidence=_FRAME,
        frames=frames,
    )


_TASKS: Final = {
    "colour": "shape_colour",
    "place": "shape_place",
    "sign": "sign_text",
    "visit": "shape_colour",
    "glimpse": "shape_colour",
    "uncovered": "shape_colour",
    "every_chunk": "floor_colour",
}
