"""Scenes whose questions are faulty: wrong labels, several right answers, unclear references."""

from collections.abc import Sequence
from typing import Final

from video_oasis.generate.clips.motion import hold_camera, show_only, stand
from video_oasis.generate.clips.visibility import find_frames_in_sight
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
from video_oasis.generate.planted.timing import FPS, N_FRAMES, frames_of
from video_oasis.generate.planted.truth import Evidence, PlantedKind

_PARTS: Final = (0, 1, 2, 5, 6, 7)
_X: Final = (40.0, 72.0, 104.0)
_N_TRIANGLES: Final = 3


def make_label_faults(seed: int, number: int, *, n_questions: int) -> Scene:
    """Make a scene with two questions that name a wrong answer as right.

    One offers the true answer (``wrong_label``), the other does not (``no_right_choice``).

    Args:
        seed: the set's seed.
        number: the number of the scene among those of its sort.
        n_questions: 1 leaves the second question out.
    """
    dealer = Dealer(seed, "label faults")
    shapes = dealer.order(tuple(Shape), "shapes", number)[:2]
    label, position = Dealer(seed, "wrong_label").deal(number)
    other_label, other_position = Dealer(seed, "no_right_choice").deal(number)
    true = (label + 1 + dealer.draw(3, "true", number)) % 4
    hidden = dealer.pick(WARM_AND_COLD, "hidden", number)
    while hidden == WARM_AND_COLD[true]:
        hidden = WARM_AND_COLD[(WARM_AND_COLD.index(hidden) + 1) % 4]
    world = _show(dealer, number, [(shapes[0], WARM_AND_COLD[true]), (shapes[1], hidden)])
    in_sight = find_frames_in_sight(world)
    return Scene(
        world,
        describe_place(dealer, number),
        (
            _ask(
                "wrong_label",
                f"What colour is the {shapes[0]}?",
                WARM_AND_COLD,
                (label, position),
                (WARM_AND_COLD[true],),
                in_sight[0],
            ),
            _ask(
                "no_right_choice",
                f"What colour is the {shapes[1]}?",
                BETWEEN,
                (other_label, other_position),
                (),
                in_sight[1],
            ),
        )[:n_questions],
    )


def make_several_right(seed: int, number: int, *, n_questions: int) -> Scene:
    """Make a scene with two questions of which more than one choice is right.

    One asks for the colour of "the triangle" where there are three (``ambiguous_reference``), the
    other which colour occurs where two of the four do (``two_right``).

    Args:
        seed: the set's seed.
        number: the number of the scene among those of its sort.
        n_questions: 1 leaves the second question out.
    """
    dealer = Dealer(seed, "several right")
    label, position = Dealer(seed, "ambiguous_reference").deal(number)
    other_label, other_position = Dealer(seed, "two_right").deal(number)
    step = 1 + dealer.draw(3, "missing", number)
    missing = WARM_AND_COLD[(label + step) % 4]
    triangles = others(WARM_AND_COLD, missing)
    second = BETWEEN[(other_label + 1 + dealer.draw(3, "second", number)) % 4]
    pair = (BETWEEN[other_label], second)
    guests = [
        *((Shape.TRIANGLE, colour) for colour in triangles),
        *((Shape.SQUARE, colour) for colour in pair),
    ]
    world = _show(dealer, number, guests)
    in_sight = find_frames_in_sight(world)
    return Scene(
        world,
        describe_place(dealer, number),
        (
            _ask(
                "ambiguous_reference",
                "What colour is the triangle?",
                WARM_AND_COLD,
                (label, position),
                tuple(triangles),
                _join(in_sight[:_N_TRIANGLES]),
            ),
            _ask(
                "two_right",
                "Which of these colours does one of the shapes have?",
                BETWEEN,
                (other_label, other_position),
                pair,
                _join(in_sight[_N_TRIANGLES:]),
            ),
        )[:n_questions],
    )


def _show(dealer: Dealer, number: int, guests: Sequence[tuple[Shape, str]]) -> World:
    """Show each guest for a second, never in the middle of the clip."""
    parts = dealer.order(_PARTS, "parts", number)
    return World(
        ground=dealer.pick(GROUNDS, "ground", number),
        things=tuple(
            Thing(
                shape,
                show_only(
                    stand(Pose(dealer.pick(_X, "x", number, which), 48.0, SIDE, colour), N_FRAMES),
                    frames_of(parts[which]),
                ),
            )
            for which, (shape, colour) in enumerate(guests)
        ),
        views=hold_camera(N_FRAMES),
        fps=FPS,
    )


def _ask(
    variant: str,
    question: str,
    values: tuple[str, ...],
    dealt: tuple[int, int],
    acceptable: tuple[str, ...],
    frames: tuple[int, ...],
) -> Draft:
    label = values[dealt[0]]
    return Draft(
        kind=PlantedKind.DEFECTIVE,
        variant=variant,
        task="shape_colour" if variant != "two_right" else "colour_seen",
        question=question,
        wrong=others(values, label),
        position=dealt[1],
        label=label,
        acceptable=acceptable,
        evidence=(Evidence.FRAME,),
        frames=frames,
    )


def _join(frames: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(sorted(frame for each in frames for frame in each))
