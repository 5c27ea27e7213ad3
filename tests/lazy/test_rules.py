"""The lazy rules: one by one or in rounds, stopped anywhere, always the full plan's verdicts."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.lazy.rules import (
    Tally,
    Vote,
    choose_round,
    find_needed,
    find_out_of_reach,
    find_shortcuts,
)

RIGHT, WRONG, FAILS, OUTSIDE, FITTED_RIGHT = "right", "wrong", "fails", "outside", "fitted right"
OUTCOMES = (RIGHT, WRONG, FAILS, OUTSIDE, FITTED_RIGHT)
"""What a question would bring: the last two are never asked."""

Answers = tuple[tuple[str, ...], ...]
"""The outcomes of one sample: for each test those of its models."""


@dataclass(frozen=True)
class World:
    """What every question would bring, and where each sample begins."""

    sizes: tuple[int, ...]
    threshold: int
    samples: tuple[Answers, ...]
    turns: tuple[int, ...]


@st.composite
def worlds(draw: Callable[[st.SearchStrategy[object]], object]) -> World:
    seed = draw(st.integers(0, 2**32))
    shape = random.Random(str(seed))
    sizes = tuple(shape.randint(1, 5) for _ in range(shape.randint(1, 5)))
    weights = [shape.random() + 0.01 for _ in OUTCOMES]
    n_samples = shape.randint(1, 60)
    return World(
        sizes=sizes,
        threshold=shape.randint(1, max(sizes) + 1),
        samples=tuple(
            tuple(tuple(shape.choices(OUTCOMES, weights, k=size)) for size in sizes)
            for _ in range(n_samples)
        ),
        turns=tuple(shape.randrange(100) for _ in range(n_samples)),
    )


def judge(answers: Answers, threshold: int) -> bool | None:
    """Say whether a sample is a shortcut when every question was asked; None if unknown."""
    n_right = [sum("right" in answer for answer in test) for test in answers]
    if max(n_right) >= threshold:
        return True
    for test in answers:
        applies = any(answer != OUTSIDE for answer in test)
        if applies and len(test) - test.count(WRONG) >= threshold:
            return None
    return False


def ask_one_by_one(answers: Answers, threshold: int, turn: int) -> set[tuple[int, int]]:
    """Ask one sample's questions one after the other, as long as they matter."""
    asked: set[tuple[int, int]] = set()
    for number, test in enumerate(answers):
        known = [answer for answer in test if answer == FITTED_RIGHT]
        others = sum(row.count(FITTED_RIGHT) >= threshold for row in answers)
        for step in range(len(test)):
            model = (turn + step) % len(test)
            out_of_reach = len(test) - known.count(WRONG) < threshold
            if others or known.count(RIGHT) + known.count(FITTED_RIGHT) >= threshold:
                return asked
            if test[model] in (RIGHT, WRONG, FAILS) and not out_of_reach:
                asked.add((number, model))
                known.append(test[model])
        if known.count(RIGHT) + known.count(FITTED_RIGHT) >= threshold:
            return asked
    return asked


def open_tally(world: World) -> Tally:
    ends = list(accumulate(world.sizes))
    tests = tuple(slice(end - size, end) for end, size in zip(ends, world.sizes, strict=True))
    first = {OUTSIDE: Vote.LACKING, FITTED_RIGHT: Vote.RIGHT}
    votes = [
        [first.get(answer, Vote.OPEN) for test in answers for answer in test]
        for answers in world.samples
    ]
    return Tally(np.array(votes, np.int8).T.copy(), tests, world.threshold)


def answer(world: World, tally: Tally, questions: Sequence[tuple[int, int]]) -> None:
    came = {RIGHT: Vote.RIGHT, WRONG: Vote.WRONG, FAILS: Vote.LACKING}
    for slot, sample in questions:
        flat = [each for test in world.samples[sample] for each in test]
        tally.votes[slot, sample] = came[flat[slot]]


def choose(tally: Tally, world: World) -> list[tuple[int, int]]:
    chosen = choose_round(tally, np.array(world.turns, np.int64))
    return [(int(slot), int(sample)) for slot, sample in np.argwhere(chosen)]


def number_slots(world: World, sample: int) -> set[tuple[int, int]]:
    starts = [0, *accumulate(world.sizes)]
    return {
        (starts[test] + model, sample)
        for test, model in ask_one_by_one(
            world.samples[sample], world.threshold, world.turns[sample]
        )
    }


@given(worlds())
def test_rounds_ask_what_asking_one_by_one_would_and_find_the_full_plans_verdicts(
    world: World,
) -> None:
    tally = open_tally(world)
    asked: list[tuple[int, int]] = []
    while questions := choose(tally, world):
        asked += questions
        answer(world, tally, questions)
    assert len(set(asked)) == len(asked)
    assert set(asked) == set().union(
        *(number_slots(world, sample) for sample in range(len(world.samples)))
    )
    assert not find_needed(tally).any()

    shortcuts, out_of_reach = find_shortcuts(tally), find_out_of_reach(tally)
    for sample, answers in enumerate(world.samples):
        applies = [any(each != OUTSIDE for each in test) for test in answers]
        slots = tally.spread(np.array(applies)[:, None].repeat(len(world.samples), axis=1))
        closed = bool(out_of_reach[slots[:, sample], sample].all())
        verdict = True if shortcuts[sample] else (False if closed else None)
        assert verdict is judge(answers, world.threshold)


@given(worlds(), st.randoms(use_true_random=False))
def test_a_run_stopped_anywhere_goes_on_to_the_same_questions(
    world: World, chance: random.Random
) -> None:
    tally = open_tally(world)
    asked: set[tuple[int, int]] = set()
    while questions := choose(tally, world):
        # Of a round that is broken off, any part may have come in.
        came = [each for each in questions if chance.random() < 0.6]
        asked |= set(came)
        answer(world, tally, came)
    assert asked == set().union(
        *(number_slots(world, sample) for sample in range(len(world.samples)))
    )


def make_tally(votes: Sequence[Sequence[Vote]], threshold: int) -> Tally:
    """Make the tally of one sample from each test's votes."""
    ends = list(accumulate(map(len, votes)))
    tests = tuple(slice(end - len(test), end) for end, test in zip(ends, votes, strict=True))
    return Tally(np.array([[v] for test in votes for v in test], np.int8), tests, threshold)


def choose_slots(tally: Tally, turn: int = 0) -> list[int]:
    return np.flatnonzero(choose_round(tally, np.array([turn]))[:, 0]).tolist()


OPEN, YES, NO, LACKING = Vote.OPEN, Vote.RIGHT, Vote.WRONG, Vote.LACKING


def test_so_many_are_asked_at_once_as_a_verdict_takes_at_least() -> None:
    three = [OPEN, OPEN, OPEN]
    assert choose_slots(make_tally([three], 1)) == [0]
    assert choose_slots(make_tally([three], 2)) == [0, 1]
    assert choose_slots(make_tally([three], 3)) == [0]
    assert choose_slots(make_tally([[YES, NO, OPEN]], 2)) == [2]
    assert choose_slots(make_tally([[OPEN] * 5], 3)) == [0, 1, 2]


def test_the_sample_says_which_model_begins() -> None:
    tally = make_tally([[OPEN, OPEN, OPEN]], 3)
    assert [choose_slots(tally, turn) for turn in range(4)] == [[0], [1], [2], [0]]


def test_the_next_test_waits_until_one_is_decided_or_has_been_asked_in_full() -> None:
    assert choose_slots(make_tally([[YES, OPEN], [OPEN, OPEN]], 2)) == [1]
    assert choose_slots(make_tally([[NO, OPEN], [OPEN, OPEN]], 2)) == [2]
    assert choose_slots(make_tally([[YES, LACKING], [OPEN, OPEN]], 2)) == [2]
    assert choose_slots(make_tally([[YES, YES], [OPEN, OPEN]], 2)) == []


def test_an_answer_in_vain_leaves_the_rest_of_its_test_to_be_asked() -> None:
    # Two of three cannot be right any more, but the test is known to fail only with a wrong one.
    assert choose_slots(make_tally([[LACKING, OPEN, OPEN]], 3)) == [1]
    assert choose_slots(make_tally([[LACKING, YES, OPEN]], 3)) == [2]
    assert choose_slots(make_tally([[LACKING, NO, OPEN]], 3)) == []


def test_a_test_of_too_few_models_is_not_asked() -> None:
    assert choose_slots(make_tally([[OPEN, OPEN], [OPEN] * 3], 3)) == [2]
