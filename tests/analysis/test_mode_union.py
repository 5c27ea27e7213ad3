"""What an oracle over two answers gains by luck: by hand, and by simulation."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.grid import arrange
from video_oasis.analysis.mode_union import measure_unions
from video_oasis.errors import SchemaError

MakeTable = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]


def unite(table: pl.DataFrame) -> dict[str, Any]:
    frame = measure_unions(arrange(table), [("model-0", "model-1")])
    return frame.row(by_predicate=pl.col("level") == "pooled", named=True)


def test_a_union_by_hand(make_votes: MakeVotes) -> None:
    # Right choice 0: both right, one right, the other right, both wrong apart, both wrong alike,
    # and one that the second did not answer.
    picks = np.array([[[0, 0, 2, 1, 3, 0], [0, 1, 0, 2, 3, -1]]])
    row = unite(make_votes(picks, np.zeros(6, int), n_choices=[4, 4, 4, 4, 2 + 2, 4]))
    assert row["n"] == 5
    assert (row["first_accuracy"], row["second_accuracy"]) == (0.4, 0.4)
    assert row["union"] == 0.6
    assert row["chance"] == 0.25
    assert row["union_chance"] == pytest.approx(7 / 16)
    # Two samples have one choice covered, three have two.
    assert row["null"] == pytest.approx((2 * 1 + 3 * 2) / 4 / 5)
    assert row["excess"] == pytest.approx(0.2)
    assert row["corrected"] == pytest.approx(0.2 / 0.6)


def test_chance_is_of_each_sample_own_choices(make_votes: MakeVotes) -> None:
    row = unite(make_votes(np.zeros((1, 2, 2), int), np.zeros(2, int), n_choices=[2, 5]))
    assert row["chance"] == pytest.approx((1 / 2 + 1 / 5) / 2)
    assert row["union_chance"] == pytest.approx((3 / 4 + 9 / 25) / 2)
    assert row["null"] == pytest.approx((1 / 2 + 1 / 5) / 2)


@pytest.mark.parametrize("k", [2, 3, 4, 8])
def test_two_guessers_look_as_if_they_knew_something(make_votes: MakeVotes, k: int) -> None:
    generator = np.random.default_rng(k)
    n = 5_000
    picks = generator.integers(0, k, (1, 2, n))
    row = unite(make_votes(picks, generator.integers(0, k, n), n_choices=[k] * n))
    expected = 1 - (1 - 1 / k) ** 2
    spread = 4 * np.sqrt(expected * (1 - expected) / n)
    assert row["first_accuracy"] == pytest.approx(1 / k, abs=spread)
    assert row["union"] == pytest.approx(expected, abs=spread)
    assert row["union_chance"] == pytest.approx(expected)
    assert row["null"] == pytest.approx(expected, abs=spread)
    assert row["excess"] == pytest.approx(0, abs=spread)
    assert row["excess_low"] < row["excess"] < row["excess_high"]


def test_guessers_of_one_habit_gain_nothing(make_votes: MakeVotes) -> None:
    generator = np.random.default_rng(0)
    n = 5_000
    picks = np.repeat(generator.integers(0, 4, (1, 1, n)), 2, axis=1)
    row = unite(make_votes(picks, generator.integers(0, 4, n)))
    assert row["union"] == pytest.approx(0.25, abs=0.025)
    # What independent guessers would reach says too much of these, the covered share does not.
    assert row["union_chance"] == pytest.approx(7 / 16)
    assert row["null"] == pytest.approx(0.25)


def test_a_lot_of_a_union_over_models_that_know_little_is_luck(make_votes: MakeVotes) -> None:
    # Each knows a tenth of the answers, the same tenth, and guesses the rest.
    generator = np.random.default_rng(1)
    n = 5_000
    targets = generator.integers(0, 4, n)
    knows = generator.random(n) < 0.1
    picks = np.where(knows, targets, generator.integers(0, 4, (1, 2, n)))
    row = unite(make_votes(picks, targets))
    # Alone 0.1 + 0.9 / 4; together 0.1 + 0.9 x 7 / 16; beyond the null what both know, and no more.
    assert row["first_accuracy"] == pytest.approx(0.325, abs=0.028)
    assert row["union"] == pytest.approx(0.49375, abs=0.028)
    assert row["null"] == pytest.approx((0.1 + 0.9 * 7 / 4) / 4, abs=0.028)
    assert row["excess"] == pytest.approx(0.075, abs=0.028)


def test_a_pair_needs_both_models(make_votes: MakeVotes) -> None:
    grid = arrange(make_votes(np.zeros((1, 1, 2), int), np.zeros(2, int)))
    with pytest.raises(SchemaError, match="no rows of model other"):
        measure_unions(grid, [("model-0", "other")])
