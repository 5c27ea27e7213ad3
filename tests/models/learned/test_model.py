"""Learned models find planted biases, find none where there is none, and never see their target."""

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.stats import binom

from video_oasis.errors import UnknownNameError
from video_oasis.media.frames import ReadPicture
from video_oasis.models.interface import FittedModel
from video_oasis.models.learned import model as model_module
from video_oasis.models.learned import open_model
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Sample, Trial

MakeSample = Callable[..., Sample]
BlindTrials = Callable[[Sequence[Sample]], list[Trial]]
Accuracy = Callable[[str, Sequence[Sample]], float]

NO_PICTURES: ReadPicture = dict[str, bytes]().__getitem__
LEARNERS = ["logistic", "forest", "neighbours"]
NOUNS = ["cup", "ball", "door", "lamp", "coat", "book", "dog", "car", "tree", "shoe", "box", "hat"]


def model(name: str) -> FittedModel:
    return open_model(name, ModelSettings())


def effects(name: str, trials: Sequence[Trial]) -> dict[str, float]:
    return {
        finding.feature: finding.effect
        for finding in model(name).answer_all(trials, NO_PICTURES).findings
    }


def draw_unbiased(make_sample: MakeSample, seed: int) -> list[Sample]:
    draw = random.Random(seed)
    return [
        make_sample(
            number,
            draw.sample(NOUNS, 4),
            draw.randrange(4),
            question=f"What does {draw.choice(['she', 'he'])} move in room {draw.randrange(9)}?",
            video=f"v{number // 2}",
            task=f"t{number % 2}",
        )
        for number in range(400)
    ]


@pytest.fixture(autouse=True, scope="module")
def one_draw() -> Iterator[None]:
    """Split once, which costs a sixth; what several splits change has tests of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_module, "count_draws", lambda _n_trials: 1)
        yield


@pytest.fixture(scope="module")
def unbiased(make_sample: MakeSample) -> list[Sample]:
    """Four options and a right one, drawn without regard to anything."""
    return draw_unbiased(make_sample, 5)


@pytest.mark.parametrize(("name", "n_draws"), [("logistic", 5), ("forest", 2), ("neighbours", 8)])
def test_random_targets_stay_at_chance(
    name: str, n_draws: int, make_sample: MakeSample, accuracy: Accuracy
) -> None:
    # Several draws, since folds that are stratified by the answer err by three points only.
    n_samples = 400 * n_draws
    right = sum(
        round(400 * accuracy(name, draw_unbiased(make_sample, seed))) for seed in range(n_draws)
    )
    assert binom.ppf(0.0005, n_samples, 0.25) <= right <= binom.ppf(0.9995, n_samples, 0.25)


@pytest.mark.parametrize("name", ["logistic", "forest"])
def test_random_targets_give_nothing_to_tell(
    name: str, unbiased: list[Sample], blind_trials: BlindTrials
) -> None:
    assert model(name).answer_all(blind_trials(unbiased), NO_PICTURES).findings == []


@pytest.mark.parametrize("name", LEARNERS)
def test_option_text_prior(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials, accuracy: Accuracy
) -> None:
    draw = random.Random(1)
    samples = []
    for number in range(200):
        choices = [*draw.sample(NOUNS, 2), "not sure"]
        draw.shuffle(choices)
        target = choices.index("not sure") if number % 20 == 0 else None
        if target is None:
            target = next(i for i, choice in enumerate(choices) if choice != "not sure")
        samples.append(make_sample(number, choices, target, question=f"What is in box {number}?"))
    # "Not sure" is wrong in 95 of 100: leaving it out lifts a guess from 1/3 to almost 1/2.
    assert accuracy(name, samples) > 0.42
    if name != "neighbours":
        assert 'not: option is "not sure"' in effects(name, blind_trials(samples))


@pytest.mark.parametrize("name", ["logistic", "forest"])
def test_position(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials, accuracy: Accuracy
) -> None:
    draw = random.Random(2)
    samples = [
        make_sample(number, draw.sample(NOUNS, 4), 1 if number % 3 else 3) for number in range(200)
    ]
    assert accuracy(name, samples) > 0.55  # position B is right in two of three
    found = effects(name, blind_trials(samples))
    assert max(found, key=lambda feature: found[feature]).endswith("position B")


@pytest.mark.parametrize("name", ["logistic", "forest"])
def test_length(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials, accuracy: Accuracy
) -> None:
    draw = random.Random(3)
    letters = "bcdfghjklmnpqrstvwxz"

    def word(length: int) -> str:
        return "".join(draw.choices(letters, k=length))

    samples = []
    for number in range(200):
        target = draw.randrange(4)
        lengths = [14 if choice == target else draw.randint(8, 12) for choice in range(4)]
        samples.append(make_sample(number, [word(length) for length in lengths], target))
    assert accuracy(name, samples) > 0.95
    assert "longest option" in effects(name, blind_trials(samples))


@pytest.mark.parametrize("name", LEARNERS)
def test_answer_that_depends_on_the_question(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials, accuracy: Accuracy
) -> None:
    samples = [
        make_sample(
            number,
            ["2", "3", "4"] if number % 4 < 2 else ["4", "3", "2"],
            0,  # "2" for the first question, "4" for the second
            question="How many begin?" if number % 4 < 2 else "How many end?",
        )
        for number in range(100)
    ]
    assert accuracy(name, samples) > 0.9
    if name != "neighbours":
        assert 'question "how many end" → "4"' in effects(name, blind_trials(samples))


@pytest.mark.parametrize("name", LEARNERS)
def test_right_sequences_that_recur(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials, accuracy: Accuracy
) -> None:
    draw = random.Random(4)
    orders = [" then ".join(draw.sample(NOUNS[:6], 6)) for _ in range(12)]
    assert len(set(orders)) == 12
    samples = []
    for number in range(120):
        right = orders[number % 12]
        steps = right.split(" then ")
        wrong = [" then ".join(draw.sample(steps, 6)) for _ in range(3)]
        target = draw.randrange(4)
        samples.append(make_sample(number, [*wrong[:target], right, *wrong[target:]], target))
    # Orders of the same steps look alike to neighbours.
    assert accuracy(name, samples) > (0.4 if name == "neighbours" else 0.9)
    if name == "logistic":
        assert any(
            feature == f'option is "{order}"'
            for feature in effects(name, blind_trials(samples))
            for order in orders
        )


@pytest.mark.parametrize("name", LEARNERS)
def test_answers_do_not_depend_on_the_order_of_trials(
    name: str, unbiased: list[Sample], blind_trials: BlindTrials
) -> None:
    trials = blind_trials(unbiased[:80])
    shuffled = random.Random(0).sample(trials, len(trials))
    forward = model(name).answer_all(trials, NO_PICTURES)
    backward = model(name).answer_all(shuffled, NO_PICTURES)
    by_sample = {
        trial.sample.id: answer for trial, answer in zip(shuffled, backward.answers, strict=True)
    }
    assert [by_sample[trial.sample.id] for trial in trials] == list(forward.answers)
    assert forward.findings == backward.findings
    assert model(name).describe(trials) == model(name).describe(shuffled)


def test_benchmarks_are_fitted_apart(
    unbiased: list[Sample], make_sample: MakeSample, blind_trials: BlindTrials
) -> None:
    trials = blind_trials(unbiased[:40])
    others = blind_trials(
        [make_sample(number, NOUNS[:4], 2, benchmark="other") for number in range(40)]
    )
    assert (
        model("logistic").answer_all([*others, *trials], NO_PICTURES).answers[40:]
        == model("logistic").answer_all(trials, NO_PICTURES).answers
    )


@pytest.mark.parametrize("name", LEARNERS)
def test_a_sample_is_answered_without_its_own_target(
    name: str, unbiased: list[Sample], make_sample: MakeSample, blind_trials: BlindTrials
) -> None:
    samples = unbiased[:60]

    def with_last(target: int) -> list[Trial]:
        last = make_sample(60, ["cup", "ball", "door"], target, video="v-last")
        return blind_trials([*samples, last])

    first = model(name).answer_all(with_last(0), NO_PICTURES).answers[-1]
    second = model(name).answer_all(with_last(1), NO_PICTURES).answers[-1]
    assert first.letter_probabilities == pytest.approx(second.letter_probabilities)


TINY = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.lists(st.sampled_from(["", "a", "b", "3", "not sure"]), min_size=1, max_size=4),
        st.sampled_from(["", "How many?", "Why?"]),
    ),
    min_size=1,
    max_size=12,
)


@pytest.mark.parametrize("name", LEARNERS)
@settings(deadline=None, max_examples=10)
@example(rows=[(0, [""], ""), (1, [""], "How many?")])
@given(rows=TINY)
def test_tiny_benchmarks_get_probabilities(
    name: str,
    rows: list[tuple[int, list[str], str]],
    make_sample: MakeSample,
    blind_trials: BlindTrials,
) -> None:
    trials = blind_trials(
        [
            make_sample(number, choices, video % len(choices), question=question, video=f"v{video}")
            for number, (video, choices, question) in enumerate(rows)
        ]
    )
    answers = model(name).answer_all(trials, NO_PICTURES).answers
    for trial, answer in zip(trials, answers, strict=True):
        assert answer.text in trial.request.letters
        assert answer.letter_probabilities is not None
        assert len(answer.letter_probabilities) == len(trial.order)
        assert sum(answer.letter_probabilities) == pytest.approx(1)


@pytest.mark.parametrize("name", LEARNERS)
def test_one_video_leaves_nothing_to_learn_from(
    name: str, make_sample: MakeSample, blind_trials: BlindTrials
) -> None:
    trials = blind_trials(
        [make_sample(n, ["yes", "no"], 0, video="v", question=f"Q{n}?") for n in range(10)]
    )
    fitted = model(name).answer_all(trials, NO_PICTURES)
    assert {answer.letter_probabilities for answer in fitted.answers} == {(0.5, 0.5)}
    assert fitted.findings == []
    assert model(name).answer_all([], NO_PICTURES).answers == []


def test_describe_changes_with_any_target(
    unbiased: list[Sample], make_sample: MakeSample, blind_trials: BlindTrials
) -> None:
    first = blind_trials([*unbiased[:5], make_sample(9, ["a", "b"], 0)])
    second = blind_trials([*unbiased[:5], make_sample(9, ["a", "b"], 1)])
    assert model("logistic").describe(first) != model("logistic").describe(second)


def test_unknown_name_suggests_a_near_one() -> None:
    with pytest.raises(UnknownNameError, match="did you mean forest"):
        model("forrest")
