"""The probability of a letter is what all ways to write it have together."""

import math

import pytest

from video_oasis.models.letters import letter_of, letter_probabilities


@pytest.mark.parametrize("token", ["A", " A", "\u0120A", "\u2581A", "\u010aA", "A\n"])
def test_a_letter_keeps_no_space(token: str) -> None:
    assert letter_of(token) == "A"


def test_shares_add_up_over_ways_to_write_a_letter() -> None:
    # A has 2 + 1, B has 1, C none; what is no letter does not count.
    scores = [("A", 2.0), ("\u0120A", 1.0), ("B", 1.0), ("the", 100.0), ("AB", 50.0), ("a", 9.0)]
    logarithms = [(token, math.log(share)) for token, share in scores]
    assert letter_probabilities(logarithms, "ABC") == pytest.approx((0.75, 0.25, 0.0))


def test_only_differences_of_scores_matter() -> None:
    # Logits of any size: A is three times as likely as B.
    scores = [("A", 900.0 + math.log(3)), ("B", 900.0)]
    assert letter_probabilities(scores, "AB") == pytest.approx((0.75, 0.25))


def test_no_letter_among_the_tokens() -> None:
    assert letter_probabilities([("the", -1.0), ("D", -2.0)], "ABC") is None
