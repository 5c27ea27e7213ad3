from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest

from video_oasis.analysis.grades import arrange_grades
from video_oasis.analysis.grades.contradictions import Contradiction, find_contradictions

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]


def test_contradictions_are_counted_and_listed(make_grades: MakeGrades) -> None:
    grades = [
        (True, 5.0),
        (True, 1.0),
        (True, 0.0),
        (True, 1.5),
        (False, 5.0),
        (False, 4.0),
        (False, 3.9),
        (False, 0.0),
    ]
    rows = [
        {"sample_id": f"s{n}", "judge": "odd", "correct": correct, "score": score}
        for n, (correct, score) in enumerate(grades)
    ]
    # The same pair again, by another model; and a probe, which is no model's answer.
    rows += [{**rows[4], "model": "k"}, {**rows[4], "probe": "echo", "pair": "probe"}]
    rows += [{"sample_id": f"s{n}", "judge": "even", "correct": True} for n in range(3)]
    rows += [{"sample_id": "s3", "judge": "even"}, {"sample_id": "s3", "judge": "silent"}]
    # What stands below a rule's threshold is rejected, whatever the threshold.
    rows += [{**rows[4], "judge": "rule", "judge_is_model": False}]
    (odd, even), examples = find_contradictions(arrange_grades(make_grades(rows)))
    assert (odd.judge, odd.n_pairs, odd.n_videos) == ("odd", 8, 8)
    assert (odd.n_rejected_high, odd.n_accepted_low) == (2, 2)
    assert (odd.n_rejected_highest, odd.n_accepted_lowest) == (1, 1)
    assert odd.share.value == pytest.approx(4 / 8)
    assert odd.share.low is not None
    assert odd.share.high is not None
    assert 0 < odd.share.low < 0.5 < odd.share.high < 1
    assert (even.judge, even.n_pairs, even.share.value, even.share.low) == ("even", 3, 0, 0)
    assert even.share.high == pytest.approx(1 - 0.292, abs=0.02)
    assert [(each.sample_id, each.correct, each.score) for each in examples] == [
        ("s1", True, 1.0),
        ("s2", True, 0.0),
        ("s4", False, 5.0),
        ("s5", False, 4.0),
    ]
    assert examples[2] == Contradiction(
        "odd", "bench", "s4", "s4 dog", "a dog", "dog", correct=False, score=5.0
    )


def test_nothing_graded_by_a_model_has_no_rows(make_grades: MakeGrades) -> None:
    for rows in (
        [],
        [{"sample_id": "s"}],
        [{"sample_id": "s", "answer_status": "error"}],
        [{"sample_id": "s", "correct": True, "score": 0.0, "judge_is_model": False}],
    ):
        assert find_contradictions(arrange_grades(make_grades(rows))) == ((), ())
