from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, arrange_grades
from video_oasis.analysis.grades.traps import CaughtRow, measure_traps, solve_accuracy

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
VERDICTS = {"y": True, "n": False, "?": None}


def probe(kind: str, verdicts: str, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"sample_id": f"s{n:02}", "probe": kind, "correct": VERDICTS[verdict], "answer": kind}
        | columns
        for n, verdict in enumerate(verdicts)
    ]


def answers(verdicts: str, **columns: Any) -> list[dict[str, Any]]:
    return [
        {"sample_id": f"s{n:02}", "correct": VERDICTS[verdict]} | columns
        for n, verdict in enumerate(verdicts)
    ]


def test_probes_are_counted_and_what_is_caught_is_listed(make_grades: MakeGrades) -> None:
    traps = measure_traps(
        arrange_grades(
            make_grades(
                probe("echo", "yyny")
                + probe("swapped", "nyn?")
                + probe("echo", "yy", benchmark="other")
                + probe("swapped", "?", status="error", judge="down")
            )
        ),
        resampling=QUICK,
    )
    rows = {(row.benchmark, row.judge, row.probe): row for row in traps.probes}
    assert len(rows) == 7
    row = rows["", "j", "echo"]
    assert (row.level, row.is_right, row.n, row.n_graded) == ("pooled", True, 6, 6)
    assert row.accepted.value == pytest.approx(5 / 6)
    row = rows["bench", "j", "swapped"]
    assert (row.level, row.is_right, row.n, row.n_graded) == ("benchmark", False, 4, 3)
    assert (row.n_invalid, row.n_failed, row.n_missing) == (1, 0, 0)
    assert row.accepted.value == pytest.approx(1 / 3)
    row = rows["", "down", "swapped"]
    assert (row.n, row.n_failed, row.accepted) == (1, 1, Estimate(None, None, None))
    assert traps.caught == (
        CaughtRow("j", "echo", "bench", "s02", "s02 echo", "a dog", "echo", 0.0),
        CaughtRow("j", "swapped", "bench", "s01", "s01 swapped", "a dog", "swapped", 5.0),
    )
    # Of the other benchmark nothing is known of wrong answers.
    assert [(row.benchmark, row.judge) for row in traps.trust] == [("bench", "j"), ("", "j")]
    assert traps.trust[0].sensitivity.value == pytest.approx(3 / 4)
    assert traps.trust[0].specificity.value == pytest.approx(2 / 3)
    assert traps.trust[0].youden.value == pytest.approx(3 / 4 - 1 / 3)


def test_accuracy_is_corrected_by_hand(make_grades: MakeGrades) -> None:
    traps = measure_traps(
        arrange_grades(
            make_grades(
                answers("y" * 12 + "n" * 8)
                + probe("echo", "y" * 18 + "n" * 2)
                + probe("swapped", "n" * 14 + "y" * 6)
                + answers("y" * 12 + "n" * 8, judge="blunt")
                + probe("echo", "y" * 11 + "n" * 9, judge="blunt")
                + probe("swapped", "n" * 10 + "y" * 10, judge="blunt")
                + answers("y" * 12 + "n" * 8, judge="untested")
            )
        ),
        resampling=QUICK,
    )
    sharp, blunt = (row for row in traps.corrected if row.level == "pooled")
    assert (sharp.judge, sharp.diagnostic, sharp.model) == ("j", "standard", "m")
    assert sharp.accuracy.value == pytest.approx(0.6)
    # (0.6 + 0.7 - 1) / (0.9 + 0.7 - 1).
    assert sharp.corrected.value == pytest.approx(0.5)
    assert sharp.corrected.low is not None
    assert sharp.corrected.high is not None
    assert sharp.accuracy.low is not None
    # Surer than the uncorrected accuracy it is not.
    assert sharp.corrected.low < sharp.accuracy.low
    assert 0 <= sharp.corrected.low < 0.5 < sharp.corrected.high <= 1
    assert (blunt.judge, blunt.corrected) == ("blunt", Estimate(None, None, None))
    trust = next(row for row in traps.trust if row.judge == "blunt")
    assert trust.youden.low is not None
    assert trust.youden.low < 0


def test_judge_without_fault_corrects_nothing(make_grades: MakeGrades) -> None:
    traps = measure_traps(
        arrange_grades(
            make_grades(
                answers("y" * 12 + "n" * 18) + probe("echo", "y" * 30) + probe("swapped", "n" * 30)
            )
        ),
        resampling=QUICK,
    )
    trust, row = traps.trust[-1], traps.corrected[-1]
    assert trust.youden.value == trust.youden.high == 1
    # Each rate alone may be 0.884 by the bound of Clopper and Pearson for 30.
    assert trust.sensitivity.low == pytest.approx(0.884, abs=0.01)
    assert trust.youden.low == pytest.approx(0.85, abs=0.05)
    assert row.corrected.value == row.accuracy.value == pytest.approx(0.4)
    assert traps.caught == ()


def test_a_rule_is_tested_but_corrects_nothing(make_grades: MakeGrades) -> None:
    def judge(name: str, *, is_model: bool) -> list[dict[str, Any]]:
        columns = {"judge": name, "judge_is_model": is_model}
        return (
            answers("y" * 12 + "n" * 18, **columns)
            + probe("echo", "y" * 30, **columns)
            + probe("swapped", "y" + "n" * 29, **columns)
        )

    rows = judge("rule", is_model=False) + judge("model", is_model=True)
    traps = measure_traps(arrange_grades(make_grades(rows)), resampling=QUICK)
    for listed in (traps.probes, traps.caught, traps.trust):
        assert {row.judge for row in listed} == {"rule", "model"}
    assert {row.judge for row in traps.corrected} == {"model"}
    # (0.4 - 1/30) / (1 - 1/30).
    assert traps.corrected[-1].corrected.value == pytest.approx(11 / 29)


def test_impossible_accuracies_are_cut_off() -> None:
    found = solve_accuracy(
        np.array([0.05, 0.95, 0.5]), np.array([0.9, 0.9, 0.4]), np.array([0.1, 0.1, 0.4])
    )
    np.testing.assert_array_equal(found, [0, 1, np.nan])
