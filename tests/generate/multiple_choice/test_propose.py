"""Proposals keep answers even, so that text gives away nothing a naive draw does."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import pytest

from video_oasis.benchmarks.interface import Contents
from video_oasis.errors import SettingsError
from video_oasis.generate.multiple_choice.asked import REPEATED
from video_oasis.generate.multiple_choice.propose import Proposal, propose
from video_oasis.generate.multiple_choice.task import PRUNED, TASK_TOO_SMALL
from video_oasis.generate.multiple_choice.variants import are_variants, reduce_answer
from video_oasis.generate.tvbench.gate import GateResult, GateRow
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.lint.bias import Rule, tabulate_bias
from video_oasis.lint.run import lint
from video_oasis.schema import OpenQuestion

SETTINGS = TVBenchSettings(gate_learners=("logistic",), gate_permutations=10)
RULES_ONLY = replace(SETTINGS, gate_learners=())


@pytest.fixture(scope="module")
def proposal(captions: Contents) -> Proposal:
    return propose(captions, 4, 0, SETTINGS)


def test_no_rule_of_the_lint_is_above_chance(proposal: Proposal) -> None:
    assert len(proposal.samples) > 250
    rows = tabulate_bias(proposal.samples)
    assert tuple(rows) == proposal.bias_after
    assert [row for row in rows if row.exceeds_chance] == []
    assert proposal.given_away == ()
    for task in proposal.tasks:
        assert task.after is None or task.after.is_open
    result = lint(proposal.samples)
    assert {row.benchmark for row in result.imbalance} == {"captions"}
    assert not any(row.p_value is not None and row.p_value < 0.05 for row in result.imbalance)


def test_a_naive_draw_is_given_away(proposal: Proposal) -> None:
    above = {(row.task, row.rule) for row in proposal.bias_before if row.exceeds_chance}
    assert {(None, Rule.ANSWER_ELSEWHERE), ("what", Rule.ANSWER_ELSEWHERE)} <= above
    assert ("who", Rule.ANSWER_ELSEWHERE) in above
    before = {task.task: task.before for task in proposal.tasks}
    assert before["what"] is not None
    assert {"text: answer elsewhere", "text: learned/logistic"} <= before["what"].too_high


def test_rules_by_length_are_exactly_at_chance(proposal: Proposal) -> None:
    for row in proposal.bias_after:
        if row.rule in {Rule.LONGEST, Rule.SHORTEST}:
            assert row.score == pytest.approx(row.chance)


def test_positions_are_exactly_even(proposal: Proposal) -> None:
    for task in proposal.tasks:
        for n_choices in (2, 4):
            places = Counter(
                sample.target for sample in task.samples if len(sample.choices) == n_choices
            )
            assert len(set(places.values())) <= 1
            assert len(places) in {0, n_choices}


def test_every_text_is_right_in_its_share(proposal: Proposal) -> None:
    for task in proposal.tasks:
        offered = Counter(choice for sample in task.samples for choice in sample.choices)
        right = Counter(sample.choices[sample.target] for sample in task.samples)
        size = {c: len(sample.choices) for sample in task.samples for c in sample.choices}
        assert {text: n * size[text] for text, n in right.items()} == offered


def test_wrong_choices_are_answers_of_the_same_task_and_no_variants(
    proposal: Proposal, captions: Contents
) -> None:
    originals = {question.id: question for question in captions.open_questions}
    references: dict[str, set[str]] = {}
    of_clip: dict[str, set[str]] = {}
    for question in captions.open_questions:
        references.setdefault(question.task, set()).add(question.reference)
        of_clip.setdefault(question.video.path, set()).add(question.reference)
    for sample in proposal.samples:
        original = originals[sample.id]
        right = sample.choices[sample.target]
        assert right == original.reference
        assert (sample.question, sample.video) == (original.question, original.video)
        assert sample.metadata["split"] == "test"
        assert sample.metadata["question_kind"]
        wrong = set(sample.choices) - {right}
        assert len(wrong) == len(sample.choices) - 1
        assert wrong <= references[sample.task]
        for choice in wrong:
            assert not are_variants(reduce_answer(choice), reduce_answer(right))
        if right in {"yes", "no"}:
            assert set(sample.choices) == {"yes", "no"}
        else:
            assert len(sample.choices) == 4
            assert sample.question.endswith("doing?") or not wrong & of_clip[sample.video.path]


def test_all_questions_are_accounted_for(proposal: Proposal, captions: Contents) -> None:
    assert sum(task.n_questions for task in proposal.tasks) == 600
    for task in proposal.tasks:
        n_open = sum(question.task == task.task for question in captions.open_questions)
        assert len(task.samples) + sum(task.left_out.values()) == n_open
    n_repeated = sum(task.left_out.get(REPEATED, 0) for task in proposal.tasks)
    assert sum(kind.n_questions for kind in proposal.kinds) == 600 - n_repeated
    assert sum(kind.n_proposed for kind in proposal.kinds) == len(proposal.samples)


def test_the_seed_decides(captions: Contents) -> None:
    first = propose(captions, 4, 0, RULES_ONLY)
    turned = replace(captions, open_questions=captions.open_questions[::-1])
    assert propose(turned, 4, 0, RULES_ONLY) == first
    assert propose(captions, 4, 1, RULES_ONLY).samples != first.samples


def test_number_of_choices(captions: Contents) -> None:
    three = propose(captions, 3, 0, RULES_ONLY)
    assert {len(sample.choices) for sample in three.samples} == {2, 3}


def test_what_stays_above_chance_is_said_and_not_pruned(
    ask: Callable[..., OpenQuestion], contain: Callable[..., Contents]
) -> None:
    # Every question names its answer and no other: no draw and no pruning can help.
    texts = ("red", "blue", "green", "pink")
    questions = [
        ask(n, f"why is the {texts[n % 4]} ball {n} hit?", texts[n % 4]) for n in range(80)
    ]
    proposal = propose(contain(*questions), 4, 0, RULES_ONLY)
    (task,) = proposal.tasks
    assert task.n_attempts == RULES_ONLY.gate_attempts
    assert task.left_out == {}
    assert len(task.samples) == 80
    assert task.n_pruned_in_vain == 40
    assert task.after is not None
    assert {row.n for row in task.after.rows} == {80}
    assert set(proposal.given_away) == {
        "captions, all tasks: lint: question overlap scores 100.0 %, +75.0 points from chance",
        "captions, t: text: question overlap scores 100.0 %, +75.0 points from chance",
    }
    assert proposal.pruned_in_vain == (
        "captions, t: it stays so without the 40 questions that are given away most; none was "
        "taken out",
    )


def test_pruning_that_helps_by_half_is_kept(
    ask: Callable[..., OpenQuestion], contain: Callable[..., Contents]
) -> None:
    # Sixty of a hundred questions name their answer: no half of them all is without.
    texts = ("red", "blue", "green", "pink")
    questions = [
        ask(n, f"why is the {texts[n % 4]} ball {n} hit?", texts[n % 4])
        if n < 60
        else ask(n, f"where is number {n} of them?", texts[n % 4])
        for n in range(100)
    ]
    proposal = propose(contain(*questions), 4, 0, RULES_ONLY)
    (task,) = proposal.tasks
    # 60 rightly and 40 by guessing are 70 %; of 52 left, 12 and 40 are 22 of 52, or 42.3 %.
    assert task.left_out == {PRUNED: 48}
    assert task.n_pruned_in_vain == 0
    assert (
        "captions, t: text: question overlap scores 42.3 %, +17.3 points from chance"
        in proposal.given_away
    )
    assert proposal.pruned_in_vain == ()


def test_a_score_below_chance_is_held_against_answers_dealt_out_anew(proposal: Proposal) -> None:
    (task,) = (task for task in proposal.tasks if task.task == "who")
    assert task.after is not None
    row = GateRow(
        predictor="text: learned/logistic",
        n=40,
        score=0.2,
        chance=0.25,
        p_chance=None,
        p_permuted=0.00042,
        is_too_high=True,
    )
    rule = replace(row, predictor="text: longest", score=0.5, p_chance=0.001, p_permuted=0.02)
    given_away = replace(
        proposal,
        tasks=(replace(task, after=GateResult((row, rule), (0.0,) * 40)),),
        bias_after=(),
    ).given_away
    assert given_away == (
        "captions, who: text: learned/logistic scores 20.0 %, higher than when the answers are "
        "dealt out anew (p = 0.00042; chance is 25.0 %)",
        "captions, who: text: longest scores 50.0 %, +25.0 points from chance",
    )


def test_pruning_takes_what_is_given_away(
    ask: Callable[..., OpenQuestion], contain: Callable[..., Contents]
) -> None:
    # Of a hundred questions, twenty name their answer; kinds keep these together.
    texts = ("red", "blue", "green", "pink")
    questions = [
        ask(n, f"why is the {texts[n % 4]} ball {n} hit?", texts[n % 4])
        if n < 20
        else ask(n, f"where is number {n} of them?", texts[n % 4])
        for n in range(100)
    ]
    proposal = propose(contain(*questions), 4, 0, RULES_ONLY)
    (task,) = proposal.tasks
    assert task.after is not None
    assert task.after.is_open
    assert proposal.given_away == ()
    # Five blocks name their answers; three rounds of two blocks each take them and one more. (One
    # alone would show: it is one of 24 ways to deal its answers out.)
    assert task.left_out[PRUNED] == 24
    assert not any(sample.choices[sample.target] in sample.question for sample in task.samples)


def test_small_tasks_are_left_out(
    ask: Callable[..., OpenQuestion], contain: Callable[..., Contents]
) -> None:
    questions = [
        ask(n, f"who is number {n}?", ("man", "cat", "dog", "pig")[n % 4]) for n in range(12)
    ]
    proposal = propose(contain(*questions), 4, 0, RULES_ONLY)
    assert proposal.samples == ()
    assert proposal.bias_after == ()
    assert proposal.tasks[0].left_out == {TASK_TOO_SMALL: 12}
    kept = propose(contain(*questions), 4, 0, replace(RULES_ONLY, min_questions=12))
    assert len(kept.samples) == 12


@pytest.mark.parametrize("n_choices", [1, 27])
def test_impossible_numbers_of_choices(n_choices: int, captions: Contents) -> None:
    with pytest.raises(SettingsError, match=rf"number of choices is {n_choices}; expected 2 to 26"):
        propose(captions, n_choices, 0, RULES_ONLY)


def test_a_set_without_open_questions(contain: Callable[..., Contents]) -> None:
    with pytest.raises(SettingsError, match="captions: no open question to give choices to"):
        propose(contain(), 4, 0, RULES_ONLY)
