"""Agreement of reviewers, against values worked out by hand."""

from collections.abc import Callable, Sequence

import pytest

from video_oasis.judgements.agreement import measure_agreement
from video_oasis.judgements.judgement import Judgement

Judge = Callable[..., Judgement]
REVIEWERS = ("ann", "bob", "cy")


@pytest.fixture
def judge_all(judge: Judge) -> Callable[[Sequence[Sequence[str]]], list[Judgement]]:
    """Make judgements from each sample's decisions by reviewer; an empty one is none."""

    def make(rows: Sequence[Sequence[str]]) -> list[Judgement]:
        return [
            judge(decision, sample=f"s{number}", reviewer=reviewer)
            for number, row in enumerate(rows)
            for reviewer, decision in zip(REVIEWERS, row, strict=False)
            if decision
        ]

    return make


JudgeAll = Callable[[Sequence[Sequence[str]]], list[Judgement]]


def test_two_reviewers_of_a_known_table(judge_all: JudgeAll) -> None:
    # 20 both keep, 5 and 10 differ, 15 both drop. Same: 35 / 50. By chance 25/50 x 30/50 +
    # 25/50 x 20/50 = 0.5, so kappa is 0.2 / 0.5. Of 100 opinions 55 keep and 45 drop, and 15
    # samples differ: alpha is 1 - 99 x 15 / (55 x 45).
    rows = (
        [["keep", "keep"]] * 20 + [["keep", "ambiguous"]] * 5
        + [["ambiguous", "keep"]] * 10 + [["ambiguous", "ambiguous"]] * 15
    )  # fmt: skip
    decision, outcome = measure_agreement(judge_all(rows))
    assert (decision.split, outcome.split) == ("decision", "outcome")
    assert decision.statistic == "cohen"
    assert (decision.n_samples, decision.n_reviewers) == (50, 2)
    assert decision.same == pytest.approx(0.7)
    assert decision.kappa == pytest.approx(0.4)
    assert decision.alpha == pytest.approx(0.4)
    # The standard error of the share is sqrt(0.7 x 0.3 / 50) = 0.065.
    assert decision.same_low == pytest.approx(0.7 - 1.96 * 0.065, abs=0.03)
    assert decision.same_high == pytest.approx(0.7 + 1.96 * 0.065, abs=0.03)
    assert decision.kappa_low is not None
    assert decision.alpha_high is not None
    # That of kappa is about 0.13.
    assert decision.kappa_low == pytest.approx(0.4 - 1.96 * 0.13, abs=0.06)
    assert decision.alpha_high == pytest.approx(0.4 + 1.96 * 0.13, abs=0.06)


def test_three_reviewers_of_a_known_table(judge_all: JudgeAll) -> None:
    # Pairs that agree: 1, 1/3, 1, 1/3, on average 2/3; half of the opinions keep, so chance is 1/2
    # and kappa (2/3 - 1/2) / (1/2). Each mixed sample has one coincidence each way: alpha is
    # 1 - 11 x 2 / (6 x 6).
    rows = [
        ["keep", "keep", "keep"], ["keep", "keep", "restore"],
        ["restore", "restore", "restore"], ["keep", "restore", "restore"],
    ]  # fmt: skip
    decision, outcome = measure_agreement(judge_all(rows))
    assert decision.statistic == "fleiss"
    assert decision.same == pytest.approx(2 / 3)
    assert decision.kappa == pytest.approx(1 / 3)
    assert decision.alpha == pytest.approx(7 / 18)
    assert outcome.kappa == decision.kappa


def test_samples_with_one_opinion_are_left_out(judge_all: JudgeAll) -> None:
    rows = [["keep", "keep"], ["restore", ""], ["restore", "skip"], ["restore", "restore"]]
    decision, _ = measure_agreement(judge_all(rows))
    assert decision.n_samples == 2
    assert decision.kappa == 1
    assert measure_agreement(judge_all([["keep", ""], ["", "keep"]])) == ()
    assert measure_agreement([]) == ()


def test_reasons_to_drop_are_one_outcome_and_so_are_keeping_and_correcting(
    judge_all: JudgeAll, judge: Judge
) -> None:
    made = judge_all([["ambiguous", "wrong_label"], ["restore", "restore"], ["keep", "keep"]])
    made += [
        judge("correct", choice=1, sample="c"),
        judge("correct", choice=2, sample="c", reviewer="bob"),
    ]
    decision, outcome = measure_agreement(made)
    assert decision.same == 0.5
    assert outcome.same == 1
    # Four of four: the one-sided bound at 2.5 % is its fourth root.
    assert outcome.same_low == pytest.approx(0.025**0.25)
    assert outcome.same_high == 1
    assert (outcome.kappa, outcome.alpha) == (1, 1)
    assert (outcome.kappa_low, outcome.alpha_high) == (None, None)


def test_where_everyone_always_decides_the_same_there_is_nothing_beyond_chance(
    judge_all: JudgeAll,
) -> None:
    decision, _ = measure_agreement(judge_all([["keep", "keep"]] * 3))
    assert decision.same == 1
    assert (decision.kappa, decision.alpha) == (None, None)


def test_opposed_reviewers_agree_less_than_by_chance(judge_all: JudgeAll) -> None:
    # Chance 1/2, same 0: kappa -1. Four opinions, 2 and 2, two samples differ: 1 - 3 x 2 / 4.
    decision, _ = measure_agreement(judge_all([["keep", "restore"], ["restore", "keep"]]))
    assert decision.same == 0
    assert decision.same_high == pytest.approx(1 - 0.025**0.5)
    assert decision.kappa == pytest.approx(-1)
    assert decision.alpha == pytest.approx(-0.5)


def test_the_order_of_the_judgements_does_not_matter(judge_all: JudgeAll) -> None:
    made = judge_all([["keep", "restore"], ["keep", "keep"], ["ambiguous", "ambiguous"]])
    assert measure_agreement(made) == measure_agreement(made[::-1])
