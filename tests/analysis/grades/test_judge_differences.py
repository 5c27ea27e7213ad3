from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import arrange_grades
from video_oasis.analysis.grades.judge_differences import (
    JudgeDifferenceRow,
    compare_judges,
    summarise_differences,
    summarise_judges,
)
from video_oasis.errors import SchemaError

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
VERDICTS = {"y": True, "n": False, "?": None}


def judge(name: str, verdicts: str, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"sample_id": f"s{n}", "judge": name, "correct": VERDICTS[verdict]} | columns
        for n, verdict in enumerate(verdicts)
    ]


def compare(table: pl.DataFrame, **arguments: Any) -> tuple[JudgeDifferenceRow, ...]:
    return compare_judges(arrange_grades(table), resampling=QUICK, **arguments)


def test_published_differences_and_their_spread(published_tvbench: dict[str, Any]) -> None:
    table = published_tvbench["T3_open_ended"]
    rows = [
        row
        for benchmark in ("MSVD-QA", "MSRVTT-QA", "ActivityNet-QA")
        for row in table[benchmark].values()
    ]
    assert len(rows) == 15
    summary = summarise_differences([row[0] for row in rows], [row[2] for row in rows])
    # Every published delta is the difference of the two published accuracies, without exception.
    assert summary.differences == pytest.approx([row[4] for row in rows], abs=1e-9)
    assert summary.standard_deviation is not None
    assert round(summary.standard_deviation, 1) == table["delta_std"] == 9.3
    # Their mean, which the table does not give: 132.6 / 15.
    assert summary.mean == pytest.approx(8.84)


def test_few_cells_have_no_spread() -> None:
    assert summarise_differences([], []).mean is None
    assert summarise_differences([50.0], [60.0]).standard_deviation is None
    assert summarise_differences([0, 0], [1, 3]).standard_deviation == pytest.approx(2**0.5)
    with pytest.raises(SchemaError, match="1 results of the first judge and 0"):
        summarise_differences([1.0], [])


def test_only_answers_that_both_graded_count(make_grades: MakeGrades) -> None:
    table = make_grades(judge("a", "nnnny?y") + judge("b", "yyyynyn") + judge("c", "???????"))
    (row, pooled) = compare(table)
    assert (row.level, row.first, row.second, row.n_samples) == ("benchmark", "a", "b", 6)
    assert row.first_accuracy.value == pytest.approx(2 / 6)
    assert row.second_accuracy.value == pytest.approx(4 / 6)
    assert row.difference.value == pytest.approx(2 / 6)
    assert row.score_difference.value == pytest.approx(5 * 2 / 6)
    assert (row.n_first_accepts_more, row.n_second_accepts_more) == (2, 4)
    # Twice the chance of 2 or fewer heads in 6: 2 * 22 / 64; the robust test has 2 / sqrt(6).
    assert row.p_value == pytest.approx(44 / 64)
    assert row.p_holm == row.p_value
    assert pooled.level == "pooled"


def test_draws_are_paired_before_they_are_averaged(make_grades: MakeGrades) -> None:
    table = make_grades(
        judge("a", "yn", draw=0)
        + judge("b", "?y", draw=0)
        + judge("a", "ny", draw=1)
        + judge("b", "yy", draw=1)
    )
    row = compare(table)[0]
    # s0 by draw 1 alone: 0 and 1; s1 by both: 0.5 and 1.
    assert row.n_samples == 2
    assert row.first_accuracy.value == pytest.approx(0.25)
    assert row.second_accuracy.value == pytest.approx(1)
    assert row.difference.value == pytest.approx(0.75)


def test_pairs_follow_the_table_and_the_reference(make_grades: MakeGrades) -> None:
    table = make_grades(judge("z", "yn") + judge("b", "yn") + judge("c", "yn"))
    names = [(row.first, row.second) for row in compare(table) if row.level == "pooled"]
    assert names == [("z", "b"), ("z", "c"), ("b", "c")]
    names = [
        (row.first, row.second) for row in compare(table, reference="c") if row.level == "pooled"
    ]
    assert names == [("c", "z"), ("c", "b"), ("z", "b")]
    with pytest.raises(SchemaError, match="no judge 'd'; it has z, b, c"):
        compare(table, reference="d")


def test_holm_corrects_within_a_level(make_grades: MakeGrades) -> None:
    table = make_grades(
        judge("a", "n" * 12)
        + judge("b", "y" * 12)
        + judge("a", "n" * 12, model="k")
        + judge("b", "y" * 6 + "n" * 6, model="k")
    )
    rows = compare(table)
    # All twelve one way: the robust test allows the root of 12, p 0.00053; six: the root of 6.
    for level in ("benchmark", "pooled"):
        first, second = [row for row in rows if row.level == level]
        assert first.p_value == pytest.approx(0.000532, abs=1e-6)
        assert second.p_value == pytest.approx(2 / 64)
        assert first.p_holm == pytest.approx(2 * 0.000532, abs=2e-6)
        assert second.p_holm == second.p_value


def test_spread_is_over_cells_of_benchmarks(make_grades: MakeGrades) -> None:
    table = make_grades(
        judge("a", "nnnn")
        + judge("b", "yyyy")
        + judge("a", "nnnn", model="k")
        + judge("b", "yynn", model="k")
        + judge("a", "yyyy", benchmark="other")
        + judge("b", "nnyy", benchmark="other")
    )
    (found,) = summarise_judges(compare(table))
    assert (found.first, found.second) == ("a", "b")
    # By benchmark, and models in the table's order.
    assert found.summary.differences == pytest.approx([1, 0.5, -0.5])
    assert found.summary.mean == pytest.approx(1 / 3)
    # Squares about the mean: 16/36 + 1/36 + 25/36, over 2.
    assert found.summary.standard_deviation == pytest.approx((42 / 72) ** 0.5)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.lists(st.tuples(st.sampled_from("yn?"), st.sampled_from("yn?")), max_size=9))
def test_swapping_judges_negates(make_grades: MakeGrades, data: list[tuple[str, str]]) -> None:
    table = make_grades(
        judge("a", "".join(a for a, _ in data)) + judge("b", "".join(b for _, b in data))
    )
    if not table.height:
        return
    forth = compare(table)
    back = compare(table, reference="b" if forth else None)
    assert len(forth) == len(back)
    for one, other in zip(forth, back, strict=True):
        assert (one.first, one.second) == (other.second, other.first)
        assert one.difference.value is not None
        assert other.difference.value == pytest.approx(-one.difference.value)
        assert other.score_difference.value == pytest.approx(-(one.score_difference.value or 0))
        assert (one.n_first_accepts_more, one.p_value) == (
            other.n_second_accepts_more,
            other.p_value,
        )
        assert (one.difference.low is None) == (other.difference.high is None)
