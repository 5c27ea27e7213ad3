from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import arrange_grades
from video_oasis.analysis.grades.self_preference import measure_self_preference

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
VERDICTS = {"y": True, "n": False, "?": None}
FAMILIES = {"gpt-a": "gpt", "qwen-a": "qwen", "llama-a": "llama", "learned": ""}
JUDGES = {
    "gpt-j": "gpt",
    "llama-j": "llama",
    "glm-j": "glm",
    "qwen-j": "qwen",
    "unknown-j": "",
    "exact_match": "",
}


def grade(model: str, judge: str, verdicts: str, **columns: Any) -> list[dict[str, Any]]:
    return [
        {
            "sample_id": f"s{n}",
            "model": model,
            "model_family": FAMILIES[model],
            "judge": judge,
            "judge_is_model": judge != "exact_match",
            "judge_family": JUDGES[judge],
            "correct": VERDICTS[verdict],
        }
        | columns
        for n, verdict in enumerate(verdicts)
    ]


def test_difference_in_differences_by_hand(make_grades: MakeGrades) -> None:
    table = make_grades(
        grade("gpt-a", "gpt-j", "yyyyn")
        + grade("gpt-a", "llama-j", "ynnyn")
        + grade("gpt-a", "glm-j", "nnny?")
        + grade("qwen-a", "gpt-j", "ynnnn")
        + grade("qwen-a", "llama-j", "yynnn")
        + grade("qwen-a", "glm-j", "ynnnn")
        # Of no known family, and shown what the judge's family was not.
        + grade("learned", "gpt-j", "yyyyy")
        + grade("qwen-a", "gpt-j", "yyyyy", diagnostic="blind")
    )
    (row,) = measure_self_preference(arrange_grades(table), resampling=QUICK)
    assert (row.judge, row.family, row.compared_with) == ("gpt-j", "gpt", ("llama-j", "glm-j"))
    assert (row.own_models, row.other_models) == (("gpt-a",), ("qwen-a",))
    assert row.diagnostics == ("standard",)
    # The fifth sample lacks a grade of one judge of the comparison.
    assert (row.n, row.n_videos) == (4, 4)
    # Own: 1 - 0.5, 1 - 0, 1 - 0, 1 - 1; others: 0, 0 - 0.5, 0, 0.
    assert row.own_difference.value == pytest.approx(2.5 / 4)
    assert row.other_difference.value == pytest.approx(-0.5 / 4)
    assert row.preference.value == pytest.approx(3 / 4)
    assert row.score_preference.value == pytest.approx(15 / 4)


def test_chance_and_preference_are_told_apart(make_grades: MakeGrades) -> None:
    table = make_grades(
        grade("gpt-a", "gpt-j", "yyyyn" * 20)
        + grade("gpt-a", "glm-j", "nnyyn" * 20)
        + grade("qwen-a", "gpt-j", "ynynn" * 20)
        + grade("qwen-a", "glm-j", "nyynn" * 20)
        + grade("qwen-a", "llama-j", "ynynn" * 20)
        + grade("gpt-a", "llama-j", "?" * 100)
    )
    (row,) = measure_self_preference(arrange_grades(table), resampling=QUICK)
    # A judge that graded no answer of one kind is in no comparison.
    assert (row.compared_with, row.n) == (("glm-j",), 100)
    for estimate, value in ((row.own_difference, 0.4), (row.other_difference, 0.0)):
        assert estimate.value == pytest.approx(value)
    assert row.preference.value == pytest.approx(0.4)
    # A fifth of the samples 2, the others 0: a standard error of 0.08.
    assert row.preference.low is not None
    assert row.preference.high is not None
    assert row.preference.low == pytest.approx(0.4 - 1.96 * 0.08, abs=0.05)
    assert row.preference.high == pytest.approx(0.4 + 1.96 * 0.08, abs=0.05)


def test_diagnostics_are_added_up(make_grades: MakeGrades) -> None:
    table = make_grades(
        grade("gpt-a", "gpt-j", "yy")
        + grade("gpt-a", "glm-j", "yn")
        + grade("qwen-a", "gpt-j", "yy")
        + grade("qwen-a", "glm-j", "yy")
        + grade("gpt-a", "gpt-j", "y", diagnostic="blind")
        + grade("gpt-a", "glm-j", "n", diagnostic="blind")
        + grade("qwen-a", "gpt-j", "n", diagnostic="blind")
        + grade("qwen-a", "glm-j", "y", diagnostic="blind")
    )
    (row,) = measure_self_preference(arrange_grades(table), resampling=QUICK)
    assert (row.diagnostics, row.n, row.n_videos) == (("standard", "blind"), 3, 2)
    assert row.preference.value == pytest.approx((0 + 1 + 2) / 3)
    assert row.own_difference.value == pytest.approx(2 / 3)
    assert row.other_difference.value == pytest.approx(-1 / 3)


@pytest.mark.parametrize("absent", ["own", "others", "comparison"])
def test_nothing_to_compare_makes_no_row(make_grades: MakeGrades, absent: str) -> None:
    rows = []
    if absent != "own":
        rows += grade("gpt-a", "gpt-j", "yy") + grade("gpt-a", "glm-j", "yy")
    if absent != "others":
        rows += grade("qwen-a", "gpt-j", "yy") + grade("qwen-a", "glm-j", "yy")
    if absent == "comparison":
        rows = [row for row in rows if row["judge"] != "glm-j"]
    assert measure_self_preference(arrange_grades(make_grades(rows)), resampling=QUICK) == ()


def test_fair_judge_is_not_blamed_for_rules_that_want_terse_answers(
    make_grades: MakeGrades,
) -> None:
    # Every second answer is right. The verbose answers say no more than the reference, but in a
    # sentence, which neither the rule nor the judge of unknown family accepts.
    terse, verbose = "llama-a", "qwen-a"
    rows = [
        *grade(terse, "qwen-j", "yn" * 20),
        *grade(verbose, "qwen-j", "yn" * 20),
    ]
    for strict in ("exact_match", "unknown-j"):
        rows += grade(terse, strict, "yn" * 20) + grade(verbose, strict, "nn" * 20)
    assert measure_self_preference(arrange_grades(make_grades(rows)), resampling=QUICK) == ()

    rows += grade(terse, "gpt-j", "yn" * 20) + grade(verbose, "gpt-j", "yn" * 20)
    (row,) = measure_self_preference(arrange_grades(make_grades(rows)), resampling=QUICK)
    assert (row.judge, row.compared_with, row.n) == ("qwen-j", ("gpt-j",), 40)
    assert row.own_difference.value == row.other_difference.value == row.preference.value == 0
    assert row.score_preference.value == 0
