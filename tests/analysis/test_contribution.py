from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION, measure_consensus
from video_oasis.analysis.contribution import measure_contribution
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.intersections import count_intersections
from video_oasis.errors import SchemaError

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]

# Three tests of one model; all targets are 0; -1 failed, -2 no row.
#   samples       a  b  c   d   e  f  g
PICKS = np.array(
    [
        [[0, 0, 0, 0, 1, 1, 0]],
        [[1, 0, -1, -2, 1, 0, 0]],
        [[1, 1, 1, 1, 1, -1, -1]],
    ]
)
BENCHMARKS = ["one", "one", "one", "two", "two", "two", "two"]


@pytest.fixture
def table(make_votes: MakeVotes) -> pl.DataFrame:
    return make_votes(PICKS, np.zeros(7, int), benchmark=BENCHMARKS)


def one(frame: pl.DataFrame, **values: Any) -> dict[str, Any]:
    return frame.row(
        by_predicate=pl.all_horizontal(pl.col(k) == v for k, v in values.items()), named=True
    )


def test_contribution_by_hand(table: pl.DataFrame) -> None:
    frame = measure_contribution(arrange(table))
    # Test 0: a is unique; b and g are not; c may be (test 1 failed); d is, test 1 does not apply.
    row = one(frame, level="pooled", test="test-0")
    assert (row["n"], row["n_known"], row["n_shortcuts"], row["n_union"]) == (7, 7, 5, 6)
    assert (row["n_unique"], row["n_perhaps_unique"]) == (2, 1)
    # Test 1: b and g are shared; f may be unique (test 2 failed).
    row = one(frame, level="pooled", test="test-1")
    assert (row["n"], row["n_known"], row["n_shortcuts"]) == (6, 5, 3)
    assert (row["n_unique"], row["n_perhaps_unique"]) == (0, 1)
    assert row["share_of_union"] == pytest.approx(3 / 6)
    assert row["share_of_unique"] == 0
    row = one(frame, level="pooled", test="test-2")
    assert (row["n"], row["n_known"], row["n_shortcuts"], row["n_unique"]) == (7, 5, 0, 0)


def test_groups_as_mean_and_as_pool(table: pl.DataFrame) -> None:
    frame = measure_contribution(arrange(table), groups={"one": "g", "two": "g"})
    # Benchmark one: a, b, c of a union of 3; two: d and g of a union of 3 (d, f, g).
    assert one(frame, level="benchmark", benchmark="one", test="test-0")["share_of_union"] == 1
    assert one(frame, level="benchmark", benchmark="two", test="test-0")["share_of_union"] == (
        pytest.approx(2 / 3)
    )
    for level, group in (("group_macro", "g"), ("macro", "")):
        row = one(frame, level=level, group=group, test="test-0")
        assert row["share_of_union"] == pytest.approx((1 + 2 / 3) / 2)
        assert row["unique_share_of_union"] == pytest.approx((1 / 3 + 1 / 3) / 2)
        assert (row["n_shortcuts"], row["n_union"], row["n_benchmarks"]) == (5, 6, 2)
    row = one(frame, level="group_pooled", test="test-0")
    assert (row["group"], row["n_benchmarks"]) == ("g", 2)
    assert row["share_of_union"] == pytest.approx(5 / 6)


def test_mean_is_over_the_benchmarks_the_test_applies_to(make_votes: MakeVotes) -> None:
    picks = np.array([[[0, 0]], [[0, -2]]])
    table = make_votes(picks, np.zeros(2, int), benchmark=["one", "two"])
    row = one(measure_contribution(arrange(table)), level="macro", test="test-1")
    assert (row["n_benchmarks"], row["share_of_union"]) == (1, 1)


def test_intersections_by_hand(table: pl.DataFrame) -> None:
    frame = count_intersections(arrange(table), groups={"two": "g"})
    pooled = frame.filter(pl.col("level") == "pooled")
    # a and d are in test 0 alone, b in the first two. c may turn out to be in test 0 alone or in
    # both; g in the first two or in all three; f in test 1 or in 1 and 2.
    assert pooled.select("tests", "n_tests", "n", "n_perhaps").rows() == [
        ("test-0", 1, 2, 1),
        ("test-0 & test-1", 2, 1, 2),
    ]
    assert pooled["share_of_union"].to_list() == pytest.approx([2 / 6, 1 / 6])
    by_place = {
        (row["level"], row["group"], row["benchmark"], row["tests"]): row["n"]
        for row in frame.filter(pl.col("level") != "pooled").iter_rows(named=True)
    }
    assert by_place == {
        ("benchmark", "", "one", "test-0"): 1,
        ("benchmark", "", "one", "test-0 & test-1"): 1,
        ("benchmark", "", "two", "test-0"): 1,
        ("group_pooled", "g", "", "test-0"): 1,
    }


def test_largest_first(make_votes: MakeVotes) -> None:
    picks = np.array([[[0, 1, 1, 0, 1]], [[0, 0, 0, 0, 1]]])
    frame = count_intersections(arrange(make_votes(picks, np.zeros(5, int))))
    pooled = frame.filter(pl.col("level") == "pooled")
    assert pooled["tests"].to_list() == ["test-1", "test-0 & test-1"]
    assert pooled["n"].to_list() == [2, 2]


def test_no_shortcut_at_all(make_votes: MakeVotes) -> None:
    grid = arrange(make_votes(np.array([[[1, 2]], [[3, -1]]]), np.zeros(2, int)))
    assert count_intersections(grid).height == 0
    frame = measure_contribution(grid)
    assert set(frame["n_union"]) == {0}
    assert set(frame["share_of_union"]) == set(frame["share_of_unique"]) == {None}


def test_empty_table_has_the_columns(make_table: MakeTable, table: pl.DataFrame) -> None:
    empty, full = arrange(make_table([])), arrange(table)
    for function in (measure_contribution, count_intersections):
        assert function(empty).schema == function(full).schema
        assert function(empty).height == 0


def test_refuses_what_has_no_single_vote(make_table: MakeTable) -> None:
    row = {"sample_id": "a", "model": "m", "diagnostic": "chunk", "prediction": 0, "correct": True}
    grid = arrange(make_table([row, {**row, "part": 1}]))
    for function in (measure_contribution, count_intersections):
        with pytest.raises(SchemaError, match="diagnostic chunk"):
            function(grid)


@settings(deadline=None, max_examples=30)
@given(
    picks=st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 8)).flatmap(
        lambda shape: arrays(np.int64, shape, elements=st.integers(-2, 1))
    )
)
def test_sets_unique_shortcuts_and_union_add_up(make_votes: MakeVotes, picks: Any) -> None:
    table = make_votes(picks, np.zeros(picks.shape[2], int))
    grid = arrange(table)
    union = measure_consensus(grid, resampling=Resampling(n_resamples=1)).filter(
        pl.col("test") == UNION, pl.col("level") == "pooled"
    )
    tests = measure_contribution(grid).filter(pl.col("level") == "pooled")
    sets = count_intersections(grid).filter(pl.col("level") == "pooled")
    for row in union.iter_rows(named=True):
        at = pl.col("threshold") == row["threshold"]
        assert set(tests.filter(at)["n_union"]) == {row["n_shortcuts"]}
        # Every known set is of shortcuts; those of a sample with unknown verdicts are in none.
        assert sets.filter(at)["n"].sum() <= row["n_shortcuts"]
        alone = dict(sets.filter(at, pl.col("n_tests") == 1).select("tests", "n").iter_rows())
        for test, n_unique, n_shortcuts in (
            tests.filter(at).select("test", "n_unique", "n_shortcuts").iter_rows()
        ):
            assert n_unique == alone.get(test, 0)
            in_sets = sets.filter(at, pl.col("tests").str.split(" & ").list.contains(test))
            assert in_sets["n"].sum() <= n_shortcuts
            if (picks >= -1).all() and (picks != -1).all():
                assert in_sets["n"].sum() == n_shortcuts
