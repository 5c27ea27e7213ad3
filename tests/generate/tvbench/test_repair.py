"""Repair makes answers even by dropping the fewest questions, and offers answers that are right."""

from collections import Counter

import pytest

from video_oasis.generate.tvbench.repair import RepairedTask, repair_task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import Sample, Video

SETTINGS = TVBenchSettings(gate_learners=(), gate_permutations=10, min_questions=10)


def ask(number: int, question: str, right: str, wrong: tuple[str, ...], task: str = "t") -> Sample:
    choices = [*wrong]
    choices.insert(number % (len(wrong) + 1), right)
    return Sample(
        id=f"s{number:03d}",
        benchmark="b",
        video=Video(f"v{number}", 1.0, 9.0),
        question=question,
        choices=tuple(choices),
        target=choices.index(right),
        task=task,
        metadata={"source": "film"},
    )


def count(answers: dict[str, int]) -> list[Sample]:
    """Ask for numbers, each offered beside two others, so often each."""
    texts = [text for text, n in answers.items() for _ in range(n)]
    samples = []
    for number, text in enumerate(texts):
        others = [other for other in answers if other != text]
        wrong = (others[number % len(others)], others[(number + 1) % len(others)])
        samples.append(ask(number, "How often is it lifted?", text, wrong))
    return samples


def texts_right(result: RepairedTask) -> Counter[str]:
    return Counter(sample.choices[sample.target] for sample in result.samples)


@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        # 3 × 12 = 36 beats 2 × 15 = 30 and 4 × 5 = 20.
        ({"3": 40, "2": 15, "4": 12, "5": 5}, {"3": 12, "2": 12, "4": 12}),
        # 4 × 9 = 36 beats 3 × 10 = 30.
        ({"3": 40, "2": 14, "4": 10, "5": 9}, {"3": 9, "2": 9, "4": 9, "5": 9}),
        # What is right fewer than five times is no answer of the set.
        ({"3": 20, "2": 10, "4": 4, "5": 4}, {"3": 10, "2": 10}),
    ],
)
def test_keeps_the_most_questions(answers: dict[str, int], kept: dict[str, int]) -> None:
    samples = count(answers)
    result = repair_task(samples, 0, SETTINGS)
    assert texts_right(result) == kept
    assert result.untouched == ""
    assert not result.before.is_open
    assert result.after is not None
    assert result.after.is_open
    originals = {sample.id: sample for sample in samples}
    for sample in result.samples:
        assert set(sample.choices) == set(kept)  # a small set is offered whole
        original = originals[sample.id]
        assert sample.choices[sample.target] == original.choices[original.target]
        assert (sample.video, sample.question) == (original.video, original.question)
        assert sample.metadata == original.metadata
    positions = Counter(sample.target for sample in result.samples)
    assert max(positions.values()) - min(positions.values()) <= 1


def test_wrong_choices_that_are_never_right_are_replaced_by_answers() -> None:
    # Twelve orders, each right six times; what is offered beside them is never right.
    samples = [
        ask(
            n,
            "In which order?",
            f"order {n % 12}",
            tuple(f"no order {n % 12} {k}" for k in range(3)),
        )
        for n in range(72)
    ]
    result = repair_task(samples, 0, SETTINGS)
    assert len(result.samples) == 72
    right = texts_right(result)
    offered = Counter(choice for sample in result.samples for choice in sample.choices)
    assert right == {f"order {n}": 6 for n in range(12)}
    assert offered == {f"order {n}": 24 for n in range(12)}  # four choices each
    assert all(sample.n_answers == 4 for sample in result.samples)
    # Twelve is a multiple of four: taking turns must not tie an answer to one position.
    places: dict[str, set[int]] = {}
    for sample in result.samples:
        places.setdefault(sample.choices[sample.target], set()).add(sample.target)
    assert min(map(len, places.values())) > 1
    assert Counter(sample.target for sample in result.samples) == dict.fromkeys(range(4), 18)


def test_sets_that_are_not_offered_together_stay_apart() -> None:
    hot = [
        ask(n, "How is the water?", *(("hot", ("cold", "none")), ("cold", ("hot", "none")))[n % 2])
        for n in range(20)
    ]
    yes = [
        ask(20 + n, "Is it on?", right, ("yes" if right == "no" else "no", "unsure"))
        for n, right in enumerate(("yes", "yes", "Yes", "no") * 10)
    ]
    result = repair_task([*hot, *yes], 0, SETTINGS)
    choices = Counter(frozenset(sample.choices) for sample in result.samples)
    # Of forty, ten are answered no; both spellings of yes are one answer.
    assert choices == {frozenset({"hot", "cold"}): 20, frozenset({"yes", "no"}): 20}


def test_a_question_asked_twice_of_a_clip_is_kept_once() -> None:
    samples = count({"3": 20, "2": 20, "4": 20})
    twice = [
        ask(100 + n, sample.question, sample.choices[sample.target], ("8", "9"))
        for n, sample in enumerate(samples[:5])
    ]
    twice = [
        Sample(
            id=each.id,
            benchmark=each.benchmark,
            video=sample.video,
            question=each.question,
            choices=each.choices,
            target=each.target,
            task=each.task,
        )
        for each, sample in zip(twice, samples, strict=False)
    ]
    result = repair_task([*samples, *twice], 0, SETTINGS)
    assert len(result.samples) == 60
    assert result.n_before == 65


def test_open_answers_are_left_alone() -> None:
    samples = [ask(n, f"What is {n}?", f"thing {n}", (f"other {n}",)) for n in range(40)]
    result = repair_task(samples, 0, SETTINGS)
    assert result.samples == tuple(samples)
    assert "no closed set" in result.untouched
    assert result.after is None


def test_a_question_that_tells_is_evened_too() -> None:
    # Answers are even, but each question has its own: only what is even within one can stay.
    samples = [
        ask(n, "Is it on?" if n % 4 else "Is it off?", "yes" if n % 2 else "no",
            ("no" if n % 2 else "yes",))
        for n in range(80)
    ]  # fmt: skip
    settings = TVBenchSettings(
        gate_learners=("neighbours",), gate_permutations=10, min_questions=10
    )
    result = repair_task(samples, 0, settings)
    assert result.evened_by == "answers and question"
    by_question = Counter((s.question, s.choices[s.target]) for s in result.samples)
    assert by_question == {("Is it on?", "yes"): 20, ("Is it on?", "no"): 20}


def test_the_seed_decides() -> None:
    samples = count({"3": 40, "2": 15, "4": 12})
    first = repair_task(samples, 0, SETTINGS)
    assert repair_task(list(reversed(samples)), 0, SETTINGS) == first
    assert repair_task(samples, 1, SETTINGS).samples != first.samples
