"""Read question and option texts as words, numbers and normal forms."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_WORD: Final = re.compile(r"\w+(?:['’.]\w+)*")
_NUMERAL: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_WORDS: Final = {
    word: float(value)
    for value, word in enumerate(
        (
            *("zero", "one", "two", "three", "four", "five", "six"),
            *("seven", "eight", "nine", "ten", "eleven", "twelve"),
        )
    )
}


def normalise(text: str) -> str:
    """Return the text without case, runs of white space and closing punctuation."""
    return " ".join(text.casefold().split()).rstrip(".!? ")


def split_words(text: str) -> list[str]:
    """Return the words and numerals of a text in order, without case."""
    return _WORD.findall(text.casefold())


def list_phrases(words: Sequence[str]) -> list[str]:
    """Return the words and the pairs of neighbouring words, each once, in alphabetical order."""
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return sorted({*words, *pairs})


def read_number(text: str) -> float | None:
    """Return the number in a text that holds exactly one, as numeral or as word up to twelve."""
    numerals = _NUMERAL.findall(text)
    if len(numerals) == 1:
        try:
            return float(numerals[0].replace(",", ""))
        except ValueError:  # a clock time or a version, such as 12:30 or 1.2.3
            return None
    if numerals:
        return None
    values = [_NUMBER_WORDS[word] for word in split_words(text) if word in _NUMBER_WORDS]
    return values[0] if len(values) == 1 else None
