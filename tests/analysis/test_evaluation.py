"""Evaluating a set by groups, against values worked out by hand."""

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.durations import DURATION_GROUPS, name_duration
from video_oasis.analysis.evaluation import Findings, Grouping, evaluate_set

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]


@pytest.fixture
def table(make_table: MakeTable) -> pl.DataFrame:
    """Two benchmarks of four samples, two models; the second fails once."""
    marks: dict[str, dict[str, list[int | None]]] = {
        "x": {"a": [1, 1, 0, 0], "b": [1, 0, 0, 0]},
        "y": {"a": [1, 0, 1, None], "b": [0, 0, 0, 1]},
    }
    return make_table(
        {
            "benchmark": benchmark,
            "sample_id": f"s{number}",
            "diagnostic": "standard",
            "model": model,
            "n_choices": 4 if benchmark == "a" else 2,
            "status": "error" if mark is None else "ok",
            "prediction": None if mark is None else 1 - mark,
            "correct": None if mark is None else bool(mark),
        }
        for model, benchmarks in marks.items()
        for benchmark, its in benchmarks.items()
        for number, mark in enumerate(its)
    )


def accuracy_of(findings: Findings, model: str, level: str = "pooled", benchmark: str = "") -> Any:
    (row,) = [
        row
        for row in findings.accuracy
        if (row.model, row.level, row.benchmark) == (model, level, benchmark)
    ]
    return row


def test_a_set_is_evaluated_whole_and_by_group(table: pl.DataFrame) -> None:
    grouping = Grouping(
        "category",
        ("late", "early"),
        {
            ("a", "s0"): "early",
            ("a", "s1"): "early",
            ("b", "s0"): "early",
            ("b", "s3"): "late",
            ("c", "s0"): "late",
        },
    )
    found = evaluate_set("original", table, groupings=[grouping], modes=[("x", "y")])
    whole = accuracy_of(found.whole, "x")
    assert (whole.n_samples, whole.accuracy) == (8, 3 / 8)
    assert whole.chance == pytest.approx((4 / 4 + 4 / 2) / 8)
    assert accuracy_of(found.whole, "y").accuracy == pytest.approx(3 / 7)
    assert accuracy_of(found.whole, "x", "macro").accuracy == pytest.approx((1 / 2 + 1 / 4) / 2)

    late, early, rest = found.of_grouping("category")
    assert (late.group, early.group, rest.group) == ("late", "early", "")
    assert (late.n_samples, early.n_samples, rest.n_samples) == (1, 3, 4)
    assert accuracy_of(early, "x").accuracy == 1
    assert accuracy_of(early, "y").accuracy == pytest.approx(1 / 3)
    assert accuracy_of(early, "y").chance == pytest.approx((1 / 4 + 1 / 4 + 1 / 2) / 3)
    assert accuracy_of(early, "x", "benchmark", "b").n_samples == 1
    assert {row.level for row in early.accuracy} == {"benchmark", "pooled"}
    # The failed answer is in the rest.
    assert (accuracy_of(rest, "y").n_scored, accuracy_of(rest, "y").accuracy) == (3, 1 / 3)

    (union,) = [row for row in early.unions if row.level == "pooled"]
    assert (union.n, union.union) == (3, 1)
    (pair,) = [row for row in found.pairs if row.level == "pooled"]
    assert (pair.first, pair.second, pair.n) == ("x", "y", 7)
    assert pair.difference == pytest.approx(3 / 7 - 3 / 7)


def test_a_mode_without_answers_has_no_union(table: pl.DataFrame) -> None:
    found = evaluate_set("original", table, modes=[("x", "z")])
    assert found.whole.unions == ()


def test_views_are_compared_over_what_both_show_in_every_group(make_table: MakeTable) -> None:
    # Of six samples the first four are annotated; early are the first three.
    marks: dict[str, list[int]] = {
        "m, standard": [1, 0, 0, 0, 1, 1],
        "m, oracle": [1, 1, 1, 0],
        "n, oracle": [1, 1, 1, 1],
    }
    table = make_table(
        {
            "sample_id": f"s{number}",
            "diagnostic": model.rpartition(" ")[2],
            "model": model,
            "prediction": 1 - mark,
            "correct": bool(mark),
        }
        for model, its in marks.items()
        for number, mark in enumerate(its)
    )
    grouping = Grouping("category", ("early",), {("bench", f"s{n}"): "early" for n in range(3)})
    views = [("m, oracle", "m, standard"), ("n, oracle", "n, standard")]
    found = evaluate_set("distilled", table, groupings=[grouping], views=views)
    early, rest = found.of_grouping("category")
    rows = [
        (row.first, row.second, row.n, row.first_accuracy, row.second_accuracy, row.difference)
        for place in (found.whole, early, rest)
        for row in place.views
        if row.level == "pooled"
    ]
    # Over all six samples standard has 3/6, and over the four that both show 1/4.
    assert rows == [
        ("m, oracle", "m, standard", 4, 3 / 4, 1 / 4, 1 / 2),
        ("m, oracle", "m, standard", 3, 1, 1 / 3, pytest.approx(2 / 3)),
        ("m, oracle", "m, standard", 1, 0, 0, 0),
    ]
    # Both samples that differ are gained: 2 * (1/2)². There is one comparison, so Holm adds none.
    (row,) = [row for row in found.whole.views if row.level == "pooled"]
    assert (row.p_value, row.p_holm) == (0.5, 0.5)
    assert len([row for row in found.pairs if row.level == "pooled"]) == 3


def test_rotated_answers_are_united_as_published(table: pl.DataFrame) -> None:
    # Turned, every answer falls on the last choice, so that no vote stands under both.
    answered = pl.col("prediction").is_not_null()
    rotated = table.with_columns(
        rotation=pl.lit(1, pl.Int32),
        prediction=pl.when(answered).then(pl.col("n_choices") - 1),
        correct=pl.when(answered).then(pl.lit(value=False)),
    )
    found = evaluate_set("original", pl.concat([table, rotated]), modes=[("x", "y")])
    once = evaluate_set("original", table, modes=[("x", "y")])
    assert found.whole.unions == once.whole.unions
    assert accuracy_of(found.whole, "x").n == 2 * accuracy_of(once.whole, "x").n


@pytest.mark.parametrize(
    ("seconds", "number"), [(0.5, 0), (15, 0), (15.1, 1), (60, 1), (600, 2), (601, 3), (9000, 3)]
)
def test_durations_fall_into_the_groups_of_the_paper(seconds: float, number: int) -> None:
    assert name_duration(seconds) == DURATION_GROUPS[number]
