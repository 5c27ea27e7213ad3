"""Questions that their wording gives away, about nothing that any clip shows."""

from collections.abc import Sequence
from typing import Final

from video_oasis.generate.dealer import Dealer
from video_oasis.generate.planted.scene import Draft
from video_oasis.generate.planted.truth import Evidence, PlantedKind

BLIND_VARIANTS: Final = ("longest_option", "recurring_answer", "common_sense")
"""What gives the answer away, in turn."""

_OBJECTS: Final = ("shelf", "ladder", "fence", "tower", "vase", "bicycle", "lamp", "signpost")
_MISHAPS: Final = (
    "the rope slips", "the lid is loose", "the floor is wet", "the latch breaks",
    "the wind turns", "the wheel is bent",
)  # fmt: skip
_DETAILS: Final = (
    "while everybody nearby is looking the other way", "just as the others come back in",
    "after it has been moved for the second time", "before anyone can reach out to hold it",
)  # fmt: skip
_SOUNDS: Final = ("bell", "whistle", "drum", "horn", "gong", "knock")
_COMMON_SENSE: Final = (
    ("What does the cook cut the bread with?", "a knife", ("a spoon", "a towel", "a comb")),
    ("What keeps the walker dry in the rain?", "an umbrella", ("a lantern", "a ladder", "a drum")),
    ("What does the girl unlock the door with?", "a key", ("a pillow", "a cup", "a feather")),
    ("Where does the man keep the milk cold?", "in the fridge", ("in the oven", "on the stove",
     "by the fire")),
    ("What does the carpenter drive the nail with?", "a hammer", ("a brush", "a sponge", "a bowl")),
    ("What does the boy read the time from?", "a clock", ("a plate", "a rug", "a bucket")),
)  # fmt: skip


def word_blind(seed: int, number: int) -> Draft:
    """Write one question whose wording gives its answer away.

    Args:
        seed: the set's seed.
        number: its number among those of its kind.
    """
    variant = BLIND_VARIANTS[number % len(BLIND_VARIANTS)]
    number //= len(BLIND_VARIANTS)
    dealer = Dealer(seed, variant)
    _, position = dealer.deal(number)
    if variant == "longest_option":
        causes = dealer.order(_MISHAPS, "causes", number)
        right = f"{causes[0]} {dealer.pick(_DETAILS, 'detail', number)}"
        question = f"Why does the {dealer.pick(_OBJECTS, 'object', number)} fall over?"
        return _draft(variant, "cause_of_fall", question, right, causes[1:4], position)
    if variant == "recurring_answer":
        question = f"How often is the {dealer.pick(_SOUNDS, 'sound', number)} heard?"
        return _draft(variant, "sound_count", question, "3", ("2", "4", "5"), position)
    question, right, wrong = _COMMON_SENSE[number % len(_COMMON_SENSE)]
    return _draft(
        variant, "tool_use", question, right, dealer.order(wrong, "wrong", number), position
    )


def _draft(
    variant: str, task: str, question: str, right: str, wrong: Sequence[str], position: int
) -> Draft:
    return Draft(
        kind=PlantedKind.BLIND,
        variant=variant,
        task=task,
        question=question,
        wrong=tuple(wrong),
        position=position,
        label=right,
        acceptable=(right,),
        evidence=(Evidence.TEXT,),
    )
