from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pytest
from scipy.stats import spearmanr

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, arrange_grades
from video_oasis.analysis.grades.length import measure_length

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)
EMPTY = Estimate(None, None, None)


def test_ranks_within_questions_by_hand(make_grades: MakeGrades) -> None:
    answers = [
        ("a", "m", "one", False, 1.0),
        ("a", "k", "one two", True, 3.0),
        ("a", "l", "one two three", True, 5.0),
        ("b", "m", "six words that are in here", False, 2.0),
        ("b", "k", "seven words that are in here now", False, 1.0),
        # Said before, so it is no third answer.
        ("b", "l", "six words that are in here", False, 2.0),
        ("c", "m", "alone", True, 5.0),
    ]
    table = make_grades(
        {"sample_id": sample, "model": model, "answer": answer, "correct": correct, "score": score}
        for sample, model, answer, correct, score in answers
    )
    (row,) = measure_length(arrange_grades(table), resampling=QUICK)
    assert (row.n_answers, row.n_questions, row.n_compared) == (6, 2, 5)
    # Ranks about 0, over the number of answers. Words: a -1/3, 0, 1/3; b -1/4, 1/4. Score: a the
    # same, b the other way round: (2/9 - 1/8) / (2/9 + 1/8).
    assert row.within_score.value == pytest.approx(7 / 25)
    # Accepted: a -1/3, 1/6, 1/6, whose squares make 1/6; b 0, 0: 1/6 / root(25/72 * 1/6).
    assert row.within_correct.value == pytest.approx(1 / 6 / (25 / 72 / 6) ** 0.5)
    words = [1, 2, 3, 6, 7, 1]
    assert row.across_score.value == pytest.approx(spearmanr(words, [1, 3, 5, 2, 1, 5]).statistic)
    assert row.across_correct.value == pytest.approx(spearmanr(words, [0, 1, 1, 0, 0, 1]).statistic)
    assert row.within_score.low is not None
    assert row.wrong_padded == row.right_padded == EMPTY
    assert row.n_wrong_padded == row.n_right_padded == 0


def test_padding_is_paired_by_sample(make_grades: MakeGrades) -> None:
    probes: dict[str, list[bool | None]] = {
        "swapped": [False, False, True, None, False],
        "swapped_padded": [True, True, True, True, None],
        "echo": [True, True],
        "echo_padded": [True, False],
    }
    table = make_grades(
        {"sample_id": f"s{n}", "probe": probe, "correct": verdict}
        for probe, verdicts in probes.items()
        for n, verdict in enumerate(verdicts)
    )
    (row,) = measure_length(arrange_grades(table), resampling=QUICK)
    assert (row.n_wrong_padded, row.n_right_padded) == (3, 2)
    assert row.wrong_padded.value == pytest.approx(2 / 3)
    assert row.right_padded.value == pytest.approx(-1 / 2)
    assert row.n_answers == row.n_questions == 0
    assert row.within_correct == row.across_correct == EMPTY


def test_equal_lengths_have_no_correlation(make_grades: MakeGrades) -> None:
    table = make_grades(
        {"sample_id": "a", "model": answer, "answer": answer, "correct": answer == "cat"}
        for answer in ("cat", "dog")
    )
    (row,) = measure_length(arrange_grades(table), resampling=QUICK)
    assert (row.n_questions, row.within_correct, row.across_score) == (1, EMPTY, EMPTY)
