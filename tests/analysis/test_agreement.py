from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score, matthews_corrcoef

from video_oasis.analysis.agreement import measure_agreement
from video_oasis.analysis.grid import arrange
from video_oasis.errors import SchemaError

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]


def test_agreement_by_hand(make_votes: MakeVotes) -> None:
    picks = np.array([[[0, 0, 1, 1, -1], [0, 1, 1, 1, 0]]])
    frame = measure_agreement(arrange(make_votes(picks, np.array([0, 0, 1, 0, 0]))))
    assert frame["level"].to_list() == ["benchmark", "pooled"]
    row = frame.row(0, named=True)
    assert (row["model"], row["other_model"], row["n"]) == ("model-0", "model-1", 4)
    assert row["same"] == 0.75
    # Index 0 in 2 of 4 and 1 of 4, index 1 in 2 of 4 and 3 of 4.
    assert row["expected"] == pytest.approx(2 / 4 * 1 / 4 + 2 / 4 * 3 / 4)
    assert row["kappa"] == pytest.approx(0.5)
    # Right: 1110 and 1010; joint 2/4, margins 3/4 and 2/4.
    assert row["phi"] == pytest.approx((0.5 - 0.375) / (3 / 16 * 4 / 16) ** 0.5)


def test_agrees_with_scikit_learn(make_votes: MakeVotes) -> None:
    generator = np.random.default_rng(4)
    first = generator.integers(0, 4, 80)
    second = np.where(generator.random(80) < 0.4, first, generator.integers(0, 4, 80))
    targets = generator.integers(0, 4, 80)
    frame = measure_agreement(arrange(make_votes(np.array([[first, second]]), targets)))
    row = frame.row(0, named=True)
    assert row["kappa"] == pytest.approx(cohen_kappa_score(first, second))
    assert row["phi"] == pytest.approx(matthews_corrcoef(first == targets, second == targets))


def test_pooled_takes_all_benchmarks(make_votes: MakeVotes) -> None:
    one = make_votes(np.array([[[0, 1], [0, 1]]]), np.zeros(2, int))
    two = make_votes(np.array([[[2, 3], [3, 2]]]), np.zeros(2, int), benchmark="other")
    frame = measure_agreement(arrange(pl.concat([one, two])))
    assert dict(frame.select("benchmark", "same").iter_rows()) == {"bench": 1, "other": 0, "": 0.5}


def test_undefined_where_there_is_no_variation(make_votes: MakeVotes) -> None:
    frame = measure_agreement(arrange(make_votes(np.zeros((1, 2, 3), int), np.zeros(3, int))))
    row = frame.row(0, named=True)
    assert (row["same"], row["expected"], row["kappa"], row["phi"]) == (1, 1, None, None)


def test_nothing_in_common_leaves_no_row(make_votes: MakeVotes, make_table: MakeTable) -> None:
    table = make_votes(np.array([[[0, -1], [-1, 0]]]), np.zeros(2, int))
    assert measure_agreement(arrange(table)).height == 0
    assert measure_agreement(arrange(make_table([]))).height == 0


def test_refuses_parts(make_table: MakeTable) -> None:
    row = {"sample_id": "a", "model": "m", "part": 1, "prediction": 0, "correct": True}
    with pytest.raises(SchemaError, match="several requests"):
        measure_agreement(arrange(make_table([row])))
