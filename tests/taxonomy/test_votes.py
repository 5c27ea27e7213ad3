"""A panel's votes decided by hand."""

from collections.abc import Callable

import pytest

from video_oasis.errors import SettingsError
from video_oasis.taxonomy.votes import (
    Outcome,
    Vote,
    choose_majority,
    decide,
    only_of,
    scale_threshold,
)

Cast = Callable[[str, str], tuple[Vote, ...]]


@pytest.mark.parametrize(
    ("votes", "category", "outcome"),
    [
        ("XXXYY", "X", Outcome.ACCEPTED),
        ("XYXYY", "Y", Outcome.ACCEPTED),
        ("XX?X-", "X", Outcome.ACCEPTED),
        # Three of them already agree, whatever the other two will say.
        ("XXX!.", "X", Outcome.ACCEPTED),
        ("XXYYZ", None, Outcome.SPLIT),
        # A reply that names nothing is stored and stays so: no third vote can come.
        ("XX?YY", None, Outcome.SPLIT),
        ("?????", None, Outcome.SPLIT),
        # An error or a missing answer is asked again, and could be the third vote.
        ("XX!YY", None, Outcome.INCOMPLETE),
        ("XX?Y.", None, Outcome.INCOMPLETE),
        ("X.?Y!", None, Outcome.INCOMPLETE),
        ("X?.Y-", None, Outcome.SPLIT),
        ("!!!!!", None, Outcome.INCOMPLETE),
    ],
)
def test_three_of_five_accept_and_what_could_still_decide_is_incomplete(
    cast: Cast, votes: str, category: str | None, outcome: Outcome
) -> None:
    assert decide(cast("abcde", votes), 3) == (category, outcome)


def test_all_may_be_needed(cast: Cast) -> None:
    assert decide(cast("abcde", "XXXXY"), 5) == (None, Outcome.SPLIT)
    assert decide(cast("abcde", "XXXX."), 5) == (None, Outcome.INCOMPLETE)
    assert decide(cast("abcde", "XXXXX"), 5) == ("X", Outcome.ACCEPTED)


def test_the_threshold_is_a_majority() -> None:
    assert [choose_majority(None, n) for n in range(1, 8)] == [1, 2, 2, 3, 3, 4, 4]
    assert [choose_majority(k, 5) for k in (3, 4, 5)] == [3, 4, 5]
    for threshold, n_models in ((2, 5), (6, 5), (2, 4), (0, 1)):
        with pytest.raises(SettingsError, match=f"threshold is {threshold} of {n_models}"):
            choose_majority(threshold, n_models)


def test_a_panel_of_another_size_needs_as_large_a_share_and_a_majority() -> None:
    # 3 of 5 is 0.6: 2.4 of 4, 1.8 of 3, 4.2 of 7; 4 of 5 is 0.8: 2.4 of 3.
    assert [scale_threshold(3, 5, n) for n in (1, 2, 3, 4, 5, 7)] == [1, 2, 2, 3, 3, 5]
    assert scale_threshold(4, 5, 3) == 3


def test_votes_are_taken_in_the_order_of_the_models(cast: Cast) -> None:
    votes = cast("abc", "XYZ")
    assert [vote.category for vote in only_of(votes, ["c", "a"])] == ["Z", "X"]
