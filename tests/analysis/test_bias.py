from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.bias import score_bias, summarise_bias
from video_oasis.analysis.grid import arrange

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]


@pytest.fixture
def scores(make_table: MakeTable) -> pl.DataFrame:
    def answer(sample: str, model: str, probability: float | None, **row: Any) -> dict[str, Any]:
        return {
            "sample_id": sample,
            "model": model,
            "prediction": 0,
            "correct": True,
            "target_probability": probability,
            **row,
        }

    table = make_table(
        [
            answer("a", "m", 0.5, task="t1"),
            answer("a", "n", 0.75, task="t1"),
            answer("b", "m", 0.125, task="t1"),
            answer("b", "n", None, task="t1"),
            answer("c", "m", 0.625, task="t2", n_choices=2),
            answer("d", "m", None, task="t2"),
            answer("a", "m", 1.0, task="t1", diagnostic="audio"),
            answer("a", "m", 0.25, benchmark="other"),
        ]
    )
    return score_bias(arrange(table))


def test_scores_are_means_over_scoring_models(scores: pl.DataFrame) -> None:
    assert scores.drop("task", "chance").rows() == [
        ("bench", "a", 2, 0.625, 1),
        ("bench", "b", 1, 0.125, 3),
        ("bench", "c", 1, 0.625, 1),
        ("other", "a", 1, 0.25, 1),
    ]


def test_summary_by_task(scores: pl.DataFrame) -> None:
    assert summarise_bias(scores).rows() == [
        ("bench", "t1", 2, 0.375, 0.375, 0.25, 0.5),
        ("bench", "t2", 1, 0.625, 0.625, 0.5, 1.0),
        ("other", "task", 1, 0.25, 0.25, 0.25, 0.0),
    ]


def test_nothing_without_scoring_models(make_table: MakeTable, scores: pl.DataFrame) -> None:
    for table in (
        make_table([]),
        make_table([{"sample_id": "a", "model": "m", "prediction": 0, "correct": True}]),
    ):
        empty = score_bias(arrange(table))
        assert empty.schema == scores.schema
        assert summarise_bias(empty).schema == summarise_bias(scores).schema
        assert empty.height == summarise_bias(empty).height == 0
