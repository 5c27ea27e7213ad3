from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.accuracy import measure_accuracy
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grid import arrange

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]
QUICK = Resampling(n_resamples=200)


def one(frame: pl.DataFrame, **columns: str) -> dict[str, Any]:
    return frame.row(
        by_predicate=pl.all_horizontal(*(pl.col(k) == v for k, v in columns.items())), named=True
    )


def answer(sample: str, correct: bool | None, **row: Any) -> dict[str, Any]:
    status = "ok" if correct is not None else "unparsed"
    prediction = None if correct is None else 0
    return {
        "sample_id": sample,
        "model": "m",
        "status": status,
        "prediction": prediction,
        "correct": correct,
        **row,
    }


@pytest.fixture
def frame(make_table: MakeTable) -> pl.DataFrame:
    table = make_table(
        [
            answer("a", correct=True, task="t1"),
            answer("b", correct=False, task="t1"),
            answer("c", correct=None, task="t1"),
            answer("d", correct=None, task="t1", status="error"),
            answer("e", correct=True, task="t2", n_choices=2),
            answer("x", correct=True, benchmark="other", n_choices=5),
            answer("y", correct=True, benchmark="other", n_choices=5),
            answer("z", correct=True, benchmark="lone"),
        ]
    )
    groups = {"bench": "general", "other": "general", "lone": "apart"}
    return measure_accuracy(arrange(table), groups=groups, resampling=QUICK)


def test_failed_answers_are_counted_and_never_wrong(frame: pl.DataFrame) -> None:
    row = one(frame, level="task", task="t1")
    assert (row["n"], row["n_scored"], row["n_unparsed"], row["n_error"]) == (4, 2, 1, 1)
    assert (row["n_refused"], row["n_missing"], row["n_samples"], row["n_videos"]) == (0, 0, 4, 2)
    assert (row["accuracy"], row["chance"], row["excess"]) == (0.5, 0.25, 0.25)
    assert (row["lower_bound"], row["upper_bound"]) == (0.25, 0.75)
    assert row["accuracy_low"] == 0
    assert row["accuracy_high"] == 1
    assert row["above_chance"] is False
    # Video sums 0.75 and -0.25: 0.5 / sqrt(0.625), exceeded with p 0.2635.
    assert row["p_value"] == pytest.approx(0.2635, abs=1e-4)


def test_benchmark_and_pooled_are_micro_averages(frame: pl.DataFrame) -> None:
    row = one(frame, level="benchmark", benchmark="bench")
    assert (row["accuracy"], row["chance"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    row = one(frame, level="pooled")
    assert (row["n"], row["n_scored"], row["n_benchmarks"]) == (8, 6, 3)
    assert row["accuracy"] == pytest.approx(5 / 6)
    assert row["chance"] == pytest.approx((0.25 + 0.25 + 0.5 + 0.2 + 0.2 + 0.25) / 6)


def test_macro_averages_benchmarks(frame: pl.DataFrame) -> None:
    row = one(frame, level="group_macro", group="general")
    assert row["accuracy"] == pytest.approx((2 / 3 + 1) / 2)
    assert row["chance"] == pytest.approx((1 / 3 + 0.2) / 2)
    assert row["lower_bound"] == pytest.approx((2 / 5 + 1) / 2)
    assert (row["n"], row["n_scored"], row["n_benchmarks"]) == (7, 5, 2)
    assert row["accuracy_low"] < row["accuracy"] < row["accuracy_high"]
    assert row["p_value"] is None
    assert one(frame, level="macro")["accuracy"] == pytest.approx((2 / 3 + 1 + 1) / 3)


def test_one_video_has_no_interval_and_takes_it_from_averages(frame: pl.DataFrame) -> None:
    for row in (
        one(frame, level="benchmark", benchmark="lone"),
        one(frame, level="task", task="t2"),
        one(frame, level="group_macro", group="apart"),
        one(frame, level="pooled"),
        one(frame, level="macro"),
    ):
        assert row["accuracy"] is not None
        assert row["accuracy_low"] is None
        assert row["excess_high"] is None
        assert row["above_chance"] is None


def test_all_right_has_an_honest_interval(frame: pl.DataFrame) -> None:
    row = one(frame, level="benchmark", benchmark="other")
    assert row["accuracy"] == row["accuracy_high"] == 1
    # Clopper and Pearson with two videos: the root of 0.025.
    assert row["accuracy_low"] == pytest.approx(0.158, abs=0.02)
    assert row["above_chance"] is False


def test_parts_and_draws_are_averaged_within_the_sample_first(make_table: MakeTable) -> None:
    draws = [answer("a", correct=True, draw=draw, n_choices=2) for draw in range(3)]
    table = make_table(
        [
            *draws,
            answer("a", correct=False, draw=3, n_choices=2),
            answer("b", correct=False),
            answer("b", correct=None, part=1),
        ]
    )
    row = one(measure_accuracy(arrange(table), resampling=QUICK), level="pooled")
    assert (row["n"], row["n_scored"], row["n_samples"]) == (6, 5, 2)
    assert row["accuracy"] == pytest.approx((0.75 + 0) / 2)
    assert row["chance"] == pytest.approx((0.5 + 0.25) / 2)
    assert row["lower_bound"] == pytest.approx((0.75 + 0) / 2)
    assert row["upper_bound"] == pytest.approx((0.75 + 0.5) / 2)


def test_all_missing(make_table: MakeTable) -> None:
    table = make_table([answer(name, correct=None, status="missing") for name in "abc"])
    frame = measure_accuracy(arrange(table), resampling=QUICK)
    for level in ("task", "benchmark", "pooled", "macro"):
        row = one(frame, level=level)
        assert (row["n"], row["n_scored"], row["n_missing"]) == (3, 0, 3)
        assert row["accuracy"] is row["chance"] is row["excess"] is row["above_chance"] is None
        assert (row["lower_bound"], row["upper_bound"]) == (0, 1)


def test_macro_is_null_where_a_benchmark_has_no_scored_answer(make_table: MakeTable) -> None:
    table = make_table([answer("a", correct=True), answer("b", correct=None, benchmark="silent")])
    frame = measure_accuracy(arrange(table), resampling=QUICK)
    assert one(frame, level="macro")["accuracy"] is None
    assert one(frame, level="pooled")["accuracy"] == 1


def test_models_count_only_where_they_were_asked(make_table: MakeTable) -> None:
    table = make_table(
        [
            answer("a", correct=True),
            answer("a", correct=False, model="other"),
            answer("b", correct=False, benchmark="second"),
        ]
    )
    frame = measure_accuracy(arrange(table), resampling=QUICK)
    assert frame.filter(pl.col("benchmark") == "second")["model"].unique().to_list() == ["m"]
    assert one(frame, level="macro", model="m")["accuracy"] == 0.5
    row = one(frame, level="macro", model="other")
    assert (row["accuracy"], row["n_benchmarks"]) == (0, 1)


def test_empty_table_has_the_columns(make_table: MakeTable, frame: pl.DataFrame) -> None:
    empty = measure_accuracy(arrange(make_table([])))
    assert empty.height == 0
    assert empty.schema == frame.schema


def test_same_seed_same_intervals_whatever_else_is_in_the_table(make_votes: MakeVotes) -> None:
    generator = np.random.default_rng(0)
    picks, targets = generator.integers(0, 4, (1, 2, 60)), generator.integers(0, 4, 60)
    table = make_votes(picks, targets)
    more = pl.concat([make_votes(picks, targets, benchmark="another"), table.reverse()])
    alone = measure_accuracy(arrange(table), resampling=QUICK)
    beside = measure_accuracy(arrange(more), resampling=QUICK)
    chosen = pl.col("benchmark") == "bench"
    assert alone.filter(chosen).equals(beside.filter(chosen))
    other_seed = measure_accuracy(arrange(table), resampling=Resampling(n_resamples=200, seed=1))
    assert not other_seed["accuracy_low"].equals(alone["accuracy_low"])


def test_interval_widens_when_videos_share_their_luck(make_votes: MakeVotes) -> None:
    # The same 200 answers; in the one table ten questions on a video are right or wrong together.
    targets = np.zeros(200, int)
    picks = np.repeat(np.arange(20) % 2, 10)[None, None]
    widths = []
    for videos in ([f"v{s // 10}" for s in range(200)], [f"v{s}" for s in range(200)]):
        row = one(
            measure_accuracy(arrange(make_votes(picks, targets, video=videos))), level="benchmark"
        )
        widths.append(row["accuracy_high"] - row["accuracy_low"])
    # Ten to a video: the width grows by the root of ten.
    assert widths[0] / widths[1] == pytest.approx(10**0.5, rel=0.15)
