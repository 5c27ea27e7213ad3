"""Models against each other, against values worked out by hand."""

from collections.abc import Callable, Iterable, Sequence
from statistics import NormalDist
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.grid import arrange
from video_oasis.analysis.model_pairs import compare_models

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
MakeMarks = Callable[..., pl.DataFrame]


@pytest.fixture
def make_marks(make_table: MakeTable) -> MakeMarks:
    """Build a long table from what each model gets right: 1, 0, or None for a failed answer."""

    def make(
        marks: dict[str, Sequence[int | None]], *, per_video: int = 1, benchmark: str = "bench"
    ) -> pl.DataFrame:
        return make_table(
            {
                "benchmark": benchmark,
                "sample_id": f"s{number:03}",
                "video": f"v{number // per_video}",
                "diagnostic": "standard",
                "model": model,
                "status": "error" if mark is None else "ok",
                "prediction": None if mark is None else 1 - mark,
                "correct": None if mark is None else bool(mark),
            }
            for model, its in marks.items()
            for number, mark in enumerate(its)
        )

    return make


def row_of(frame: pl.DataFrame, level: str, **names: str) -> dict[str, Any]:
    return frame.row(
        by_predicate=pl.all_horizontal(
            pl.col("level") == level, *(pl.col(name) == value for name, value in names.items())
        ),
        named=True,
    )


def test_a_pair_is_compared_on_what_both_answered(make_marks: MakeMarks) -> None:
    table = make_marks({"x": [1, 1, 1, 0, 1], "y": [1, 0, 0, 0, None]}, per_video=2)
    row = row_of(compare_models(arrange(table)), "pooled")
    assert (row["first"], row["second"], row["n"], row["n_videos"]) == ("x", "y", 4, 2)
    assert (row["first_accuracy"], row["second_accuracy"], row["chance"]) == (0.75, 0.25, 0.25)
    assert row["difference"] == 0.5
    assert (row["n_first_better"], row["n_second_better"]) == (2, 0)
    # Exact: two of two, both ways. Over videos: 1 and 1, so 2 / root 2 and p = 0.157, the smaller.
    assert row["p_value"] == pytest.approx(0.5)
    assert row["difference_low"] <= 0.5 <= row["difference_high"]


def test_few_videos_count_for_more_than_many_samples(make_marks: MakeMarks) -> None:
    table = make_marks({"x": [1] * 10, "y": [0] * 10}, per_video=5)
    row = row_of(compare_models(arrange(table)), "pooled")
    # Sample by sample it is 2 of 1024; but it is two videos, 5 and 5: 10 / root 50.
    assert row["p_value"] == pytest.approx(0.1573, abs=1e-4)
    # Both shares are constant, so the interval comes from two trials, not from ten.
    assert row["difference_low"] < 0.5


def test_one_video_tests_nothing(make_marks: MakeMarks) -> None:
    row = row_of(
        compare_models(arrange(make_marks({"x": [1, 1], "y": [0, 0]}, per_video=2))), "pooled"
    )
    assert row["difference"] == 1
    assert row["p_value"] is None
    assert row["p_holm"] is None
    assert row["difference_low"] is None


def test_averages_over_benchmarks_count_each_the_same(make_marks: MakeMarks) -> None:
    table = pl.concat(
        [
            make_marks({"x": [1, 1], "y": [1, 0]}, benchmark="a"),
            make_marks({"x": [0, 0, 0, 1], "y": [1, 0, 0, 1]}, benchmark="b"),
        ]
    )
    frame = compare_models(arrange(table))
    assert row_of(frame, "benchmark", benchmark="a")["difference"] == 0.5
    assert row_of(frame, "benchmark", benchmark="b")["difference"] == -0.25
    macro, pooled = row_of(frame, "macro"), row_of(frame, "pooled")
    assert macro["difference"] == pytest.approx(0.125)
    assert (macro["n_benchmarks"], macro["n"], macro["p_value"]) == (2, 6, None)
    assert macro["difference_low"] < 0.125 < macro["difference_high"]
    assert pooled["difference"] == pytest.approx(0)
    assert (pooled["n_benchmarks"], pooled["n"]) == (2, 6)


def test_p_values_are_corrected_within_a_level(make_marks: MakeMarks) -> None:
    marks = {"x": [1] * 12, "y": [1] * 6 + [0] * 6, "z": [0] * 12}
    frame = compare_models(arrange(make_marks(marks))).filter(pl.col("level") == "pooled")
    # Exact: 6 of 6, 12 of 12, 6 of 6. Robust: of 12 of 12 it is the larger, 12 / root 12.
    robust = 2 * (1 - NormalDist().cdf(12**0.5))
    assert frame["p_value"].to_list() == pytest.approx([2 / 64, robust, 2 / 64])
    assert frame["p_holm"].to_list() == pytest.approx([4 / 64, 3 * robust, 4 / 64])


def test_draws_count_as_shares(make_table: MakeTable) -> None:
    table = make_table(
        {
            "sample_id": sample,
            "diagnostic": "standard",
            "model": model,
            "draw": draw,
            "prediction": 1 - mark,
            "correct": bool(mark),
        }
        for model, marks in {
            "x": {"s": (1, 0), "t": (1, 1)},
            "y": {"s": (0, 0), "t": (1, 1)},
        }.items()
        for sample, of_draw in marks.items()
        for draw, mark in enumerate(of_draw)
    )
    row = row_of(compare_models(arrange(table)), "pooled")
    assert (row["first_accuracy"], row["second_accuracy"]) == (0.75, 0.5)
    assert (row["difference"], row["n"], row["n_first_better"]) == (0.25, 2, 1)


def test_a_lone_model_has_no_pair(make_marks: MakeMarks) -> None:
    assert compare_models(arrange(make_marks({"x": [1, 0]}))).is_empty()
