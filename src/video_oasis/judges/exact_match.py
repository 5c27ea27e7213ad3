"""Exact match: the same words in the same order, but for case, punctuation and articles."""

from collections.abc import Sequence
from typing import Final

from video_oasis.judges.interface import Judge, Pair, grade_likeness, refuse_argument
from video_oasis.judges.words import list_words
from video_oasis.schema import Grade


def _grade(pairs: Sequence[Pair], argument: str) -> list[Grade]:
    refuse_argument("exact_match", argument)
    return [
        grade_likeness(list_words(pair.answer) == list_words(pair.reference), threshold=1)
        for pair in pairs
    ]


EXACT_MATCH: Final = Judge(
    name="exact_match",
    rule="right if answer and reference are the same words in the same order, whatever their case, "
    "punctuation and articles; the score is all or nothing",
    grade=_grade,
)
