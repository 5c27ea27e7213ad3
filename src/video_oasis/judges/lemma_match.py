"""Lemma match: the reference's words, in their dictionary form, all stand in a short answer."""

from collections.abc import Sequence
from typing import Final

from video_oasis.judges.interface import Judge, Pair, grade_likeness, refuse_argument
from video_oasis.judges.lemmas import list_lemmas
from video_oasis.judges.token_f1 import measure_f1
from video_oasis.schema import Grade

MOST_MORE_WORDS: Final = 10
"""An answer may have so many words more than the reference: one that lists everything there could
be holds every reference, and says nothing."""
_NEGATIONS: Final = frozenset({"no", "not", "never", "none", "nothing", "nobody", "without"})


def _grade(pairs: Sequence[Pair], argument: str) -> list[Grade]:
    refuse_argument("lemma_match", argument)
    return [_grade_one(list_lemmas(pair.answer), list_lemmas(pair.reference)) for pair in pairs]


def _grade_one(answer: Sequence[str], reference: Sequence[str]) -> Grade:
    holds = (
        bool(reference)
        and set(reference) <= set(answer)
        and len(answer) <= len(reference) + MOST_MORE_WORDS
        and _NEGATIONS.isdisjoint(set(answer) - set(reference))
    )
    return grade_likeness(1.0 if holds else min(measure_f1(answer, reference), 0.99), threshold=1)


LEMMA_MATCH: Final = Judge(
    name="lemma_match",
    rule=f"right if every word of the reference stands in the answer in some inflection, the "
    f"answer is at most {MOST_MORE_WORDS} words longer, and denies nothing that the reference does "
    f"not; the score is 5, or else five times the F1 of the words",
    grade=_grade,
)
