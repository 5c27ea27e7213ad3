"""What stands, and what it comes to."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.judgements.standing import DecisionRule, decide, list_conflicts, list_standing

Judge = Callable[..., Judgement]
KEY = ("bench", "s1")

ANY_JUDGEMENT = st.builds(
    lambda decision, sample, reviewer, check, minute: Judgement(
        benchmark="bench",
        sample_id=sample,
        reviewer=reviewer,
        check=check,
        decision=decision,
        choice=1 if decision is Decision.CORRECT else None,
        note="why",
        made_at=datetime(2026, 11, 30, tzinfo=UTC) + timedelta(minutes=minute),
    ),
    st.sampled_from(list(Decision)),
    st.sampled_from(["s1", "s2"]),
    st.sampled_from(["ann", "bob", "cy"]),
    st.sampled_from(["", "redundancy"]),
    st.integers(0, 5),
)


def test_the_latest_of_each_reviewer_stands_whatever_the_check(judge: Judge) -> None:
    first = judge("keep", check="consistency")
    second = judge("ambiguous", minute=2, check="redundancy")
    bobs = judge("skip", reviewer="bob", minute=1)
    assert list_standing([second, bobs, first]) == (second, bobs)


def test_undo_restores_the_one_before_under_the_same_check(judge: Judge) -> None:
    first = judge("keep", check="consistency")
    second = judge("ambiguous", minute=1, check="redundancy")
    undo_second = judge("withdraw", minute=2, check="redundancy")
    undo_first = judge("withdraw", minute=3, check="consistency")
    assert list_standing([first, second, undo_second]) == (first,)
    assert list_standing([first, second, undo_second, undo_first]) == ()
    assert list_standing([first, second, undo_first]) == (second,)


def test_an_undo_of_nothing_and_another_ones_undo_change_nothing(judge: Judge) -> None:
    made = judge("keep")
    assert list_standing([judge("withdraw", minute=-1), made]) == (made,)
    assert list_standing([made, judge("withdraw", minute=1, reviewer="bob")]) == (made,)


def test_a_judgement_can_be_undone_within_one_tick_of_the_clock(judge: Judge) -> None:
    assert list_standing([judge("withdraw"), judge("keep")]) == ()


@given(st.lists(ANY_JUDGEMENT, max_size=12), st.randoms(use_true_random=False))
def test_neither_order_nor_repetition_matters(
    made: list[Judgement], generator: random.Random
) -> None:
    shuffled = made + made[:3]
    generator.shuffle(shuffled)
    assert list_standing(shuffled) == list_standing(made)
    for rule in DecisionRule:
        assert decide(shuffled, rule) == decide(list_standing(made), rule)


@given(st.lists(ANY_JUDGEMENT, max_size=12), ANY_JUDGEMENT)
def test_undoing_the_latest_restores_what_stood(made: list[Judgement], last: Judgement) -> None:
    at = datetime(2026, 12, 1, tzinfo=UTC)
    decision = Decision.KEEP if last.decision is Decision.WITHDRAW else last.decision
    choice = 1 if decision is Decision.CORRECT else None
    place = (last.benchmark, last.sample_id, last.reviewer, last.check)
    latest = Judgement(*place, decision, choice, "why", at)
    undo = Judgement(*place, Decision.WITHDRAW, None, "", at + timedelta(seconds=1))
    assert list_standing([*made, latest, undo]) == list_standing(made)
    assert latest in list_standing([*made, latest])


@pytest.mark.parametrize(
    ("opinions", "decided"),
    [
        # opinions of ann, bob, cy, dan; then what any, two, majority and unanimous decide
        (["keep"], ["keep", None, "keep", None]),
        (["keep", "keep"], ["keep"] * 4),
        (["keep", "skip"], ["keep", None, "keep", None]),
        (["keep", "keep", "skip"], ["keep", "keep", "keep", None]),
        (["keep", "ambiguous"], [None] * 4),
        (["keep", "keep", "ambiguous"], [None, None, "keep", None]),
        (["keep", "keep", "ambiguous", "restore"], [None] * 4),
        (["ambiguous", "wrong_label"], ["wrong_label"] * 4),
        (["ambiguous", "wrong_label", "ambiguous"], ["ambiguous"] * 4),
        (["skip", "skip"], [None] * 4),
    ],
)
def test_each_rule_decides_as_it_says(
    judge: Judge, opinions: Sequence[str], decided: Sequence[str | None]
) -> None:
    made = [
        judge(opinion, reviewer=reviewer)
        for opinion, reviewer in zip(opinions, ("ann", "bob", "cy", "dan"), strict=False)
    ]
    assert [decide(made, rule)[KEY].decision for rule in DecisionRule] == decided


def test_corrections_agree_only_on_the_choice(judge: Judge) -> None:
    ann = judge("correct", choice=2)
    bob = judge("correct", choice=2, reviewer="bob")
    cy = judge("correct", choice=0, reviewer="cy")
    ruling = decide([ann, bob], DecisionRule.TWO)[KEY]
    assert (ruling.decision, ruling.choice) == (Decision.CORRECT, 2)
    outvoted = decide([ann, bob, cy], DecisionRule.MAJORITY)[KEY]
    assert outvoted.choice == 2
    assert outvoted.reviewers_for == ("ann", "bob")
    assert outvoted.reviewers_against == ("cy",)
    assert outvoted.is_conflict
    assert decide([ann, cy], DecisionRule.ANY)[KEY].decision is None


def test_a_ruling_keeps_every_reason_of_those_in_favour(judge: Judge) -> None:
    made = [
        judge("other", note="too dark"),
        judge("wrong_label", reviewer="bob"),
        judge("keep", reviewer="cy"),
    ]
    ruling = decide(made, DecisionRule.MAJORITY)[KEY]
    assert ruling.reasons == (Decision.WRONG_LABEL, Decision.OTHER)
    assert decide(made, DecisionRule.ANY)[KEY].reasons == ()
    assert decide(made, DecisionRule.ANY)[KEY].reviewers_against == ("ann", "bob", "cy")


def test_conflicts_are_opinions_that_come_to_different_things(judge: Judge) -> None:
    made = [
        judge("ambiguous"), judge("wrong_label", reviewer="bob"),
        judge("keep", sample="s2"), judge("skip", sample="s2", reviewer="bob"),
        judge("keep", sample="s3"), judge("restore", sample="s3", reviewer="bob"),
    ]  # fmt: skip
    assert list_conflicts(made) == (("bench", "s3"),)
