"""Brings answers to the form in which they are compared."""

import re
from typing import Final

from video_oasis.answers.cleaning import fold

_ARTICLES: Final = frozenset({"a", "an", "the"})
_NUMBERS: Final = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12",
    "thirteen": "13", "fourteen": "14", "fifteen": "15", "sixteen": "16", "seventeen": "17",
    "eighteen": "18", "nineteen": "19", "twenty": "20",
}  # fmt: skip
# A decimal point, a colon and the like stay within a number, and so does its sign; C++ and C# keep
# theirs. All else parts words.
_WORD: Final = re.compile(
    r"(?:(?<![\w.])-(?=\d))?[^\W_]+(?:(?<=\d)[.,:/](?=\d)[^\W_]+)*(?:\+\+|\#)?"
)
_CONTRACTIONS: Final = (
    (re.compile(r"\b(?:can['’]t|cannot)\b"), "can not"),
    (re.compile(r"\bwon['’]t\b"), "will not"),
    (re.compile(r"n['’]t\b"), " not"),
    (re.compile(r"['’]s\b"), " "),
)


def list_words(text: str) -> list[str]:
    """Return the words that count when texts are compared.

    Case, punctuation and articles do not; numbers up to twenty are digits; ``isn't`` is ``is not``.
    A text of nothing but articles keeps them, so that the answer ``a`` is not empty, and a text
    without a word, such as ``+``, is one word.
    """
    folded = fold(text).replace("−", "-") or text.strip()
    spelt_out = folded
    for pattern, words_of_it in _CONTRACTIONS:
        spelt_out = pattern.sub(words_of_it, spelt_out)
    words = _WORD.findall(spelt_out)
    if not words:
        return [folded] if folded else []
    kept = [word for word in words if word not in _ARTICLES]
    return [_NUMBERS.get(word, word) for word in kept or words]
