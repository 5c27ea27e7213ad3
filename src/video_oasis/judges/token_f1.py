"""Token F1: how many words answer and reference share (Rajpurkar et al. 2016)."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from video_oasis.judges.interface import Judge, Pair, grade_likeness, refuse_argument
from video_oasis.judges.words import list_words
from video_oasis.schema import Grade

THRESHOLD: Final = 0.5
"""An answer of at least this F1 counts as right."""


def measure_f1(answer: Sequence[str], reference: Sequence[str]) -> float:
    """Return the harmonic mean of the shares of the two texts' words that stand in the other.

    A word counts as often as it stands in both; two texts without words are the same.
    """
    if not answer or not reference:
        return float(answer == reference)
    n_shared = (Counter(answer) & Counter(reference)).total()
    return 2 * n_shared / (len(answer) + len(reference))


def _grade(pairs: Sequence[Pair], argument: str) -> list[Grade]:
    refuse_argument("token_f1", argument)
    return [
        grade_likeness(
            measure_f1(list_words(pair.answer), list_words(pair.reference)), threshold=THRESHOLD
        )
        for pair in pairs
    ]


TOKEN_F1: Final = Judge(
    name="token_f1",
    rule=f"right if the F1 of the words that answer and reference share is {THRESHOLD} or more; "
    f"the score is five times that",
    grade=_grade,
)
