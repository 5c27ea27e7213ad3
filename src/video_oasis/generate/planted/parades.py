"""Scenes in which four shapes are in sight one after another: which was first, which was last."""

from typing import Final

from video_oasis.generate.clips.motion import hold_camera, show_only, stand
from video_oasis.generate.clips.world import Pose, Shape, Thing, World
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
from video_oasis.generate.planted.timing import FPS, N_FRAMES, N_PARTS, frames_of
from video_oasis.generate.planted.truth import Evidence, PlantedKind

_TURNS: Final = (0, 2, 5, 7)
"""The parts that show a shape, none of them the middle one."""
_PLACES: Final = ("on the left", "in the middle", "on the right")
_X: Final = (40.0, 72.0, 104.0)


def make_parade(seed: int, number: int, *, is_told: bool, n_questions: int) -> Scene:
    """Make a scene of four shapes, each in sight for a second, in an order that is asked for.

    Args:
        seed: the set's seed.
        number: the number of the scene among those of its sort.
        is_told: whether the captions name the shapes, which gives the order away.
        n_questions: 1 asks which shape is first, 2 also which is last.
    """
    kind = PlantedKind.SUMMARY if is_told else PlantedKind.NATIVE
    dealer = Dealer(seed, f"parade {kind}")
    first, first_position = Dealer(seed, f"{kind} first").deal(number)
    _, last_position = Dealer(seed, f"{kind} last").deal(number)
    colours = dealer.pick((WARM_AND_COLD, BETWEEN), "colours", number)
    shapes = dealer.order(tuple(Shape), "shapes", number)
    names = [f"{colour} {shape}" for colour, shape in zip(colours, shapes, strict=True)]
    order = [first, *((first + step) % 4 for step in dealer.order((1, 2, 3), "steps", number))]
    ground = dealer.pick(GROUNDS, "ground", number)
    places = [dealer.draw(len(_X), "place", number, which) for which in range(4)]
    world = World(
        ground=ground,
        things=tuple(
            Thing(
                shapes[which],
                show_only(
                    stand(Pose(_X[places[which]], 48.0, SIDE, colours[which]), N_FRAMES),
                    frames_of(part),
                ),
            )
            for which, part in zip(order, _TURNS, strict=True)
        ),
        views=hold_camera(N_FRAMES),
        fps=FPS,
    )
    captions = describe_place(dealer, number)
    if is_told:
        seen = {
            part: f"A {names[which]} stands {_PLACES[places[which]]}, on a {ground} floor."
            for which, part in zip(order, _TURNS, strict=True)
        }
        captions = tuple(seen.get(part, f"An empty {ground} floor.") for part in range(N_PARTS))
    evidence = (Evidence.CAPTIONS, Evidence.ORDER) if is_told else (Evidence.ORDER,)
    asked = (("first", order[0], first_position), ("last", order[-1], last_position))
    return Scene(
        world,
        captions,
        tuple(
            Draft(
                kind=kind,
                variant=when,
                task=f"{when}_shape",
                question=f"Which shape is seen {when}?",
                wrong=others(names, names[right]),
                position=position,
                label=names[right],
                acceptable=(names[right],),
                evidence=evidence,
            )
            for when, right, position in asked[:n_questions]
        ),
    )
