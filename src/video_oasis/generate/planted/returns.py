"""Scenes in which one shape comes into sight again and again: how often did it come?"""

from typing import Final

from video_oasis.generate.clips.motion import hold_camera, show_only, stand
from video_oasis.generate.clips.world import HEIGHT, WIDTH, Pose, Shape, Thing, World
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

_NAME: Final = "returns"
_TIMES: Final = ("once", "twice", "three times", "four times")
_PATTERNS: Final = ("####----", "##--##--", "##-#-#--", "#-#-#-#-")
"""The parts in which the shape is in sight for one to four stays. All have as many, and one of the
two parts at the ends; backwards, the middle frame of each shows the opposite."""
_MARGIN_FRAMES: Final = 2
"""At the ends of the clip the shape is never in sight, so that its first coming is seen."""


def make_returns(seed: int, number: int) -> Scene:
    """Make a scene whose frames are the same, in another order, whatever the answer.

    Args:
        seed: the set's seed.
        number: the number of the scene among those of its sort.
    """
    dealer = Dealer(seed, _NAME)
    answer, _ = dealer.deal(number)
    is_backwards = dealer.draw(2, "backwards", number) == 1
    return show_returns(seed, number, answer, is_backwards=is_backwards)


def show_returns(seed: int, number: int, answer: int, *, is_backwards: bool) -> Scene:
    """Make the scene of that number with another answer or backwards, all else being equal.

    Args:
        seed: as for ``make_returns``.
        number: likewise.
        answer: how often the shape comes, less one: 0 to 3.
        is_backwards: whether its stays come in the opposite order.
    """
    dealer = Dealer(seed, _NAME)
    _, position = dealer.deal(number)
    shape = dealer.pick(tuple(Shape), "shape", number)
    pattern = _PATTERNS[answer][:: -1 if is_backwards else 1]
    parts = [part for part in range(N_PARTS) if pattern[part] == "#"]
    frames = frames_of(*parts) & frozenset(range(_MARGIN_FRAMES, N_FRAMES - _MARGIN_FRAMES))
    pose = Pose(WIDTH / 2, HEIGHT / 2, SIDE, dealer.pick(WARM_AND_COLD + BETWEEN, "colour", number))
    world = World(
        ground=dealer.pick(GROUNDS, "ground", number),
        things=(Thing(shape, show_only(stand(pose, N_FRAMES), frames)),),
        views=hold_camera(N_FRAMES),
        fps=FPS,
    )
    right = _TIMES[answer]
    draft = Draft(
        kind=PlantedKind.NATIVE,
        variant="count",
        task="repetition_count",
        question=f"How many times does the {shape} come into sight?",
        wrong=others(_TIMES, right),
        position=position,
        label=right,
        acceptable=(right,),
        evidence=(Evidence.ORDER, Evidence.ORDER_EITHER_WAY),
    )
    return Scene(world, describe_place(dealer, number), (draft,))
