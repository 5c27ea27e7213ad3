"""What a lazy run leaves out: which rows, why, and how many calls."""

from collections.abc import Sequence
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.grid import arrange
from video_oasis.lazy.left_out import (
    NOT_NEEDED,
    Saving,
    count_savings,
    find_left_out,
    mark_not_needed,
)
from video_oasis.schema import LONG_TABLE_COLUMNS

MODELS = ("a", "b", "c")


def make_rows(sample: str, diagnostic: str, ends: Sequence[str], **changes: Any) -> list[Any]:
    """Make one row for each model: right, wrong, unparsed, error or missing."""
    return [
        {
            "benchmark": "bench",
            "sample_id": sample,
            "video": "v.mp4",
            "task": "t",
            "diagnostic": diagnostic,
            "part": 0,
            "rotation": 0,
            "model": model,
            "draw": 0,
            "request": f"{sample} {diagnostic}",
            "status": "ok" if end in ("right", "wrong") else end,
            "reason": {"missing": "not_asked", "error": "timeout"}.get(end, ""),
            "prediction": {"right": 0, "wrong": 1}.get(end),
            "correct": {"right": True, "wrong": False}.get(end),
            "target_probability": None,
            "n_choices": 4,
        }
        | changes
        for model, end in zip(MODELS, ends, strict=True)
    ]


def make_table(rows: Sequence[Any]) -> pl.DataFrame:
    schema = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}
    return pl.DataFrame(rows, schema=schema)


@pytest.fixture
def table() -> pl.DataFrame:
    return make_table(
        [
            *make_rows("shortcut", "blind", ["right", "right", "right"]),
            *make_rows("shortcut", "shuffle", ["missing", "missing", "missing"]),
            *make_rows("closed", "blind", ["missing", "wrong", "missing"]),
            *make_rows("closed", "shuffle", ["right", "missing", "wrong"]),
            *make_rows("failed", "blind", ["unparsed", "right", "missing"]),
            *make_rows("failed", "shuffle", ["error", "missing", "wrong"]),
            *make_rows("failed", "shuffle", ["missing"] * 3, draw=1),
            *make_rows("failed", "standard", ["missing"] * 3),
        ]
    )


def find(table: pl.DataFrame, threshold: int | None = None) -> pl.DataFrame:
    grid = arrange(table)
    return find_left_out(table, grid.only(set(grid.tests) - {"standard"}), threshold)


def test_each_answer_left_out_has_its_reason(table: pl.DataFrame) -> None:
    left_out = find(table).filter(pl.col("why").is_not_null())
    assert left_out.select("sample_id", "diagnostic", "model", "draw", "why").rows() == [
        ("shortcut", "shuffle", "a", 0, "already_a_shortcut"),
        ("shortcut", "shuffle", "b", 0, "already_a_shortcut"),
        ("shortcut", "shuffle", "c", 0, "already_a_shortcut"),
        ("closed", "blind", "a", 0, "threshold_out_of_reach"),
        ("closed", "blind", "c", 0, "threshold_out_of_reach"),
        ("closed", "shuffle", "b", 0, "threshold_out_of_reach"),
        ("failed", "shuffle", "b", 0, "threshold_out_of_reach"),
        ("failed", "shuffle", "a", 1, "another_draw"),
        ("failed", "shuffle", "b", 1, "another_draw"),
        ("failed", "shuffle", "c", 1, "another_draw"),
    ]


def test_the_reason_follows_the_threshold(table: pl.DataFrame) -> None:
    left_out = find(table, 1).filter(pl.col("why").is_not_null(), pl.col("draw") == 0)
    # At 1 of 3 every sample is a shortcut already, and two wrong answers leave one within reach.
    assert left_out["why"].unique().to_list() == ["already_a_shortcut"]
    assert left_out.height == 8


def test_only_rows_left_out_are_marked_in_the_table(table: pl.DataFrame) -> None:
    marked = mark_not_needed(table, find(table))
    assert marked.schema == table.schema
    assert marked.drop("reason").equals(table.drop("reason"))
    assert marked.filter(pl.col("reason") == NOT_NEEDED).height == 10
    waiting = marked.filter(pl.col("reason") == "not_asked")
    # One model of an unreadable test, and a diagnostic that is no test.
    assert waiting.select("sample_id", "diagnostic", "model").rows() == [
        ("failed", "blind", "c"),
        *(("failed", "standard", model) for model in MODELS),
    ]


def test_calls_are_counted_by_test_and_reason(table: pl.DataFrame) -> None:
    assert count_savings(find(table), fitted=()) == (
        Saving("blind", 9, 6, 2, 0, 0, 0),
        Saving("shuffle", 12, 4, 2, 3, 0, 3),
    )
    assert count_savings(find(table), fitted=("a",)) == (
        Saving("blind", 6, 4, 1, 0, 0, 0),
        Saving("shuffle", 8, 2, 2, 2, 0, 2),
    )


def test_a_question_that_samples_share_is_one_call_and_not_left_out_while_one_needs_it() -> None:
    rows = [
        *make_rows("x", "blind", ["missing", "wrong", "missing"], request="same"),
        *make_rows("y", "blind", ["missing", "wrong", "missing"], request="same"),
    ]
    assert count_savings(find(make_table(rows)), fitted=()) == (Saving("blind", 3, 1, 2, 0, 0, 0),)
    rows = [
        *make_rows("x", "blind", ["missing", "wrong", "missing"], request="same"),
        *make_rows("y", "blind", ["missing", "right", "missing"], request="same"),
    ]
    assert count_savings(find(make_table(rows)), fitted=()) == (Saving("blind", 3, 1, 0, 0, 0, 0),)


def test_a_sample_without_evidence_makes_no_call() -> None:
    rows = make_rows("x", "shuffle", ["error"] * 3, request="")
    assert count_savings(find(make_table(rows)), fitted=()) == ()
