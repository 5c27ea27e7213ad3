"""Reads the probability of each answer letter from the scores of single tokens."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

# How tokenizers write the space or line break before a word, beside these themselves.
_TOKEN_SPACES: Final = " \n\t\u2581\u0120\u010a"


def letter_of(token: str) -> str:
    """Return what a token says without the white space around it."""
    return token.strip(_TOKEN_SPACES)


def letter_probabilities(
    scores: Iterable[tuple[str, float]], letters: Sequence[str]
) -> tuple[float, ...] | None:
    """Return the probability of each letter, or None if no token is one of them.

    Tokens that are one letter but for white space add up; the letters' shares then sum to one.

    Args:
        scores: tokens, each with its log-probability or its logit.
        letters: the letters of a request.
    """
    weights = dict.fromkeys(letters, 0.0)
    found = [(letter, score) for token, score in scores if (letter := letter_of(token)) in weights]
    if not found:
        return None
    top = max(score for _, score in found)
    for letter, score in found:
        weights[letter] += math.exp(score - top)
    total = sum(weights.values())
    return tuple(weight / total for weight in weights.values())
