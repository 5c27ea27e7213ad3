"""What is lost from the original samples to some of them, against values worked out by hand."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.gap import measure_gap
from video_oasis.analysis.grid import arrange
from video_oasis.errors import SchemaError

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
Marks = Mapping[str, Mapping[str, Mapping[int, int | None]]]


def make_marks(make_table: MakeTable, marks: Marks, *, n_choices: int = 4) -> pl.DataFrame:
    """Build a table from model, benchmark and sample to 1, 0, or None for a failed answer."""
    return make_table(
        {
            "benchmark": benchmark,
            "sample_id": f"s{number}",
            "video": f"v{number}",
            "diagnostic": "standard",
            "model": model,
            "n_choices": n_choices,
            "status": "error" if mark is None else "ok",
            "prediction": None if mark is None else 1 - mark,
            "correct": None if mark is None else bool(mark),
        }
        for model, benchmarks in marks.items()
        for benchmark, of_sample in benchmarks.items()
        for number, mark in of_sample.items()
    )


def row_of(frame: pl.DataFrame, level: str, benchmark: str = "") -> dict[str, Any]:
    return frame.row(
        by_predicate=(pl.col("level") == level) & (pl.col("benchmark") == benchmark), named=True
    )


def test_gaps_by_benchmark_pooled_and_mean(make_table: MakeTable) -> None:
    of_model: dict[str, dict[int, int | None]] = {
        "a": {1: 1, 2: 1, 3: 1, 4: 0},
        "b": {1: 1, 2: 0, 3: None, 4: 1, 5: 0, 6: 1},
        "c": {1: 1, 2: 0},
    }
    table = make_marks(make_table, {"m": of_model})
    kept = pl.DataFrame(
        {"benchmark": ["a", "a", "b", "b", "b"], "sample_id": ["s3", "s4", "s2", "s3", "s4"]}
    )
    distilled = table.join(kept, on=["benchmark", "sample_id"], how="semi")
    frame = measure_gap(arrange(table), arrange(distilled))
    a, b, c = (row_of(frame, "benchmark", name) for name in "abc")
    assert (a["n_original"], a["n_distilled"]) == (4, 2)
    assert (a["original"], a["distilled"], a["gap"]) == (0.75, 0.5, 0.25)
    # The failed answer is in neither accuracy.
    assert (b["n_original"], b["n_distilled"]) == (5, 2)
    assert (b["original"], b["distilled"]) == (pytest.approx(0.6), 0.5)
    # Nothing is kept of the third: it has no gap, and no part in the mean of gaps.
    assert (c["n_distilled"], c["distilled"], c["gap"], c["gap_low"]) == (0, None, None, None)
    pooled, macro = row_of(frame, "pooled"), row_of(frame, "macro")
    assert (pooled["n_original"], pooled["n_distilled"]) == (11, 4)
    assert pooled["original"] == pytest.approx(7 / 11)
    assert pooled["gap"] == pytest.approx(7 / 11 - 0.5)
    assert (macro["n_benchmarks"], macro["n_original"]) == (2, 9)
    assert macro["gap"] == pytest.approx((0.25 + 0.1) / 2)
    assert pooled["original_chance"] == pooled["distilled_chance"] == 0.25
    for row in (a, b, pooled, macro):
        assert row["gap_low"] <= row["gap"] <= row["gap_high"]


def test_both_sets_are_resampled_together(make_table: MakeTable) -> None:
    table = make_marks(make_table, {"m": {"a": {number: number % 2 for number in range(40)}}})
    same = row_of(measure_gap(arrange(table), arrange(table)), "pooled")
    assert (same["gap"], same["gap_low"], same["gap_high"]) == (0, 0, 0)
    assert same["original_high"] - same["original_low"] > 0.2
    # All but one: the accuracies are as uncertain, their difference is not.
    most = arrange(table.filter(pl.col("sample_id") != "s0"))
    row = row_of(measure_gap(arrange(table), most), "pooled")
    assert row["gap"] == pytest.approx(0.5 - 20 / 39)
    assert row["gap_high"] - row["gap_low"] < 0.06


def test_corrected_answers_count_in_the_distilled_set(make_table: MakeTable) -> None:
    original = make_marks(make_table, {"m": {"a": {1: 1, 2: 0, 3: 0}}})
    corrected = make_marks(make_table, {"m": {"a": {2: 1, 3: 0}}})
    row = row_of(measure_gap(arrange(original), arrange(corrected)), "pooled")
    assert (row["original"], row["distilled"]) == (pytest.approx(1 / 3), 0.5)


def test_a_model_of_one_set_alone_has_no_row(make_table: MakeTable) -> None:
    original = make_marks(make_table, {"m": {"a": {1: 1, 2: 0}}, "n": {"a": {1: 1, 2: 0}}})
    distilled = make_marks(make_table, {"n": {"a": {2: 0}}})
    frame = measure_gap(arrange(original), arrange(distilled))
    assert frame["model"].unique().to_list() == ["n"]
    assert row_of(frame, "pooled")["gap"] == 0.5


def test_a_distilled_sample_must_be_an_original_one(make_table: MakeTable) -> None:
    original = make_marks(make_table, {"m": {"a": {1: 1}}})
    distilled = make_marks(make_table, {"m": {"a": {7: 1}}})
    with pytest.raises(SchemaError, match="a sample 's7' is in the distilled set"):
        measure_gap(arrange(original), arrange(distilled))
