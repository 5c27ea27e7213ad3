from collections.abc import Callable

import pytest

from video_oasis.lint import question_checks
from video_oasis.schema import OpenQuestion, Sample

MakeSample = Callable[..., Sample]
MakeOpenQuestion = Callable[[str, str], OpenQuestion]


def test_texts_of_a_sample_and_of_an_open_question(
    make_sample: MakeSample, make_open_question: MakeOpenQuestion
) -> None:
    assert list(question_checks.texts(make_sample("a", "b", question="q"))) == [
        ("question", "q"),
        ("choice 1", "a"),
        ("choice 2", "b"),
    ]
    assert list(question_checks.texts(make_open_question("q", "r"))) == [
        ("question", "q"),
        ("reference", "r"),
    ]


def test_empty_question(make_sample: MakeSample) -> None:
    assert question_checks.empty_question(make_sample(question=" \n"))
    assert question_checks.empty_question(make_sample(question="?")) is None


@pytest.mark.parametrize(
    ("question", "listed"),
    [
        ("Who wins? A. Ann B. Bob", "A, B"),
        ("Who wins?\n(A) Ann\n(B) Bob\n(C) Cy", "A, B, C"),
        ("Who wins? A: Ann, B: Bob", "A, B"),
    ],
)
def test_embedded_choices(make_open_question: MakeOpenQuestion, question: str, listed: str) -> None:
    found = question_checks.embedded_choices(make_open_question(question, "Ann"))
    assert found == f"the question's text lists choices {listed}"


@pytest.mark.parametrize(
    "question", ["Is it plan A. or not?", "What did B. B. King play?", "Who is (B) in group A?"]
)
def test_no_embedded_choices(make_open_question: MakeOpenQuestion, question: str) -> None:
    assert question_checks.embedded_choices(make_open_question(question, "x")) is None


def test_answer_in_question(make_sample: MakeSample) -> None:
    question = "Why does the red car stop?"
    assert question_checks.answer_in_question(make_sample("Red car.", "van", question=question))


@pytest.mark.parametrize(
    ("choices", "question"),
    [
        (("red", "blue"), "Is the car red or blue?"),
        (("red", "blue"), "Is the cart scarred?"),
        (("blue", "red"), "Why does the red car stop?"),
        (("2", "3"), "What do the 2 men do?"),
        (("red",), "Is it red?"),
        (("red", "red"), "Is it red?"),
    ],
)
def test_answer_not_in_question(
    make_sample: MakeSample, choices: tuple[str, ...], question: str
) -> None:
    assert question_checks.answer_in_question(make_sample(*choices, question=question)) is None


def test_named_letter(make_sample: MakeSample) -> None:
    assert question_checks.named_letter(make_sample(question="Why is option B right?"))
    assert question_checks.named_letter(make_sample(question="Which choice (A) is shown?"))


@pytest.mark.parametrize(
    "question",
    [
        "Why is option Z right?",
        "Is it the choice I made?",
        "What does option Best do?",
        "What is option B's price?",
        "Which option a person picks?",
    ],
)
def test_no_letter_named(make_sample: MakeSample, question: str) -> None:
    assert question_checks.named_letter(make_sample(question=question)) is None


@pytest.mark.parametrize("reference", ["E", "(B)", " C. "])
def test_letter_as_reference(make_open_question: MakeOpenQuestion, reference: str) -> None:
    assert question_checks.letter_as_reference(make_open_question("What?", reference))


@pytest.mark.parametrize("reference", ["Edward", "e", "5", "A B"])
def test_words_as_reference(make_open_question: MakeOpenQuestion, reference: str) -> None:
    assert question_checks.letter_as_reference(make_open_question("What?", reference)) is None


@pytest.mark.parametrize(
    "text", ["itâ€™s here", "CafÃ© noir", "5Â°C", "a \N{REPLACEMENT CHARACTER} b", "ï»¿Who?"]
)
def test_mojibake(text: str) -> None:
    assert question_checks.mojibake(text)


@pytest.mark.parametrize("text", ["Café noir, 5°C", "it’s – here", "SÃO PAULO", "Âme", "¿Qué?"])
def test_accents_are_no_mojibake(text: str) -> None:
    assert question_checks.mojibake(text) is None


@pytest.mark.parametrize("text", ["one<br>two", "</p>", "R&amp;B", "it&#39;s", '<b class="x">hi'])
def test_markup(text: str) -> None:
    assert question_checks.markup(text)


@pytest.mark.parametrize("text", ["a < b > c", "<person>", "R&B", "x <3 y", "AT&T;"])
def test_comparisons_are_no_markup(text: str) -> None:
    assert question_checks.markup(text) is None


def test_invisible_characters() -> None:
    found = question_checks.invisible_characters("a\N{ZERO WIDTH SPACE}b\x07c\ud800")
    assert found == "characters that cannot be seen: U+0007, U+200B, U+D800"


@pytest.mark.parametrize(
    "text", ["line\nbreak\tand tab", "a\N{NO-BREAK SPACE}b", "👩\N{ZERO WIDTH JOINER}🔬", "日本"]
)
def test_visible_and_joining_characters(text: str) -> None:
    assert question_checks.invisible_characters(text) is None


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("Is it day or night?", "Night."),
        ("Does the dog chase the red ball?", "a red ball"),
        ("does the red-haired woman nod", "red"),
    ],
)
def test_reference_in_question(
    make_open_question: MakeOpenQuestion, question: str, reference: str
) -> None:
    message = question_checks.reference_in_question(make_open_question(question, reference))
    assert message == f"the question contains the reference answer {reference!r}"


@pytest.mark.parametrize(
    ("question", "reference"),
    [
        ("Is it daylight?", "day"),
        ("How many 3 point shots fall?", "3"),
        ("Is the ball red or not?", "red ball"),
        ("What is on the table?", "the"),
    ],
)
def test_reference_not_in_question(
    make_open_question: MakeOpenQuestion, question: str, reference: str
) -> None:
    assert question_checks.reference_in_question(make_open_question(question, reference)) is None
