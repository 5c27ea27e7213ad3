"""The gate finds planted give-aways, and none in even answers drawn at random."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from video_oasis.generate.tvbench.checks import find_faults, find_imbalances
from video_oasis.generate.tvbench.gate import GateInput, GateResult, measure_giveaways
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import Sample, Video

SETTINGS = TVBenchSettings(gate_learners=("neighbours",), gate_permutations=20)
CHOICES = ("left", "right", "up")
Pick = Callable[[int], int]


def make_inputs(
    target: Pick, *, word: Pick = lambda _: 0, seconds: Pick | None = None, n: int = 150
) -> list[GateInput]:
    """Ask about n videos; choices are turned on from question to question."""
    inputs = []
    for number in range(n):
        order = [(place + number) % 3 for place in range(3)]
        sample = Sample(
            id=f"s{number * 7919 % 1009:04d}",
            benchmark="b",
            video=Video(f"v{number}"),
            question=f"Where does the {('cup', 'jug', 'pan')[word(number)]} go?",
            choices=tuple(CHOICES[index] for index in order),
            target=order.index(target(number)),
            task="t",
        )
        inputs.append(GateInput(sample, None if seconds is None else float(seconds(number))))
    return inputs


def too_high(result: GateResult) -> set[str]:
    return {row.predictor for row in result.rows if row.is_too_high}


def even(number: int) -> int:
    """Return answers that are even in every three questions, in an order drawn by dice."""
    return int(np.random.default_rng(number // 3).permutation(3)[number % 3])


def test_even_random_answers_pass() -> None:
    result = measure_giveaways(
        make_inputs(even, word=lambda n: n % 3, seconds=lambda n: n * 31 % 17), SETTINGS
    )
    assert too_high(result) == set()
    assert result.is_open
    assert set(result.giveaway) == {0.0}
    names = {row.predictor for row in result.rows}
    assert {"text: longest", "text: learned/neighbours", "clip length: learned/neighbours"} <= names
    assert not any(name.startswith("video length") for name in names)  # none is known


def test_a_frequent_answer_is_found_by_rules() -> None:
    result = measure_giveaways(make_inputs(lambda n: 0 if n % 5 < 3 else even(n)), SETTINGS)
    assert {"text: top answer", "text: answer elsewhere"} <= too_high(result)


def test_a_telling_question_is_found_by_learned_models() -> None:
    # Every answer is right as often, but the thing asked about tells in two of three cases.
    def target(number: int) -> int:
        return number % 3 if number % 9 < 6 else even(number)

    settings = replace(SETTINGS, gate_learners=("logistic", "neighbours"))
    result = measure_giveaways(make_inputs(target, word=lambda n: n % 3, n=90), settings)
    assert {"text: learned/logistic", "text: learned/neighbours"} <= too_high(result)
    assert "text: top answer" not in too_high(result)
    assert not result.is_open
    # Questions that are answered give themselves away more than those that are not.
    told = [g for n, g in enumerate(result.giveaway) if n % 9 < 6]
    others = [g for n, g in enumerate(result.giveaway) if n % 9 >= 6]
    assert np.mean(told) > np.mean(others)


def test_a_telling_clip_length_is_found() -> None:
    result = measure_giveaways(make_inputs(even, seconds=lambda n: 10 * even(n) + n % 7), SETTINGS)
    assert "clip length: learned/neighbours" in too_high(result)
    assert "text: learned/neighbours" not in too_high(result)


def test_the_tasks_own_rules_count() -> None:
    inputs = make_inputs(even)
    truth = {each.sample.id: each.sample.target for each in inputs}

    def pick_the_truth(samples: Sequence[Sample]) -> list[float]:
        return [float(sample.target == truth[sample.id]) for sample in samples]

    result = measure_giveaways(inputs, SETTINGS, rules={"oracle": pick_the_truth})
    assert too_high(result) == {"text: oracle"}


def test_the_odd_one_out_is_found() -> None:
    # The right order differs by one swap from each wrong one, which differ from each other by more.
    steps = ("take the jug", "fill it", "pour it", "rinse it", "dry it", "put it away")
    swaps = ((0, 1), (2, 3), (4, 5))
    inputs = []
    for number in range(60):
        right = [steps[i] for i in np.random.default_rng(number).permutation(6)]
        choices = [", ".join(right)]
        for first, second in swaps:
            other = list(right)
            other[first], other[second] = other[second], other[first]
            choices.append(", ".join(other))
        target = number % 4
        choices[0], choices[target] = choices[target], choices[0]
        inputs.append(
            GateInput(
                Sample(
                    id=f"s{number:02d}",
                    benchmark="b",
                    video=Video(f"v{number}"),
                    question="In which order?",
                    choices=tuple(choices),
                    target=target,
                    task="t",
                )
            )
        )
    settings = TVBenchSettings(gate_learners=(), gate_permutations=20)
    assert too_high(measure_giveaways(inputs, settings)) == {"text: most like the others"}


@pytest.fixture
def even_samples() -> list[Sample]:
    return [each.sample for each in make_inputs(lambda n: (n + n // 3) % 3, n=9)]


def test_checks_of_what_is_even(even_samples: list[Sample]) -> None:
    assert find_imbalances(even_samples) == []
    assert find_faults(even_samples) == []
    (last,) = {even_samples[-1].choices[even_samples[-1].target]}
    found = find_imbalances(even_samples[:-1])
    assert f"'{last}' is offered 8 times and right 2 times" in found
    assert len(found) == 3  # every text is offered 8 times, which no third of is whole


def test_checks_of_questions(even_samples: list[Sample]) -> None:
    faults = find_faults([*even_samples, even_samples[0]])
    assert len(faults) == 2  # the id, and the question
    assert faults[0].startswith("id ")
    assert "is asked 2 times of the same clip" in faults[1]


def test_exact_balance_within_questions_is_no_give_away() -> None:
    # Six things, each asked about once with each answer: what is left out of a fold tells what
    # is in it, to learners of trees above all, and no reader of the questions has that.
    inputs = []
    for number in range(150):
        block = number // 3
        order = [(place + block) % 3 for place in range(3)]
        sample = Sample(
            id=f"s{number * 7919 % 1009:04d}",
            benchmark="b",
            video=Video(f"v{number}"),
            question=f"Where does thing {block % 6} go?",
            choices=tuple(CHOICES[index] for index in order),
            target=order.index(number % 3),
            task="t",
        )
        inputs.append(GateInput(sample, cell=f"block {block}"))
    settings = replace(SETTINGS, gate_learners=("forest", "neighbours"))
    assert too_high(measure_giveaways(inputs, settings)) == set()


def test_answers_of_a_cell_are_dealt_out_within_it() -> None:
    # The length tells within each pair of one person: dealing within pairs shows it.
    inputs = [
        replace(each, cell=f"block {n // 3}")
        for n, each in enumerate(make_inputs(even, seconds=lambda n: 10 * even(n)))
    ]
    assert "clip length: learned/neighbours" in too_high(measure_giveaways(inputs, SETTINGS))
