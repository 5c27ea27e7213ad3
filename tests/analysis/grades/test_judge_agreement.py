from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, spearmanr
from sklearn.metrics import cohen_kappa_score

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades import Estimate, arrange_grades
from video_oasis.analysis.grades.judge_agreement import measure_judge_agreement
from video_oasis.analysis.grades.ranks import correlate_ranks

MakeGrades = Callable[[Iterable[dict[str, Any]]], pl.DataFrame]
QUICK = Resampling(n_resamples=200)


def test_agreement_by_hand(make_grades: MakeGrades) -> None:
    def judge(name: str, verdicts: Iterable[bool | None], scores: Iterable[float]) -> list[Any]:
        return [
            {
                "sample_id": f"s{number}",
                "judge": name,
                "correct": verdict,
                "score": None if verdict is None else score,
            }
            for number, (verdict, score) in enumerate(zip(verdicts, scores, strict=True))
        ]

    rows = judge("a", [True] * 5 + [False] * 5 + [None], [5, 5, 4, 3, 3, 2, 2, 1, 0, 0, 0])
    rows += judge("b", [True] * 4 + [False] * 3 + [True] * 4, [4, 5, 5, 4, 1, 1, 0, 3, 2, 3, 5])
    (row,) = measure_judge_agreement(arrange_grades(make_grades(rows)), resampling=QUICK)
    assert (row.first, row.second, row.n_pairs, row.n_videos) == ("a", "b", 10, 10)
    # Of ten, 4 accepted and 2 rejected by both; 0.5 and 0.7 accepted: expected 0.35 + 0.15.
    assert row.same.value == pytest.approx(0.6)
    assert row.kappa.value == pytest.approx(0.2)
    ours, theirs = [5, 5, 4, 3, 3, 2, 2, 1, 0, 0], [4, 5, 5, 4, 1, 1, 0, 3, 2, 3]
    assert row.spearman.value == pytest.approx(spearmanr(ours, theirs).statistic)
    assert row.kendall == pytest.approx(kendalltau(ours, theirs).statistic)
    for estimate in (row.same, row.kappa, row.spearman):
        assert estimate.value is not None
        assert estimate.low is not None
        assert estimate.high is not None
        assert estimate.low < estimate.value < estimate.high


def test_equal_answers_to_one_question_count_once(make_grades: MakeGrades) -> None:
    rows = [
        {"sample_id": sample, "model": model, "judge": judge, "pair": pair, "correct": correct}
        for sample, model, pair, verdicts in [
            ("a", "m", "p", (True, True)),
            ("a", "k", "p", (True, True)),
            ("b", "m", "p", (True, True)),
            ("b", "k", "q", (True, False)),
        ]
        for judge, correct in zip("xy", verdicts, strict=True)
    ]
    (row,) = measure_judge_agreement(arrange_grades(make_grades(rows)), resampling=QUICK)
    assert (row.n_pairs, row.same.value, row.n_videos) == (2, 0.5, 2)


def test_constant_judges_have_no_correlation(make_grades: MakeGrades) -> None:
    table = make_grades(
        {"sample_id": sample, "judge": judge, "correct": True} for sample in "abc" for judge in "xy"
    )
    (row,) = measure_judge_agreement(arrange_grades(table), resampling=QUICK)
    assert row.same.value == 1
    assert row.same.low == pytest.approx(0.292, abs=0.02)
    assert row.kappa == row.spearman == Estimate(None, None, None)
    assert row.kendall is None


def test_perfect_agreement_claims_no_certainty(make_grades: MakeGrades) -> None:
    table = make_grades(
        {"sample_id": sample, "judge": judge, "correct": sample < "c"}
        for sample in "abcd"
        for judge in "xy"
    )
    (row,) = measure_judge_agreement(arrange_grades(table), resampling=QUICK)
    for estimate in (row.kappa, row.spearman):
        assert estimate.value == pytest.approx(1)
        assert estimate.low is estimate.high is None


def test_lone_and_silent_judges_are_in_no_pair(make_grades: MakeGrades) -> None:
    rows = [{"sample_id": "a", "correct": True}]
    assert measure_judge_agreement(arrange_grades(make_grades(rows))) == ()
    rows.append({"sample_id": "a", "judge": "silent", "correct": None})
    assert measure_judge_agreement(arrange_grades(make_grades(rows))) == ()


@settings(max_examples=15)
@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 3)), min_size=2, max_size=20
    )
)
def test_weights_are_repetitions(data: list[tuple[int, int, int]]) -> None:
    first, second, weights = np.array(data, dtype=float).T
    found = correlate_ranks(
        first,
        second,
        np.arange(len(first)),
        resampling=Resampling(n_resamples=10),
        name="ranks",
        weights=weights,
    )
    times = weights.astype(int)
    if np.ptp(first) == 0 or np.ptp(second) == 0:
        assert found.value is None
    else:
        expected = spearmanr(first.repeat(times), second.repeat(times)).statistic
        assert found.value == pytest.approx(expected, abs=1e-9)


def test_many_levels_in_blocks_are_as_few() -> None:
    generator = np.random.default_rng(3)
    first = generator.random(6000)
    second = first + generator.random(6000)
    found = correlate_ranks(
        first, second, np.arange(6000) // 2, resampling=Resampling(n_resamples=900), name="ranks"
    )
    assert found.value == pytest.approx(spearmanr(first, second).statistic)
    assert found.value is not None
    # Bonett and Wright: the standard error of the transform is root((1 + r² / 2) / (n - 3)).
    half = 1.96 * ((1 + found.value**2 / 2) / 5997) ** 0.5
    low, high = np.tanh(np.arctanh(found.value) + np.array([-half, half]))
    assert found.low == pytest.approx(low, abs=0.004)
    assert found.high == pytest.approx(high, abs=0.004)


@settings(max_examples=15)
@given(data=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=12))
def test_kappa_is_as_elsewhere(make_grades: MakeGrades, data: list[tuple[bool, bool]]) -> None:
    first, second = zip(*data, strict=True)
    table = make_grades(
        {"sample_id": f"s{n}", "judge": judge, "correct": verdict}
        for judge, verdicts in (("a", first), ("b", second))
        for n, verdict in enumerate(verdicts)
    )
    (row,) = measure_judge_agreement(arrange_grades(table), resampling=Resampling(n_resamples=20))
    if len(set(first) | set(second)) == 1:
        assert row.kappa.value is None
    else:
        assert row.kappa.value == pytest.approx(cohen_kappa_score(first, second))
