"""What a scene of a set is: a world, what a captioner says of it, and questions about it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.generate.clips.world import World
from video_oasis.generate.dealer import Dealer
from video_oasis.generate.planted.timing import N_PARTS
from video_oasis.generate.planted.truth import Evidence, PlantedKind

GROUNDS: Final = ("black", "white", "grey", "brown")
WARM_AND_COLD: Final = ("red", "green", "blue", "yellow")
BETWEEN: Final = ("orange", "purple", "cyan", "pink")
"""Colours of shapes, in two sets, so that two shapes of a clip need not share one."""
SIDE: Final = 44.0
"""Side in pixels of the square that a shape's area equals; about a seventh of the picture."""

_PLACES: Final = (
    "A plain floor in even light.",
    "A floor seen from the front; nobody is in sight.",
    "The camera shows a plain room with simple shapes.",
    "An indoor scene with a bare floor.",
    "A quiet, empty-looking room in even light.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One question before it has an id and a clip.

    Attributes:
        kind: what is planted.
        variant: the sort of question within the kind.
        task: the name that the question file gives the sort of question.
        question: its words.
        label: the choice that is published as right.
        wrong: the other choices, in no order yet.
        position: where the label stands among the choices, from 0.
        acceptable: the choices that fit what is to be seen and heard.
        evidence: what the answer can be had from.
        frames: the frames that show it.
    """

    kind: PlantedKind
    variant: str
    task: str
    question: str
    label: str
    wrong: tuple[str, ...]
    position: int
    acceptable: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    frames: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A world and what is asked about it.

    Attributes:
        world: the world.
        captions: of each eighth, in order, as a captioner would write them.
        drafts: the questions.
    """

    world: World
    captions: tuple[str, ...]
    drafts: tuple[Draft, ...]


def describe_place(dealer: Dealer, number: int) -> tuple[str, ...]:
    """Write the captions of one who tells of the place and passes over the shapes."""
    return tuple(dealer.pick(_PLACES, "caption", number, part) for part in range(N_PARTS))


def others(values: Sequence[str], right: str) -> tuple[str, ...]:
    """Return the values but for the right one."""
    return tuple(value for value in values if value != right)
