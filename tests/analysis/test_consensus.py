from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION, count_votes, decide_verdicts, measure_consensus
from video_oasis.analysis.grid import arrange
from video_oasis.errors import SchemaError

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]
QUICK = Resampling(n_resamples=200)

# Two tests of two models, five samples; -1 failed, -2 no row. All targets are 0.
HAND = np.array(
    [
        [[0, 0, 1, -1, -2], [0, 1, 1, 0, -2]],
        [[2, 1, -1, -1, 3], [0, -1, 2, -1, 0]],
    ]
)


@pytest.fixture
def hand(make_votes: MakeVotes) -> pl.DataFrame:
    return make_votes(HAND, np.zeros(5, int))


def shortcuts(table: pl.DataFrame, threshold: int, test: str) -> dict[str, bool | None]:
    frame = decide_verdicts(arrange(table), threshold).filter(pl.col("test") == test)
    return {row["sample_id"][-1]: row["shortcut"] for row in frame.iter_rows(named=True)}


def rate(table: pl.DataFrame, test: str, threshold: int, level: str = "pooled") -> dict[str, Any]:
    return measure_consensus(arrange(table), resampling=QUICK).row(
        by_predicate=(pl.col("level") == level)
        & (pl.col("test") == test)
        & (pl.col("threshold") == threshold),
        named=True,
    )


def test_votes_by_hand(hand: pl.DataFrame) -> None:
    frame = count_votes(arrange(hand))
    assert frame.columns == [
        *("benchmark", "sample_id", "task", "video", "test", "n_models", "votes", "n_missing"),
    ]
    counted = {
        (row["test"], row["sample_id"][-1]): (row["votes"], row["n_missing"], row["n_models"])
        for row in frame.iter_rows(named=True)
    }
    assert counted == {
        ("test-0", "0"): (2, 0, 2),
        ("test-0", "1"): (1, 0, 2),
        ("test-0", "2"): (0, 0, 2),
        ("test-0", "3"): (1, 1, 2),
        ("test-1", "0"): (1, 0, 2),
        ("test-1", "1"): (0, 1, 2),
        ("test-1", "2"): (0, 1, 2),
        ("test-1", "3"): (0, 2, 2),
        ("test-1", "4"): (1, 0, 2),
    }


def test_verdicts_by_hand(hand: pl.DataFrame) -> None:
    assert shortcuts(hand, 1, "test-0") == {"0": True, "1": True, "2": False, "3": True}
    assert shortcuts(hand, 2, "test-0") == {"0": True, "1": False, "2": False, "3": None}
    assert shortcuts(hand, 1, "test-1") == {
        "0": True,
        "1": None,
        "2": None,
        "3": None,
        "4": True,
    }
    assert shortcuts(hand, 2, "test-1") == {
        "0": False,
        "1": False,
        "2": False,
        "3": None,
        "4": False,
    }
    assert shortcuts(hand, 1, UNION) == {
        "0": True,
        "1": True,
        "2": None,
        "3": True,
        "4": True,
    }
    assert shortcuts(hand, 2, UNION) == {
        "0": True,
        "1": False,
        "2": False,
        "3": None,
        "4": False,
    }
    assert set(shortcuts(hand, 3, UNION).values()) == {False}


def test_rates_by_hand(hand: pl.DataFrame) -> None:
    row = rate(hand, "test-0", 2)
    assert (row["n"], row["n_known"], row["n_unknown"], row["n_shortcuts"]) == (4, 3, 1, 1)
    assert row["observed"] == pytest.approx(1 / 3)
    assert (row["lower_bound"], row["upper_bound"]) == (0.25, 0.5)
    # Both picked one same choice of four in samples 0 and 2, and differ in sample 1.
    assert row["null"] == pytest.approx((0.25 + 0 + 0.25) / 3)
    assert row["corrected"] == pytest.approx((1 / 3 - 1 / 6) / (1 - 1 / 6))

    row = rate(hand, UNION, 2)
    assert (row["n"], row["n_known"], row["n_models"]) == (5, 4, 2)
    assert row["observed"] == 0.25
    # Sample 0: choice 0 in test 0. Sample 1: choice 1 would be unknown (one pick and one failed
    # answer in test 1), the other three known and none. Sample 2: choice 1 is picked by both in
    # test 0; choice 2 would be unknown. Sample 4: the picks differ.
    assert row["null"] == pytest.approx((1 / 4 + 0 + 1 / 3 + 0) / 4)


def test_null_of_the_union_counts_choices_picked_in_any_one_test(make_votes: MakeVotes) -> None:
    picks = np.array([[[0], [0]], [[1], [2]]])
    table = make_votes(picks, np.array([3]), n_choices=5)
    assert rate(table, UNION, 1)["null"] == pytest.approx(3 / 5)
    assert rate(table, UNION, 2)["null"] == pytest.approx(1 / 5)
    assert rate(table, "test-1", 2)["null"] == 0


def test_a_test_that_does_not_apply_to_a_sample_leaves_its_null_alone(
    make_votes: MakeVotes,
) -> None:
    # Both models pick choice 0 of the first sample, which the second test says nothing about.
    picks = np.array([[[0, 1], [0, 1]], [[-2, 2], [-2, 2]]])
    table = make_votes(picks, np.array([0, 0]))
    for threshold in (1, 2):
        assert rate(table, "test-0", threshold)["null"] == pytest.approx(1 / 4)
        assert rate(table, UNION, threshold)["null"] == pytest.approx((1 / 4 + 2 / 4) / 2)


def test_tests_may_have_different_numbers_of_models(make_votes: MakeVotes) -> None:
    picks = np.array([[[0], [0], [0]], [[0], [-2], [-2]]])
    table = make_votes(picks, np.array([0])).filter(
        ~((pl.col("diagnostic") == "test-1") & (pl.col("model") != "model-0"))
    )
    frame = measure_consensus(arrange(table), resampling=QUICK)
    thresholds = frame.filter(pl.col("level") == "pooled").group_by("test").agg("threshold")
    assert dict(thresholds.iter_rows()) == {"test-0": [1, 2, 3], "test-1": [1], UNION: [1, 2, 3]}


def test_a_model_never_asked_on_a_benchmark_leaves_verdicts_unknown(
    make_votes: MakeVotes,
) -> None:
    both = make_votes(np.array([[[0], [0]]]), np.array([0]))
    one = make_votes(np.array([[[0]]]), np.array([0]), benchmark="other")
    frame = decide_verdicts(arrange(pl.concat([both, one])), 2).filter(
        pl.col("benchmark") == "other"
    )
    assert frame["shortcut"].to_list() == [None, None]


def test_null_of_one_has_no_corrected_ratio(make_votes: MakeVotes) -> None:
    picks = np.tile(np.array([0, 1])[None, :, None], (1, 1, 6))
    row = rate(make_votes(picks, np.zeros(6, int), n_choices=2), "test-0", 1)
    assert (row["observed"], row["null"]) == (1, 1)
    assert row["corrected"] is row["corrected_low"] is row["corrected_high"] is None


def test_one_video_has_no_interval(make_votes: MakeVotes) -> None:
    table = make_votes(HAND[:, :, :3], np.zeros(3, int), video="v")
    row = rate(table, "test-0", 1)
    assert row["observed"] == pytest.approx(2 / 3)
    assert row["observed_low"] is row["corrected_high"] is None


def test_all_missing(make_votes: MakeVotes) -> None:
    table = make_votes(np.full((1, 2, 3), -1), np.zeros(3, int))
    row = rate(table, UNION, 2)
    assert (row["n"], row["n_known"], row["n_unknown"]) == (3, 0, 3)
    assert row["observed"] is row["null"] is row["corrected"] is None
    assert (row["lower_bound"], row["upper_bound"]) == (0, 1)


def test_groups_as_mean_and_as_pool(make_votes: MakeVotes) -> None:
    # Two of two, none of one and one of one; the last benchmark is in no group.
    picks = np.array([[[0, 0, 1, 0]]])
    table = make_votes(picks, np.zeros(4, int), benchmark=["a", "a", "b", "c"])
    frame = measure_consensus(arrange(table), groups={"a": "g", "b": "g"}, resampling=QUICK)
    rows = {
        (row["level"], row["group"]): row
        for row in frame.filter(pl.col("test") == UNION).iter_rows(named=True)
        if row["level"] not in ("task", "benchmark")
    }
    assert {
        place: (row["observed"], row["n"], row["n_benchmarks"]) for place, row in rows.items()
    } == {
        ("group_pooled", "g"): (pytest.approx(2 / 3), 3, 2),
        ("pooled", ""): (pytest.approx(3 / 4), 4, 3),
        ("group_macro", "g"): (pytest.approx(1 / 2), 3, 2),
        ("macro", ""): (pytest.approx(2 / 3), 4, 3),
    }
    row = rows["group_macro", "g"]
    assert row["null"] == 0.25
    assert row["corrected"] == pytest.approx((1 / 2 - 1 / 4) / (1 - 1 / 4))
    assert row["n_shortcuts"] == 2


def test_groups_that_do_not_lie_side_by_side(make_votes: MakeVotes) -> None:
    picks = np.array([[[0, 1, 0, -2]], [[-2, 0, 1, 0]]])
    table = make_votes(picks, np.zeros(4, int), benchmark=["a", "b", "c", "d"])
    groups = {"a": "g", "c": "g", "b": "h", "d": "h"}
    frame = measure_consensus(arrange(table), groups=groups, resampling=QUICK)
    pooled = frame.filter(pl.col("level") == "group_pooled")
    assert pooled.select("group", "test", "n", "n_shortcuts", "n_benchmarks").rows() == [
        ("g", "test-0", 2, 2, 2),
        ("g", "test-1", 1, 0, 1),
        ("g", UNION, 2, 2, 2),
        ("h", "test-0", 1, 0, 1),
        ("h", "test-1", 2, 2, 2),
        ("h", UNION, 2, 2, 2),
    ]
    # A test is averaged over the benchmarks that it applies to.
    macro = frame.filter(pl.col("level") == "macro", pl.col("test") == "test-0")
    assert macro.select("observed", "n_benchmarks").rows() == [(pytest.approx(2 / 3), 3)]


def test_without_groups_there_are_no_means(make_votes: MakeVotes) -> None:
    frame = measure_consensus(
        arrange(make_votes(np.array([[[0]]]), np.zeros(1, int))), resampling=QUICK
    )
    assert set(frame["level"]) == {"task", "benchmark", "pooled"}


def test_empty_table_has_the_columns(make_table: MakeTable, hand: pl.DataFrame) -> None:
    empty, full = arrange(make_table([])), arrange(hand)
    for function in (count_votes, lambda grid: decide_verdicts(grid, 1), measure_consensus):
        assert function(empty).schema == function(full).schema
        assert function(empty).height == 0


def test_votes_are_those_of_the_first_draw(make_table: MakeTable) -> None:
    row = {"sample_id": "a", "model": "m"}
    table = make_table(
        [
            {**row, "draw": 1, "prediction": 0, "correct": True},
            {**row, "draw": 0, "prediction": 1, "correct": False},
        ]
    )
    assert decide_verdicts(arrange(table), 1)["shortcut"].to_list() == [False, False]


def test_refuses_what_has_no_single_vote(make_table: MakeTable, make_votes: MakeVotes) -> None:
    row = {"sample_id": "a", "model": "m", "diagnostic": "chunk", "prediction": 0, "correct": True}
    chunks = make_table([row, {**row, "part": 1}])
    with pytest.raises(SchemaError, match="diagnostic chunk: several requests for one sample"):
        decide_verdicts(arrange(chunks), 1)
    table = make_votes(np.zeros((1, 1, 1), int), np.zeros(1, int))
    with pytest.raises(SchemaError, match="threshold is 0"):
        decide_verdicts(arrange(table), 0)


# Building tables takes most of the time, and the machine may be busy.
UNHURRIED = settings(deadline=None, max_examples=30)
PICKS = st.tuples(st.integers(1, 3), st.integers(1, 3), st.integers(1, 5)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 3))
)


@UNHURRIED
@given(picks=PICKS)
def test_verdicts_fall_as_the_threshold_rises(make_votes: MakeVotes, picks: Any) -> None:
    grid = arrange(make_votes(picks, np.zeros(picks.shape[2], int)))
    order = {True: 2, None: 1, False: 0}
    judged = [decide_verdicts(grid, c)["shortcut"].to_list() for c in range(1, picks.shape[1] + 2)]
    for verdicts in zip(*judged, strict=True):
        ranks = [order[verdict] for verdict in verdicts]
        assert ranks == sorted(ranks, reverse=True)
        assert ranks[-1] == 0


@UNHURRIED
@given(picks=PICKS, data=st.data())
def test_known_verdicts_stand_however_missing_answers_turn_out(
    make_votes: MakeVotes, picks: Any, data: st.DataObject
) -> None:
    targets = np.zeros(picks.shape[2], int)
    fillings = [
        np.where(picks < 0, filling, picks)
        for filling in (0, 1, data.draw(arrays(np.int64, picks.shape, elements=st.integers(0, 3))))
    ]
    for c in range(1, picks.shape[1] + 1):
        before = decide_verdicts(arrange(make_votes(picks, targets)), c)["shortcut"].to_list()
        after = [
            decide_verdicts(arrange(make_votes(f, targets)), c)["shortcut"].to_list()
            for f in fillings
        ]
        for verdict, *filled in zip(before, *after, strict=True):
            assert verdict is None or set(filled) == {verdict}
            # All right against all wrong tells them apart: unknown is claimed only if it is.
            assert verdict is not None or filled[:2] == [True, False]


@UNHURRIED
@given(picks=PICKS)
def test_null_is_the_mean_over_all_targets(make_votes: MakeVotes, picks: Any) -> None:
    n_models = picks.shape[1]
    grids = [arrange(make_votes(picks[:, :, :1], np.array([target]))) for target in range(4)]
    by_target = [
        pl.concat([decide_verdicts(grid, c) for c in range(1, n_models + 1)])
        .join(
            measure_consensus(grid, resampling=Resampling(n_resamples=1))
            .filter(pl.col("level") == "pooled")
            .select("test", "threshold", "null"),
            on=["test", "threshold"],
        )
        .sort("test", "threshold")
        for grid in grids
    ]
    verdicts = zip(*(frame["shortcut"].to_list() for frame in by_target), strict=True)
    nulls = zip(*(frame["null"].to_list() for frame in by_target), strict=True)
    for shortcuts_by_target, null_by_target in zip(verdicts, nulls, strict=True):
        known = [verdict for verdict in shortcuts_by_target if verdict is not None]
        for verdict, null in zip(shortcuts_by_target, null_by_target, strict=True):
            expected = None if verdict is None else pytest.approx(sum(known) / len(known))
            assert null == expected


def simulate(
    make_votes: MakeVotes, *, n: int, n_tests: int, copying: float, planted: float, n_choices: int
) -> pl.DataFrame:
    """Three models a test; some copy a shared guess, and planted samples are solved by all."""
    generator = np.random.default_rng(7)
    shape = (n_tests, 3, n)
    targets = generator.integers(0, n_choices, n)
    picks = generator.integers(0, n_choices, shape)
    shared = np.broadcast_to(generator.integers(0, n_choices, n), shape)
    picks = np.where(generator.random(shape) < copying, shared, picks)
    picks = np.where(generator.random(n) < planted, targets, picks)
    return make_votes(picks, targets, n_choices=n_choices, video=[f"v{s // 2}" for s in range(n)])


def test_without_shortcuts_the_corrected_ratio_is_nought(make_votes: MakeVotes) -> None:
    table = simulate(make_votes, n=600, n_tests=6, copying=0.3, planted=0, n_choices=4)
    rows = measure_consensus(arrange(table)).filter(
        (pl.col("level") == "benchmark") & (pl.col("test") == UNION)
    )
    assert rows["threshold"].to_list() == [1, 2, 3]
    assert rows["observed"][0] > 0.9
    for row in rows.iter_rows(named=True):
        assert row["corrected_low"] < 0 < row["corrected_high"]
        assert row["observed"] == pytest.approx(row["null"], abs=0.06)


def test_planted_shortcuts_come_out_when_luck_is_small(make_votes: MakeVotes) -> None:
    table = simulate(make_votes, n=1500, n_tests=1, copying=0, planted=0.3, n_choices=20)
    row = rate(table, UNION, 3, level="benchmark")
    assert row["corrected"] == pytest.approx(0.3, abs=0.04)
    assert row["corrected_low"] < 0.3 < row["corrected_high"]


@pytest.mark.parametrize("threshold", [1, 2, 3])
def test_planted_shortcuts_agree_with_the_closed_form(
    make_votes: MakeVotes, threshold: int
) -> None:
    table = simulate(make_votes, n=1500, n_tests=1, copying=0, planted=0.3, n_choices=4)
    # Luck of three independent guessers of four; where all agree, one choice of four is theirs.
    luck = {1: 37 / 64, 2: 10 / 64, 3: 1 / 64}[threshold]
    observed, null = 0.3 + 0.7 * luck, 0.3 / 4 + 0.7 * luck
    row = rate(table, UNION, threshold, level="benchmark")
    assert row["observed"] == pytest.approx(observed, abs=0.04)
    assert row["null"] == pytest.approx(null, abs=0.02)
    assert row["corrected_low"] < (observed - null) / (1 - null) < row["corrected_high"]
