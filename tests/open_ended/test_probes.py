"""Answers whose right verdict is known."""

from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.judges.lemmas import list_lemmas
from video_oasis.open_ended.probes import ProbeAnswer, make_probes
from video_oasis.schema import OpenQuestion, Probe, Video

Ask = Callable[..., OpenQuestion]


def _texts(probes: Sequence[ProbeAnswer], question: OpenQuestion) -> dict[Probe, str]:
    return {each.probe: each.text for each in probes if each.question is question}


def test_a_question_is_given_its_own_reference_and_that_of_another(ask_about: Ask) -> None:
    asked = [
        ask_about(1, "what is cut?", "onion"),
        ask_about(2, "what is worn?", "hat"),
    ]
    probes = make_probes(asked, 10)
    first, second = (_texts(probes, each) for each in asked)
    assert first[Probe.ECHO] == second[Probe.SWAPPED] == "onion"
    assert first[Probe.SWAPPED] == second[Probe.ECHO] == "hat"
    for texts in (first, second):
        for bare, padded in (
            (Probe.ECHO, Probe.ECHO_PADDED),
            (Probe.SWAPPED, Probe.SWAPPED_PADDED),
        ):
            assert texts[padded].endswith(f" {texts[bare]}.")
            assert len(texts[padded].split()) > 20


def test_the_other_reference_is_of_the_same_task_and_shares_no_word(ask_about: Ask) -> None:
    asked = [
        ask_about(1, "what is cut?", "red onions"),
        ask_about(2, "what is fried?", "an onion"),
        ask_about(3, "who cuts?", "cook", task="who"),
        ask_about(4, "where is it cut?", "kitchen"),
    ]
    texts = _texts(make_probes(asked, 10), asked[0])
    assert texts[Probe.SWAPPED] == "kitchen"


def test_a_question_that_begins_alike_comes_first(ask_about: Ask) -> None:
    asked = [
        ask_about(1, "what is cut?", "onion"),
        *(ask_about(10 + n, "where is it?", f"kitchen{n}") for n in range(5)),
        ask_about(2, "What is peeled?", "potato"),
    ]
    assert _texts(make_probes(asked, 10), asked[0])[Probe.SWAPPED] == "potato"


def test_without_another_reference_there_are_the_right_probes_only(ask_about: Ask) -> None:
    asked = [ask_about(1, "is it on?", "yes"), ask_about(2, "is it off?", "Yes.")]
    probes = make_probes(asked, 10)
    assert {each.probe for each in probes} == {Probe.ECHO, Probe.ECHO_PADDED}


def test_so_many_questions_of_each_benchmark_whatever_their_order(ask_about: Ask) -> None:
    asked = [
        ask_about(number, f"what is {number}?", f"thing{number}", benchmark=benchmark)
        for number in range(20)
        for benchmark in ("a", "b")
    ]
    probes = make_probes(asked, 3)
    probed = {(each.question.benchmark, each.question.id) for each in probes}
    assert sorted(benchmark for benchmark, _ in probed) == ["a"] * 3 + ["b"] * 3
    again = make_probes(asked[::-1], 3)
    assert {(each.question.id, each.probe, each.text) for each in probes} == {
        (each.question.id, each.probe, each.text) for each in again
    }
    assert make_probes(asked, 0) == []


@given(st.lists(st.text(max_size=12), min_size=2, max_size=8))
def test_a_swapped_reference_never_holds_a_word_of_the_right_one(references: list[str]) -> None:
    asked = [
        OpenQuestion(f"q{n}", "open", Video("v.mp4"), "what?", reference, "what")
        for n, reference in enumerate(references)
    ]
    for probe in make_probes(asked, len(asked)):
        if probe.probe is Probe.SWAPPED:
            right = set(list_lemmas(probe.question.reference))
            assert right
            assert right.isdisjoint(list_lemmas(probe.text))


def test_which_probes_are_right() -> None:
    assert [probe for probe in Probe if probe.is_right] == [Probe.ECHO, Probe.ECHO_PADDED]


@pytest.mark.parametrize("n", [1, 2])
def test_the_probes_of_fewer_questions_are_among_those_of_more(ask_about: Ask, n: int) -> None:
    asked = [ask_about(number, "what?", f"thing{number}") for number in range(6)]
    fewer, more = make_probes(asked, n), make_probes(asked, n + 1)
    assert set(fewer) < set(more)
