"""Texts reduced to what they say, for comparing them."""

import re
import unicodedata
from functools import lru_cache
from typing import Final

_TOKEN: Final = re.compile(
    r"""
    [+-]?\d+(?:[.,:/]\d+)*      # a number with its sign, decimals, or as a time or a date
    | [^\W\d_]+                 # a word
    | [^\w\s.,;:!?'"()\[\]{}…–—_-]  # a symbol that carries meaning, such as an arrow or a percent
    """,
    re.VERBOSE,
)
_ARTICLES: Final = frozenset({"a", "an", "the"})


@lru_cache(maxsize=1 << 17)
def tokens(text: str) -> tuple[str, ...]:
    """Split a text into its words, numbers and symbols, without case and punctuation.

    A sign, a decimal point or a colon inside a number stays, since ``-1`` is not ``1`` and ``1.5``
    is not ``15``. A text of punctuation alone is its own only token.
    """
    plain = unicodedata.normalize("NFKC", text).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return tuple(_TOKEN.findall(plain.casefold())) or (plain.strip(),)


def content_tokens(text: str) -> tuple[str, ...]:
    """Split a text as ``tokens`` does and leave out articles."""
    return tuple(token for token in tokens(text) if token not in _ARTICLES)


def answer_tokens(text: str) -> tuple[str, ...]:
    """Split an answer as ``content_tokens`` does, but leave it whole if it is articles alone."""
    return content_tokens(text) or tokens(text)


def contains_phrase(text: tuple[str, ...], phrase: tuple[str, ...]) -> bool:
    """Tell whether the tokens of a phrase stand next to each other in those of a text."""
    n = len(phrase)
    return any(text[i : i + n] == phrase for i in range(len(text) - n + 1))
