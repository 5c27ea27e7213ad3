from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.grid import ANY_CHOICE, NO_CHOICE, STATUSES, Slot, arrange
from video_oasis.errors import SchemaError
from video_oasis.schema import LONG_TABLE_COLUMNS

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
WRONG = {"prediction": 1, "correct": False}
RIGHT = {"prediction": 0, "correct": True}


@pytest.fixture
def table(make_table: MakeTable) -> pl.DataFrame:
    return make_table(
        [
            {"sample_id": "b", "model": "m2", "task": "t2", **RIGHT, "target_probability": 0.5},
            {"sample_id": "a", "model": "m2", "task": "t1", **WRONG, "target_probability": 0.25},
            {"sample_id": "a", "model": "m1", "task": "t1", **RIGHT},
            {"sample_id": "a", "model": "m1", "task": "t1", "draw": 1, **WRONG},
            {"sample_id": "a", "model": "m1", "task": "t1", "draw": 2, "status": "refused"},
            {"sample_id": "a", "model": "m1", "task": "t1", "diagnostic": "audio", **WRONG},
        ]
    )


def test_arranges_by_slot_and_sample(table: pl.DataFrame) -> None:
    grid = arrange(table)
    assert grid.samples["sample_id"].to_list() == ["a", "b"]
    assert grid.slots == (Slot("audio", "m1"), Slot("blind", "m1"), Slot("blind", "m2"))
    assert grid.tests == {"audio": slice(0, 1), "blind": slice(1, 3)}
    np.testing.assert_array_equal(grid.n_rows, [[1, 0], [3, 0], [1, 1]])
    np.testing.assert_array_equal(grid.n_scored, [[1, 0], [2, 0], [1, 1]])
    np.testing.assert_array_equal(grid.n_correct, [[0, 0], [1, 0], [0, 1]])
    np.testing.assert_array_equal(grid.prediction, [[1, -1], [0, -1], [1, 0]])
    np.testing.assert_array_equal(grid.is_right, [[False, False], [True, False], [False, True]])
    np.testing.assert_array_equal(
        grid.target_probability, [[np.nan, np.nan], [np.nan, np.nan], [0.25, 0.5]]
    )
    by_status = dict(zip(STATUSES, grid.status_counts[0, 1], strict=True))
    assert by_status == {"ok": 2, "refused": 1, "unparsed": 0, "error": 0, "missing": 0}


@pytest.mark.parametrize("text", [pl.Categorical, pl.Enum])
def test_text_may_be_dictionary_encoded(table: pl.DataFrame, text: Any) -> None:
    names = table.select(pl.selectors.string()).columns
    encoded = table.with_columns(
        table[name].cast(pl.Enum(table[name].unique().sort()) if text is pl.Enum else text)
        for name in names
    )
    plain, grid = arrange(table), arrange(encoded)
    assert grid.samples.equals(plain.samples)
    assert grid.samples.schema == plain.samples.schema
    assert grid.slots == plain.slots
    np.testing.assert_array_equal(grid.prediction, plain.prediction)
    np.testing.assert_array_equal(grid.status_counts, plain.status_counts)


def test_row_order_does_not_matter(table: pl.DataFrame) -> None:
    grid, reversed_grid = arrange(table), arrange(table.reverse())
    assert grid.samples.equals(reversed_grid.samples)
    np.testing.assert_array_equal(grid.prediction, reversed_grid.prediction)


def test_keeps_some_diagnostics(table: pl.DataFrame) -> None:
    grid = arrange(table).only(["audio"])
    assert grid.slots == (Slot("audio", "m1"),)
    assert grid.prediction.shape == (1, 2)
    with pytest.raises(SchemaError, match="no rows of diagnostic shuffle; it has audio, blind"):
        arrange(table).only(["shuffle"])


def test_empty_table_is_an_empty_grid(make_table: MakeTable) -> None:
    grid = arrange(make_table([]))
    assert grid.slots == ()
    assert grid.samples.height == 0
    assert grid.only([]).prediction.shape == (0, 0)


def test_names_absent_columns(table: pl.DataFrame) -> None:
    assert arrange(table.drop("request", "reason")).slots
    with pytest.raises(SchemaError, match="no column status, video"):
        arrange(table.drop("video", "status"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prediction": None}, "bench sample 'x' has status 'ok', prediction None"),
        ({"correct": None}, "correct None"),
        ({"status": "error"}, "has status 'error', prediction 0"),
        ({"status": "fine"}, "has status 'fine'"),
        ({"prediction": -1}, "prediction -1"),
        ({"prediction": 4}, "prediction 4, correct True and n_choices 4"),
        (
            {"n_choices": 0, "status": "error", "prediction": None, "correct": None},
            "bench sample 'x' has n_choices 0; expected 1 or more",
        ),
    ],
)
def test_refuses_rows_that_break_the_rules(
    make_table: MakeTable, change: dict[str, Any], message: str
) -> None:
    row = {"sample_id": "x", "model": "m", **RIGHT, **change}
    with pytest.raises(SchemaError, match=message):
        arrange(make_table([row]))


def test_refuses_one_answer_in_two_rows(make_table: MakeTable) -> None:
    row = {"sample_id": "x", "model": "m", **RIGHT}
    with pytest.raises(SchemaError, match="'x' has two rows of diagnostic 'blind' and model 'm'"):
        arrange(make_table([row, row]))


@pytest.mark.parametrize("change", [{"video": "v"}, {"task": "t"}, {"n_choices": 9}])
def test_refuses_a_sample_of_two_minds(make_table: MakeTable, change: dict[str, Any]) -> None:
    row = {"sample_id": "x", "model": "m", **RIGHT}
    with pytest.raises(SchemaError, match="'x' has rows that differ in task, video or n_choices"):
        arrange(make_table([row, {**row, "model": "n", **change}]))


def test_ids_are_unique_within_their_benchmark_only(make_table: MakeTable) -> None:
    row = {"sample_id": "x", "model": "m", **RIGHT}
    assert arrange(make_table([row, {**row, "benchmark": "other"}])).samples.height == 2


def test_reads_the_columns_of_the_schema(table: pl.DataFrame) -> None:
    assert table.columns == list(LONG_TABLE_COLUMNS)


@pytest.mark.parametrize(
    ("answers", "prediction", "is_right", "open_to", "may_be_right"),
    [
        ([0, 0], 0, True, NO_CHOICE, False),
        ([1, 1], 1, False, NO_CHOICE, False),
        ([0, 1], -1, False, NO_CHOICE, False),
        ([0, None], -1, False, 0, True),
        ([None, 1], -1, False, 1, False),
        ([None, None], -1, False, ANY_CHOICE, True),
        ([1, 2, None], -1, False, NO_CHOICE, False),
    ],
)
def test_a_vote_falls_on_a_choice_only_if_every_rotation_picks_it(
    make_table: MakeTable,
    answers: list[int | None],
    prediction: int,
    is_right: bool,
    open_to: int,
    may_be_right: bool,
) -> None:
    rows = [
        {"sample_id": "a", "model": "m", "rotation": rotation}
        | (
            {"status": "error"}
            if picked is None
            else {"prediction": picked, "correct": picked == 0}
        )
        for rotation, picked in enumerate(answers)
    ]
    grid = arrange(make_table(rows))
    assert grid.prediction[0, 0] == prediction
    assert grid.is_right[0, 0] == is_right
    assert grid.open_to[0, 0] == open_to
    assert grid.may_be_right[0, 0] == may_be_right
    assert grid.n_scored[0, 0] == sum(picked is not None for picked in answers)
    assert grid.n_correct[0, 0] == answers.count(0)


def test_one_rotation_in_two_rows_is_refused(make_table: MakeTable) -> None:
    row = {"sample_id": "x", "model": "m", "rotation": 1, **RIGHT}
    with pytest.raises(SchemaError, match="has two rows"):
        arrange(make_table([row, {**row, "rotation": 0}, row]))
