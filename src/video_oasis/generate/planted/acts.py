"""Scenes of two acts that only time tells from their mirror images.

An act is a stretch of frames that shows the same pictures backwards, where it shows the opposite: a
shape goes left or right, turns from one colour to the other, strikes another or is struck by it.
Two acts one after the other leave four answers, each with the same frames in another order; the
frame at the middle of the clip shows neither.
"""

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from video_oasis.generate.clips.motion import (
    Poses,
    go,
    hold_camera,
    place,
    strike,
    turn_colour,
)
from video_oasis.generate.clips.world import Collision, Pose, Shape, Thing, World
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
from video_oasis.generate.planted.timing import FPS, N_FRAMES
from video_oasis.generate.planted.truth import Evidence, PlantedKind

_FIRST_FRAMES: Final = (2, 34)
"""Where the acts begin."""
_N_FRAMES: Final = 29
"""Length of an act. It is centred among the frames that one frame a second shows, so that those are
the same backwards too."""
_N_BLENDED: Final = 3
_SMALL: Final = 30.0
"""Side of a thing that goes somewhere, in pixels."""


class _Act(NamedTuple):
    """An act that can go either way.

    Attributes:
        shapes: the shapes that take part.
        poses: their poses, one way; the other way is the same backwards.
        words: what happens, one way and the other.
        touch: where two shapes meet in its middle, in pixels of the world; None if none do.
    """

    shapes: tuple[Shape, ...]
    poses: tuple[Poses, ...]
    words: tuple[str, str]
    touch: tuple[float, float] | None = None


class _Plot(NamedTuple):
    """Two acts and the question that they answer.

    Attributes:
        task: the name of the sort of question.
        question: its words.
        words: the four answers, by number.
        played: the acts in order, each with the way it goes.
    """

    task: str
    question: str
    words: tuple[str, ...]
    played: tuple[tuple[_Act, int], tuple[_Act, int]]


def _act_direction(which: int, shapes: Sequence[Shape], colours: Sequence[str]) -> _Act:
    pose = Pose(32.0, 48.0, _SMALL, colours[which])
    if which == 0:
        poses = go(pose, 112.0, 48.0, _N_FRAMES)
        words = ("to the right", "to the left")
    else:
        poses = go(Pose(72.0, 74.0, _SMALL, colours[which]), 72.0, 22.0, _N_FRAMES)
        words = ("upward", "downward")
    shape = shapes[which]
    return _Act((shape,), (poses,), (f"the {shape} {words[0]}", f"the {shape} {words[1]}"))


def _act_state(which: int, shapes: Sequence[Shape], colours: Sequence[str]) -> _Act:
    shape = shapes[which]
    first, second = colours[2 * which : 2 * which + 2]
    poses = turn_colour(
        Pose((44.0, 100.0)[which], 48.0, SIDE, first), second, _N_FRAMES, n_blended=_N_BLENDED
    )
    return _Act(
        (shape,),
        (poses,),
        (f"the {shape} from {first} to {second}", f"the {shape} from {second} to {first}"),
    )


def _act_cause(which: int, shapes: Sequence[Shape], colours: Sequence[str]) -> _Act:  # noqa: ARG001
    first, second = colours[2 * which : 2 * which + 2]
    half = _REACH_OF_CIRCLE * _SMALL
    poses = strike(
        Pose(72.0 - half, 48.0, _SMALL, first), Pose(72.0 + half, 48.0, _SMALL, second), 34.0,
        _N_FRAMES,
    )  # fmt: skip
    return _Act(
        (Shape.CIRCLE, Shape.CIRCLE),
        poses,
        (
            f"the {first} ball strikes the {second} one",
            f"the {second} ball strikes the {first} one",
        ),
        touch=(72.0, 48.0),
    )


_REACH_OF_CIRCLE: Final = math.pi**-0.5
"""Radius of a circle whose area is that of a square of side 1."""

_MakeAct = Callable[[int, Sequence[Shape], Sequence[str]], _Act]
_ACTS: Final[dict[str, tuple[_MakeAct, str, str]]] = {
    "direction": (_act_direction, "moving_direction", "Which way do the two shapes go?"),
    "state_change": (_act_state, "state_change", "How do the two shapes change colour?"),
    "cause": (_act_cause, "cause", "What sets the resting balls in motion?"),
}
ACT_VARIANTS: Final = (*_ACTS, "narrative")
"""The sorts of question that these scenes answer."""


def make_acts(seed: int, variant: str, number: int) -> Scene:
    """Make a scene of two acts.

    Args:
        seed: the set's seed.
        variant: one of ``ACT_VARIANTS``.
        number: the number of the scene among those of its variant.
    """
    answer, _ = Dealer(seed, f"acts {variant}").deal(number)
    return show_acts(seed, variant, number, answer)


def show_acts(seed: int, variant: str, number: int, answer: int) -> Scene:
    """Make the scene of that number with another of its four answers, all else being equal.

    Args:
        seed: as for ``make_acts``.
        variant: likewise.
        number: likewise.
        answer: which answer, 0 to 3.
    """
    dealer = Dealer(seed, f"acts {variant}")
    _, position = dealer.deal(number)
    shapes = dealer.order(tuple(Shape), "shapes", number)
    colours = dealer.order(WARM_AND_COLD + BETWEEN, "colours", number)
    if variant == "narrative":
        plot = _plot_narrative(answer, shapes, colours, dealer.draw(2, "change", number))
    else:
        plot = _plot_pair(variant, answer, shapes, colours)
    right = plot.words[answer]
    draft = Draft(
        kind=PlantedKind.NATIVE,
        variant=variant,
        task=plot.task,
        question=plot.question,
        wrong=others(plot.words, right),
        position=position,
        label=right,
        acceptable=(right,),
        evidence=(Evidence.ORDER,),
    )
    world = _play(plot.played, dealer.pick(GROUNDS, "ground", number))
    return Scene(world, describe_place(dealer, number), (draft,))


def _plot_pair(variant: str, answer: int, shapes: Sequence[Shape], colours: Sequence[str]) -> _Plot:
    make_act, task, question = _ACTS[variant]
    first, second = (make_act(which, shapes, colours) for which in range(2))
    words = tuple(f"{one}, {other}" for one in first.words for other in second.words)
    first_way, second_way = divmod(answer, 2)
    return _Plot(task, question, words, ((first, first_way), (second, second_way)))


def _plot_narrative(
    answer: int, shapes: Sequence[Shape], colours: Sequence[str], change_way: int
) -> _Plot:
    goes = tuple(f"the {shapes[0]} goes to the {side}" for side in ("right", "left"))
    change = f"the {shapes[1]} changes colour"
    words = (
        *(f"first {each}, then {change}" for each in goes),
        *(f"first {change}, then {each}" for each in goes),
    )
    is_change_first, way = divmod(answer, 2)
    going = (_act_direction(0, shapes, colours), way)
    turning = (_act_state(1, shapes, colours), change_way)
    played = (turning, going) if is_change_first else (going, turning)
    return _Plot("narrative", "What happens in the clip?", words, played)


def _play(played: Sequence[tuple[_Act, int]], ground: str) -> World:
    """Put acts one after the other, each forwards or backwards."""
    things: list[Thing] = []
    collisions = []
    for (act, way), first_frame in zip(played, _FIRST_FRAMES, strict=True):
        if act.touch is not None:
            frame = first_frame + _N_FRAMES // 2
            collisions.append(Collision(frame, (len(things), len(things) + 1), *act.touch))
        things += [
            Thing(shape, place(poses[:: -1 if way else 1], first_frame, N_FRAMES))
            for shape, poses in zip(act.shapes, act.poses, strict=True)
        ]
    return World(
        ground=ground,
        things=tuple(things),
        views=hold_camera(N_FRAMES),
        fps=FPS,
        collisions=tuple(collisions),
    )
