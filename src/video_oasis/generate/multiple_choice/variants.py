"""Tells whether two answers are the same but for their wording."""

from functools import lru_cache
from typing import Final

from video_oasis.answers.cleaning import fold
from video_oasis.judges.lemmas import list_lemmas

Words = tuple[str, ...]

_AND: Final = "and"
_IN_ORDER: Final = frozenset({"to", "from", "then", "before", "after", "first"})
"""Words by which the order of what ``and`` joins matters."""
_LONGEST_RUN: Final = 3


@lru_cache(maxsize=1 << 17)
def reduce_answer(text: str) -> Words:
    """Return the words of an answer without case, articles and inflection, numbers as digits.

    Differences that remain are differences of meaning, synonyms or rare spellings; not every
    difference of meaning remains, which for choosing wrong choices is the safe side. A text without
    words is its own only word.
    """
    words = list_lemmas(text.replace("&", f" {_AND} "))
    if ", " in text:
        # A list, which may be told in order; how its last comma is written does not matter.
        words = [word for word in words if word != _AND] or words
    return tuple(words) or (fold(text),)


@lru_cache(maxsize=1 << 17)
def list_runs(words: Words) -> frozenset[str]:
    """Return each word, and two or three neighbours written as one.

    Two answers that have none in common are no variants of each other.
    """
    return frozenset(
        "".join(words[start : start + length])
        for start in range(len(words))
        for length in range(1, _LONGEST_RUN + 1)
    )


@lru_cache(maxsize=1 << 17)
def are_variants(one: Words, other: Words) -> bool:
    """Tell whether one reduced answer says no more than the other does, in the same order.

    ``man`` is a variant of ``young man``, ``basket ball`` of ``basketball``, and ``red and blue``
    of ``blue and red``; ``left to right`` is none of ``right to left``.
    """
    return _holds(one, other) or _holds(other, one)


def _holds(longer: Words, shorter: Words) -> bool:
    if "".join(shorter) in list_runs(longer):
        return True
    words = {*longer, *shorter}
    joined = set(shorter) - {_AND}
    if joined and _AND in words and _IN_ORDER.isdisjoint(words):
        return joined <= set(longer)
    rest = iter(longer)
    return all(word in rest for word in shorter)
