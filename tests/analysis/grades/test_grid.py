from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.grades import arrange_grades
from video_oasis.analysis.grades.grid import Judge
from video_oasis.errors import SchemaError

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]


def test_answers_and_probes_stand_apart(make_grades: MakeGrades) -> None:
    grid = arrange_grades(
        make_grades(
            [
                {"sample_id": "b", "correct": True, "score": 4.0, "judge": "z"},
                {"sample_id": "a", "correct": False, "judge": "z"},
                {"sample_id": "a", "correct": None, "judge": "c", "judge_is_model": False},
                {"sample_id": "a", "correct": True, "judge": "z", "probe": "swapped"},
                {"sample_id": "a", "correct": False, "judge": "z", "probe": "echo"},
            ]
        )
    )
    assert grid.samples["sample_id"].to_list() == ["a", "b"]
    assert grid.judges == (
        Judge("z", is_model=True, family=""),
        Judge("c", is_model=False, family=""),
    )
    assert grid.correct.shape == (2, 1, 1, 2)
    np.testing.assert_array_equal(grid.correct[:, 0, 0], [[0, np.nan], [1, np.nan]])
    np.testing.assert_array_equal(grid.score[:, 0, 0, 0], [0, 0.8])
    np.testing.assert_array_equal(grid.accepted[0, :, 0], [0, np.nan, 1, np.nan])
    assert np.isnan(grid.accepted[1]).all()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"status": "ok", "correct": None}], "if and only if the grade's is 'ok'"),
        ([{"correct": True, "score": 5.5}], "a score from 0 to 5"),
        ([{"correct": True, "score": None}], "a score from 0 to 5"),
        ([{"status": "fine", "correct": None}], "known statuses"),
        ([{"correct": True, "video": None}], "expected names"),
        ([{"correct": True, "draw": None}], "expected names"),
        ([{"correct": True, "judge_is_model": None}], "expected names"),
        (
            [{"correct": True, "judge_is_model": False, "judge_family": "x"}],
            "no family of a judge that is no model",
        ),
        ([{"correct": True}, {"correct": False}], "two rows"),
        ([{"correct": True}, {"correct": True, "draw": 1, "video": "other"}], "differ"),
        ([{"correct": True}, {"correct": True, "draw": 1, "judge_family": "x"}], "differ"),
        ([{"correct": True}, {"correct": True, "draw": 1, "judge_is_model": False}], "differ"),
        ([{"correct": True}, {"correct": True, "draw": 1, "model_family": "x"}], "differ"),
    ],
)
def test_broken_tables_are_refused(
    make_grades: MakeGrades, rows: list[dict[str, Any]], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        arrange_grades(make_grades({"sample_id": "s"} | row for row in rows))


def test_absent_columns_are_named(make_grades: MakeGrades) -> None:
    with pytest.raises(SchemaError, match="no column pair, score"):
        arrange_grades(make_grades([{"sample_id": "s"}]).drop("pair", "score"))
