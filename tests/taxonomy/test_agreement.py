"""Agreement within and between panels, against values worked out by hand."""

from collections.abc import Callable, Mapping, Sequence

import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.errors import SchemaError
from video_oasis.taxonomy.agreement import PanelAgreement, measure_overlap, measure_panel
from video_oasis.taxonomy.votes import Vote

Votes = Mapping[tuple[str, str], Sequence[Vote]]
CastAll = Callable[[str, Mapping[str, str]], Votes]


def watch(votes: Votes) -> dict[tuple[str, str], str]:
    """Give each sample a video of its own."""
    return {key: f"{key[1]}.mp4" for key in votes}


def test_kappa_of_four_samples(cast_all: CastAll) -> None:
    votes = cast_all("abc", {"1": "XXX", "2": "XXY", "3": "YYY", "4": "XYY"})
    found = measure_panel(votes, "abc", "XY", watch(votes))
    # Pairs agree in 3, 1, 3 and 1 of 3; six of twelve votes are X.
    assert found.same == pytest.approx(2 / 3)
    assert found.expected == pytest.approx(1 / 2)
    assert found.kappa == pytest.approx(1 / 3)
    assert (found.n_models, found.n_samples) == (3, 4)
    assert found.same_low is not None
    assert found.same_high is not None
    assert found.kappa_low is not None
    assert found.kappa_high is not None
    assert found.same_low < 2 / 3 < found.same_high
    assert found.kappa_low < 1 / 3 < found.kappa_high


def test_kappa_of_the_textbook_example(cast_all: CastAll) -> None:
    # Fourteen raters, ten subjects, five categories; published: P = 0.378, Pe = 0.213, kappa 0.210.
    counts = [
        (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
    ]  # fmt: skip
    letters = {
        str(number): "".join(name * n for name, n in zip("VWXYZ", row, strict=True))
        for number, row in enumerate(counts)
    }
    raters = "abcdefghijklmn"
    votes = cast_all(raters, letters)
    found = measure_panel(votes, raters, "VWXYZ", watch(votes))
    assert found.same == pytest.approx(0.378, abs=5e-4)
    assert found.expected == pytest.approx(0.213, abs=5e-4)
    assert found.kappa == pytest.approx(0.210, abs=5e-4)


def test_only_samples_with_two_votes_count_and_only_votes_of_the_panel(cast_all: CastAll) -> None:
    votes = cast_all("abcd", {"1": "XXXY", "2": "X??Y", "3": "YY?X", "4": "XY!."})
    found = measure_panel(votes, "abc", "XY", watch(votes))
    # Sample 2 has one vote of the panel. The others: all, all and none of their pairs agree.
    assert found.n_samples == 3
    assert found.same == pytest.approx(2 / 3)
    # Votes: XXX, YY, XY, so four of seven are X.
    assert found.expected == pytest.approx((4 / 7) ** 2 + (3 / 7) ** 2)


def test_agreement_that_nothing_tells_from_luck_is_undefined(cast_all: CastAll) -> None:
    votes = cast_all("ab", {"1": "XX", "2": "XX"})
    found = measure_panel(votes, "ab", "XY", watch(votes))
    assert (found.same, found.expected, found.kappa) == (1, 1, None)
    assert found.kappa_low is None
    # Two videos alone do not show that a panel always agrees.
    assert found.same_low is not None
    assert found.same_low < 0.5
    nothing = measure_panel(cast_all("ab", {"1": "X?"}), "ab", "XY", {("bench", "1"): "v"})
    assert nothing == PanelAgreement(2, 0, *[None] * 7)


def test_samples_of_one_video_are_no_independent_evidence(cast_all: CastAll) -> None:
    letters = {str(number): "XXY" if number % 2 else "XXX" for number in range(40)}
    votes = cast_all("abc", letters)
    alone = measure_panel(votes, "abc", "XY", watch(votes))
    one = measure_panel(votes, "abc", "XY", dict.fromkeys(votes, "v"))
    few = measure_panel(votes, "abc", "XY", {key: f"{int(key[1]) % 4}" for key in votes})
    assert one.same == alone.same == few.same
    assert (one.same_low, one.kappa_low) == (None, None)
    assert few.same_low is not None
    assert alone.same_low is not None
    assert few.same_low < alone.same_low


def test_overlap_of_two_panels(cast_all: CastAll) -> None:
    votes = cast_all(
        "abcde",
        {
            "1": "XXXXX",  # both X
            "2": "XXYYY",  # X, and Y
            "3": "YYYYX",  # both Y
            "4": "XYZXX",  # the first is split
            "5": "YY?Y!",  # the other has one vote and one error
            "6": "XX?XX",  # both X
        },
    )
    found = measure_overlap(
        votes, "abc", 2, "cde", 2, watch(votes), resampling=Resampling(n_resamples=200)
    )
    assert (found.n_samples, found.n_accepted, found.n_both, found.n_same) == (6, 5, 4, 3)
    assert found.same == 3 / 4
    assert found.n_shared == 1
    # Of the four, the panel puts 3 into X and 1 into Y; the other 2 and 2.
    assert found.expected == pytest.approx((3 * 2 + 1 * 2) / 16)
    assert found.same_low is not None
    assert found.same_high is not None
    assert found.same_low < 3 / 4 < found.same_high


def test_panels_that_accept_nothing_in_common_have_no_overlap(cast_all: CastAll) -> None:
    votes = cast_all("abcd", {"1": "XXYZ", "2": "XYZZ"})
    found = measure_overlap(votes, "ab", 2, "cd", 2, watch(votes))
    assert (found.n_accepted, found.n_both, found.same, found.expected) == (1, 0, None, None)
    with pytest.raises(SchemaError, match="the other panel is the same"):
        measure_overlap(votes, "ab", 2, "ba", 2, watch(votes))
