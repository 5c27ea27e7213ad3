"""Counts in two ways, and where right choices stand."""

import pytest

from video_oasis.errors import SchemaError
from video_oasis.taxonomy.counts import CrossTable, cross, name_position, spread_evenly


def test_pairs_are_counted_in_the_order_of_rows_and_columns() -> None:
    counts = cross([("b", "X"), ("a", "Y"), ("b", "X"), ("b", "Y")], ["a", "b", "c"], ["Y", "X"])
    assert counts.counts == ((1, 0), (1, 2), (0, 0))
    assert counts.column_totals == (2, 2)


def test_nothing_is_left_out_of_the_counts() -> None:
    with pytest.raises(SchemaError, match="no row and column for"):
        cross([("a", "Z")], ["a"], ["X"])
    with pytest.raises(SchemaError, match="1 rows and 2 columns"):
        CrossTable(("a",), ("X", "Y"), ((1,),))


def test_positions_beyond_the_fourth_are_others() -> None:
    assert [name_position(target) for target in (0, 1, 2, 3, 4, 12)] == [
        "A", "B", "C", "D", "others", "others",
    ]  # fmt: skip


def test_even_shares_follow_from_the_numbers_of_choices() -> None:
    # Two choices give A and B a half each; five choices give a fifth each, one of them to others.
    assert spread_evenly([2, 5]) == pytest.approx((0.35, 0.35, 0.1, 0.1, 0.1))
    assert spread_evenly([4]) == pytest.approx((0.25, 0.25, 0.25, 0.25, 0))
    assert sum(spread_evenly([2, 3, 5, 8, 13, 1])) == pytest.approx(1)
