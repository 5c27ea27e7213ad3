from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, arrange_grades
from video_oasis.analysis.grades.accuracy import GradeAccuracyRow, measure_grade_accuracy

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
EMPTY = Estimate(None, None, None)


def measure(table: pl.DataFrame) -> tuple[GradeAccuracyRow, ...]:
    return measure_grade_accuracy(arrange_grades(table), resampling=QUICK)


def pick(rows: Iterable[GradeAccuracyRow], **values: str) -> GradeAccuracyRow:
    (row,) = [
        row for row in rows if all(getattr(row, name) == value for name, value in values.items())
    ]
    return row


def test_counts_and_means_by_hand(make_grades: MakeGrades) -> None:
    rows = measure(
        make_grades(
            [
                {"sample_id": "a", "correct": True, "score": 4.0, "task": "t1"},
                {"sample_id": "a", "correct": False, "score": 1.0, "task": "t1", "draw": 1},
                {"sample_id": "b", "correct": False, "score": 0.0, "task": "t1"},
                {"sample_id": "c", "correct": None, "task": "t1"},
                {"sample_id": "d", "answer_status": "refused", "task": "t2"},
                {"sample_id": "e", "answer_status": "error", "task": "t2"},
                {"sample_id": "f", "answer_status": "unparsed", "task": "t2"},
                {"sample_id": "g", "answer_status": "missing", "task": "t2"},
                {"sample_id": "h", "status": "error", "task": "t2"},
                {"sample_id": "x", "correct": True, "score": 5.0, "benchmark": "other"},
            ]
        )
    )
    assert [(row.level, row.benchmark, row.task) for row in rows] == [
        ("task", "bench", "t1"),
        ("task", "bench", "t2"),
        ("benchmark", "bench", ""),
        ("task", "other", "task"),
        ("benchmark", "other", ""),
        ("pooled", "", ""),
    ]
    row = pick(rows, level="benchmark", benchmark="bench")
    assert (row.n_answers, row.n_answered, row.n_samples, row.n_videos) == (9, 5, 2, 2)
    assert (row.n_answers_refused, row.n_answers_failed) == (1, 1)
    assert (row.n_answers_unparsed, row.n_answers_missing) == (1, 1)
    assert (row.n_graded, row.n_grades_invalid, row.n_grades_failed) == (3, 1, 1)
    assert row.n_grades_missing == 4
    assert row.accuracy.value == pytest.approx((0.5 + 0) / 2)
    assert row.score.value == pytest.approx((2.5 + 0) / 2)
    assert row.accuracy.low == pytest.approx(0)
    assert row.accuracy.high == pytest.approx(0.5)
    assert row.score.high == pytest.approx(2.5)

    pooled = pick(rows, level="pooled")
    assert pooled.accuracy.value == pytest.approx((0.5 + 0 + 1) / 3)
    # One benchmark has a single video.
    assert pooled.accuracy.low is pooled.accuracy.high is None
    silent = pick(rows, level="task", task="t2")
    assert (silent.n_answers, silent.n_graded, silent.accuracy, silent.score) == (
        5,
        0,
        EMPTY,
        EMPTY,
    )


def test_all_accepted_has_an_honest_interval(make_grades: MakeGrades) -> None:
    row = measure(make_grades({"sample_id": name, "correct": True} for name in "abc"))[-1]
    # Clopper and Pearson with three videos: the cube root of 0.025.
    assert row.accuracy.low == pytest.approx(0.292, abs=0.02)
    assert row.score.low == pytest.approx(5 * 0.292, abs=0.1)
    assert row.score.high == 5


def test_text_only_level_is_paired_and_of_the_same_judge(make_grades: MakeGrades) -> None:
    def rows(diagnostic: str, judge: str, verdicts: str) -> list[dict[str, Any]]:
        return [
            {
                "sample_id": f"s{number}",
                "diagnostic": diagnostic,
                "judge": judge,
                "correct": {"y": True, "n": False, "?": None}[verdict],
            }
            for number, verdict in enumerate(verdicts)
        ]

    table = make_grades(
        rows("blind", "k", "ynn?")
        + rows("standard", "k", "yyn?")
        + rows("blind", "l", "nnnn")
        + rows("standard", "l", "?yyy")
        + [{"sample_id": "s0", "model": "seeing", "correct": True}]
    )
    found = measure(table)
    row = pick(found, level="pooled", diagnostic="standard", judge="k")
    assert row.text_only.value == pytest.approx(1 / 3)
    assert row.n_text_only == 3
    assert row.above_text_only.value == pytest.approx(1 / 3)
    row = pick(found, level="pooled", diagnostic="standard", judge="l")
    assert (row.text_only.value, row.n_text_only, row.above_text_only.value) == (0, 3, 1)
    assert row.above_text_only.low is not None
    # One-sided bounds at three videos of 0.292 for the 1 that none missed.
    assert 0 < row.above_text_only.low < 0.5
    row = pick(found, level="pooled", diagnostic="blind", judge="k")
    assert (row.text_only, row.n_text_only, row.above_text_only) == (EMPTY, 0, EMPTY)
    row = pick(found, level="pooled", model="seeing")
    assert (row.text_only, row.n_text_only, row.above_text_only) == (EMPTY, 0, EMPTY)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    verdicts=st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=8),
    n_failed=st.integers(0, 5),
    status=st.sampled_from(["invalid", "error", "missing"]),
)
def test_failed_grades_never_change_accuracy(
    make_grades: MakeGrades, verdicts: list[bool | None], n_failed: int, status: str
) -> None:
    rows = [{"sample_id": f"s{n}", "correct": verdict} for n, verdict in enumerate(verdicts)]
    failed = [{"sample_id": f"s{n}", "draw": 1, "status": status} for n in range(n_failed)]
    before, after = measure(make_grades(rows))[-1], measure(make_grades([*rows, *failed]))[-1]
    assert after.n_answers == before.n_answers + n_failed
    assert (after.n_graded, after.n_samples) == (before.n_graded, before.n_samples)
    assert after.accuracy.value == before.accuracy.value
    assert after.score.value == before.score.value


def test_probes_alone_make_no_rows(make_grades: MakeGrades) -> None:
    assert measure(make_grades([{"sample_id": "a", "probe": "echo", "correct": True}])) == ()
    assert measure(make_grades([])) == ()
