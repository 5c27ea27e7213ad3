"""Says which tests ought to solve a sample and which checks ought to flag it."""

from collections.abc import Collection
from typing import Final, NamedTuple

from video_oasis.generate.planted.timing import (
    CENTRE_FRAME,
    FRAMES_PER_PART,
    N_FRAMES,
    N_PARTS,
    SAMPLED_FRAMES,
)
from video_oasis.generate.planted.truth import PAPER_TESTS, REFERENCE, TESTS, Evidence

_GIVES: Final = {
    "blind": (),
    "audio": (Evidence.SPEECH,),
    "summary": (Evidence.CAPTIONS,),
    "center_frame": (),
    "random_frame": (),
    "shuffle": (),
    "reverse": (Evidence.ORDER_EITHER_WAY,),
    "bag_of_frames": (),
    REFERENCE: (Evidence.ORDER, Evidence.ORDER_EITHER_WAY),
}
"""What each test gives an answerer, besides the wording and the frames it shows."""
_SHOWS: Final = {
    "center_frame": (CENTRE_FRAME,),
    "shuffle": range(N_FRAMES),
    "reverse": range(N_FRAMES),
    "bag_of_frames": SAMPLED_FRAMES,
    REFERENCE: SAMPLED_FRAMES,
}
"""The frames that each test is sure to show."""


class Foretold(NamedTuple):
    """The fields of that name of a ``PlantedSample``."""

    solved_by: tuple[str, ...]
    may_solve: tuple[str, ...]
    flagged_by: tuple[str, ...]


def foretell(
    evidence: Collection[Evidence],
    frames: Collection[int],
    *,
    label: str,
    acceptable: Collection[str],
    has_speech: bool,
) -> Foretold:
    """Foretell what becomes of a sample whose answerers miss nothing they are shown.

    The tests are taken to run with the default frame settings.

    Args:
        evidence: what the answer can be had from.
        frames: the frames that show it, if frames do.
        label: the published answer.
        acceptable: the choices that fit what is to be seen and heard.
        has_speech: whether anything is said in the clip; the audio test leaves it out otherwise.
    """
    tests = [test for test in (*TESTS, REFERENCE) if has_speech or test != "audio"]
    informed = [test for test in tests if _is_informed(test, evidence, frames)]
    by_luck = [test for test in tests if test == "random_frame" and test not in informed and frames]
    is_sound = set(acceptable) == {label}
    is_open = not acceptable or (label in acceptable and not is_sound)
    solved = tuple(informed) if is_sound else ()
    may = (*by_luck, *informed) if is_open else tuple(by_luck) if is_sound else ()
    flags = {
        "consistency": REFERENCE in informed and is_open,
        "redundancy": is_sound and _every_part_tells(evidence, frames),
        "sensitivity": [test for test in solved if test in PAPER_TESTS] == ["shuffle"],
    }
    return Foretold(solved, may, tuple(check for check, flagged in flags.items() if flagged))


def _is_informed(test: str, evidence: Collection[Evidence], frames: Collection[int]) -> bool:
    if Evidence.TEXT in evidence or not set(_GIVES[test]).isdisjoint(evidence):
        return True
    if test == "random_frame":
        return len(set(frames)) == N_FRAMES
    return not set(_SHOWS.get(test, ())).isdisjoint(frames)


def _every_part_tells(evidence: Collection[Evidence], frames: Collection[int]) -> bool:
    parts = {frame // FRAMES_PER_PART for frame in frames}
    return Evidence.TEXT in evidence or len(parts) == N_PARTS
