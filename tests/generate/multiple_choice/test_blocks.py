"""Blocks are of different answers that fit each other's questions, as many as can be."""

from collections import Counter
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.generate.multiple_choice.asked import (
    CONTRADICTED,
    NO_TEXT,
    REPEATED,
    Asked,
    prepare,
)
from video_oasis.generate.multiple_choice.blocks import (
    NO_FIT,
    TOO_COMMON,
    TOO_FEW,
    count_blocks,
    form_blocks,
)
from video_oasis.generate.multiple_choice.naive import draw_naively
from video_oasis.generate.multiple_choice.variants import are_variants
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.schema import OpenQuestion, Video

Ask = Callable[..., OpenQuestion]


def answers(members: tuple[Asked, ...]) -> set[str]:
    return {member.text for member in members}


@pytest.mark.parametrize(
    ("counts", "n_choices", "expected"),
    [
        ((5, 5, 5, 5), 4, 5),
        ((60, 3, 3, 3), 4, 3),  # the rarest three must be in each block
        ((10, 10, 3, 2), 4, 2),
        ((9, 4, 4, 3), 2, 10),  # 9 + 4 + 4 + 3 in pairs
        ((30, 4, 4, 3), 2, 11),  # each of the 11 others beside the commonest
        ((5, 5, 5), 4, 0),
    ],
)
def test_as_many_blocks_as_answers_allow(
    counts: tuple[int, ...], n_choices: int, expected: int, ask: Ask
) -> None:
    assert count_blocks(counts, n_choices) == expected
    questions = [
        ask(100 * answer + n, f"who is number {n}?", ("man", "cat", "dog", "pig")[answer])
        for answer, count in enumerate(counts)
        for n in range(count)
    ]
    asked, _ = prepare(questions)
    blocks, left = form_blocks(asked, n_choices, Draws(0, "t"))
    assert len(blocks) == expected
    assert all(len(answers(members)) == n_choices for members in blocks)
    used = [member.question.id for members in blocks for member in members]
    assert len(set(used)) == len(used) == expected * n_choices
    assert len(left) == len(questions) - len(used)


def test_surplus_and_too_few_are_named(ask: Ask) -> None:
    texts = ["man"] * 6 + ["cat", "dog", "pig"] * 2
    asked, _ = prepare([ask(n, "who runs?", text) for n, text in enumerate(texts)])
    blocks, left = form_blocks(asked, 4, Draws(0, "t"))
    assert len(blocks) == 2
    assert [(each.text, why) for each, why in left] == [("man", TOO_COMMON)] * 4
    _, none = form_blocks([each for each in asked if each.text != "man"], 4, Draws(0, "t"))
    assert [why for _, why in none] == [TOO_FEW] * 6


def test_variants_never_stand_together(ask: Ask) -> None:
    texts = ("man", "young man", "Men", "cat", "black cat", "dog", "two dogs", "pig", "pigs", "cow")
    questions = [ask(n, "who runs?", texts[n % len(texts)]) for n in range(60)]
    asked, _ = prepare(questions)
    blocks, _ = form_blocks(asked, 4, Draws(0, "t"))
    assert len(blocks) > 5
    for members in blocks:
        for member in members:
            others = [other for other in members if other is not member]
            assert not any(are_variants(member.answer, other.answer) for other in others)


def test_what_may_be_right_of_the_clip_is_no_wrong_choice(ask: Ask) -> None:
    # Each clip is asked the same in two wordings, with two answers.
    pairs = (("potato", "vegetable"), ("onion", "bulb"), ("carrot", "root"), ("egg", "shell"))
    questions = [
        ask(10 * n + way, question, pair[way], video=f"clip{n}")
        for n, pair in enumerate(pairs * 6)
        for way, question in enumerate(("what is a chef cutting?", "what is a woman slicing?"))
    ]
    asked, _ = prepare(questions)
    blocks, _ = form_blocks(asked, 4, Draws(0, "t"))
    assert len(blocks) > 3
    for members in blocks:
        for member in members:
            pair = next(pair for pair in pairs if member.text in pair)
            assert len(answers(members) & set(pair)) == 1


def test_other_windows_of_a_video_are_other_clips(ask: Ask) -> None:
    questions = [
        ask(n, "what is on?", text, video="film", start_seconds=10.0 * n)
        for n, text in enumerate(("radio", "lamp", "oven", "fan"))
    ]
    blocks, left = form_blocks(prepare(questions)[0], 4, Draws(0, "t"))
    assert (len(blocks), left) == (1, [])
    at_once = [ask(n, f"what is on, {n}?", text, video="film") for n, text in enumerate("abcd")]
    blocks, left = form_blocks(prepare(at_once)[0], 4, Draws(0, "t"))
    assert (blocks, {why for _, why in left}) == ([], {NO_FIT})


def test_the_most_similar_stand_together(ask: Ask) -> None:
    things = {
        "what is a man riding?": ("horse", "bicycle", "camel", "donkey"),
        "what is a woman playing on stage?": ("guitar", "piano", "violin", "trumpet"),
    }
    questions = [
        ask(10 * n + place, question, text)
        for place, (question, texts) in enumerate(things.items())
        for n, text in enumerate(texts)
    ]
    blocks, _ = form_blocks(prepare(questions)[0], 4, Draws(0, "t"))
    assert sorted(map(answers, blocks), key=sorted) == [
        {"horse", "bicycle", "camel", "donkey"},
        {"guitar", "piano", "violin", "trumpet"},
    ]


def test_an_answer_that_the_question_names_stands_beside_others_it_names(ask: Ask) -> None:
    named = ask(0, "which ball is hit, the red or the blue?", "red")
    fits = ask(1, "which ball is hit, the blue or the red?", "blue")
    others = [ask(2 + n, "which ball is hit?", text) for n, text in enumerate(("green", "pink"))]
    asked, _ = prepare([named, fits, *others])
    blocks, _ = form_blocks(asked, 2, Draws(0, "t"))
    assert sorted(map(answers, blocks), key=sorted) == [{"red", "blue"}, {"green", "pink"}]


def test_questions_that_cannot_be_asked_are_named(ask: Ask) -> None:
    questions = [
        ask(0, "who runs?", "man", video="a"),
        ask(1, "Who runs", "boy", video="a"),
        ask(2, "who runs?", " "),
        ask(3, "", "man"),
        ask(4, "is it on?", "yes", video="b"),
        ask(5, "is it on?", "No", video="b"),
        ask(6, "is it off?", "no", video="b"),
    ]
    asked, left_out = prepare(questions)
    assert [each.question.id for each in asked] == ["q0000", "q0006"]
    assert {question.id: why for question, why in left_out} == {
        "q0001": REPEATED,
        "q0002": NO_TEXT,
        "q0003": NO_TEXT,
        "q0004": CONTRADICTED,
        "q0005": REPEATED,
    }
    # What is left out as repeated is right of the clip all the same.
    assert asked[0].taken == {("man",), ("boy",)}


def test_yes_and_no_of_one_clip_can_stand_together(ask: Ask) -> None:
    questions = [
        ask(0, "is there a cat?", "yes", video="a"),
        ask(1, "is there a dog?", "no", video="a"),
    ]
    blocks, _ = form_blocks(prepare(questions)[0], 2, Draws(0, "t"))
    assert Counter(map(len, blocks)) == {2: 1}


def test_the_commonest_spelling_is_the_choice(ask: Ask) -> None:
    texts = ("Yes.", "yes", "yes", "YES")
    asked, _ = prepare([ask(n, f"is it {n}?", text) for n, text in enumerate(texts)])
    assert {each.text for each in asked} == {"yes"}


def test_spellings_that_words_part_otherwise_are_one_choice(ask: Ask) -> None:
    # The lint takes "mp3" and "mp 3" for the same choice, although one is a word and one is two.
    texts = ("mp3", "mp 3", "mp 3", "u2", "u 2", "dog", "cat")
    asked, _ = prepare([ask(n, "what is it?", text) for n, text in enumerate(texts * 4)])
    assert {each.text for each in asked} == {"mp 3", "u 2", "dog", "cat"}
    assert len({each.answer for each in asked}) == 4
    blocks, _ = form_blocks(asked, 4, Draws(0, "t"))
    assert len(blocks) == 4
    assert all(len(answers(members)) == 4 for members in blocks)


PIECES = ("a", "the", "b", "1", "2", ".", ",", "'s", "$", "*", "_", "-", "é", " ", "½", "s", "&")


@given(st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=4).map("".join), min_size=4))
def test_choices_always_differ(references: list[str]) -> None:
    asked, _ = prepare(
        [
            OpenQuestion(f"q{n}", "open", Video(f"v{n}"), "who runs?", reference, "t")
            for n, reference in enumerate(references)
        ]
    )
    pools = {each.kind: [other for other in asked if other.kind == each.kind] for each in asked}
    for pool in pools.values():
        blocks, _ = form_blocks(pool, 2, Draws(0, "t"))
        assert all(len(answers(members)) == 2 for members in blocks)
        naive = draw_naively(pool, 2, Draws(0, "t"))
        assert all(len(set(sample.choices)) == 2 for sample in naive)
