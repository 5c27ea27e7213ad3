"""Rotated choices: what models stand by, and what guessing gives, both by brute force."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.analysis.consensus import UNION, decide_verdicts, measure_consensus
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.rotations import measure_rotations

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]

N_CHOICES, N_ROTATIONS, N_MODELS, N_TESTS = 3, 2, 2, 2
CELLS = list(product(range(N_TESTS), range(N_MODELS), range(N_ROTATIONS)))


def list_rows(picks: list[int | None], target: int) -> list[dict[str, Any]]:
    return [
        {
            "sample_id": "s",
            "diagnostic": f"test-{test}",
            "model": f"model-{model}",
            "rotation": rotation,
            "n_choices": N_CHOICES,
            "status": "error" if picked is None else "ok",
            "prediction": picked,
            "correct": None if picked is None else picked == target,
        }
        for (test, model, rotation), picked in zip(CELLS, picks, strict=True)
    ]


@given(
    picks=st.lists(
        st.none() | st.integers(0, N_CHOICES - 1), min_size=len(CELLS), max_size=len(CELLS)
    ),
    target=st.integers(0, N_CHOICES - 1),
    threshold=st.integers(1, N_MODELS),
)
def test_the_null_is_the_mean_verdict_over_the_targets_that_make_it_known(
    make_table: MakeTable, picks: list[int | None], target: int, threshold: int
) -> None:
    verdicts: dict[str, list[bool | None]] = {}
    for other in range(N_CHOICES):
        decided = decide_verdicts(arrange(make_table(list_rows(picks, other))), threshold)
        for row in decided.iter_rows(named=True):
            verdicts.setdefault(row["test"], []).append(row["shortcut"])
    rows = measure_consensus(arrange(make_table(list_rows(picks, target))))
    for row in rows.filter(threshold=threshold, level="benchmark").iter_rows(named=True):
        assert verdicts[row["test"]][target] == (
            None if row["n_unknown"] else row["n_shortcuts"] == 1
        )
        if row["n_known"]:
            known = [verdict for verdict in verdicts[row["test"]] if verdict is not None]
            assert row["null"] == pytest.approx(np.mean(known))
    assert UNION in verdicts


def test_rotations_by_hand(make_table: MakeTable) -> None:
    answers: dict[str, list[tuple[str, list[int | None]]]] = {
        "steady": [("a", [0, 0]), ("b", [1, 1]), ("c", [0, 0])],
        "by place": [("a", [0, 1]), ("b", [0, 1]), ("c", [0, 1])],
        "unread": [("a", [0, None]), ("b", [1, 2]), ("c", [None, None])],
    }
    rows = [
        {
            "sample_id": sample,
            "model": model,
            "rotation": rotation,
            "n_choices": 4,
            "status": "error" if picked is None else "ok",
            "prediction": picked,
            "correct": None if picked is None else picked == 0,
        }
        for model, of_model in answers.items()
        for sample, picks in of_model
        for rotation, picked in enumerate(picks)
    ]
    rows += [
        {"sample_id": "a", "model": "steady", "diagnostic": "bag_of_frames", "prediction": 0,
         "correct": True}
    ]  # fmt: skip
    table = make_table(rows)
    measured = measure_rotations(arrange(table), table).filter(level="benchmark")
    columns = ("model", "n", "same", "accuracy", "always_right", "always_right_chance")
    assert measured.select(columns).rows() == [
        ("by place", 3, 0.0, 0.5, 0.0, 0.0),
        ("steady", 3, 1.0, pytest.approx(2 / 3), pytest.approx(2 / 3), 0.25),
        ("unread", 1, 0.0, 0.0, 0.0, 0.0),
    ]
    assert measured["diagnostic"].unique().to_list() == ["blind"]
