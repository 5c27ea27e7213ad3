"""What in a file without readable choices speaks for choices, and what does not."""

from typing import Any

import pytest

from video_oasis.annotations.choice_signs import find_sign_of_choices
from video_oasis.annotations.rows import RawRow


def find(*answers: object, question: str = "What?", **columns: Any) -> str | None:
    """Look for a sign in rows that differ only in their answers."""
    names = ["question", "answer", *columns]
    rows = [
        RawRow("x.json", number, {"question": question, "answer": answer, **columns})
        for number, answer in enumerate(answers, start=1)
    ]
    return find_sign_of_choices(
        rows, names, question="question", answer="answer", used={"question", "answer"}
    )


@pytest.mark.parametrize("answers", [("",), (None, " ")])
def test_no_answers(answers: tuple[object, ...]) -> None:
    assert find(*answers) == "no row has an answer to go by"


@pytest.mark.parametrize(
    "letter",
    ["A", "c", "(B)", "b.", "A. red", "(A) red", "B) red", "option A", "Choice (b)", "Answer: C"],
)
def test_letters_in_half_of_the_answers(letter: str) -> None:
    sign = find("red", letter, "", None)
    assert sign == f"1 of 2 answers name a letter, such as {letter!r}"
    assert find("red", "blue", letter) is None


@pytest.mark.parametrize(
    "answer", ["yes", "No", "4", 4, True, "a.m.", "an apple", "A red cup", "option", "CNN", "B.C."]
)
def test_answers_that_are_no_letters(answer: object) -> None:
    assert find(answer) is None


@pytest.mark.parametrize(
    "value",
    [
        ["red", "blue"],
        [1, 2],
        {"A": "red", "B": "blue", "C": None},
        [{"label": "A", "text": "red"}, {"label": "B", "text": "blue"}],
        '["red", "blue"]',
        "['red', 'blue']",
        '{"A": "red", "B": "blue"}',
        "A. red\nB. blue",
    ],
)
def test_one_list_in_any_column(value: object) -> None:
    assert find("grey", "green", alternatives=value) == "x.json row 1 has a list in 'alternatives'"


@pytest.mark.parametrize(
    "value",
    [["red"], [], {}, {"A": "red", "B": None}, [[3.5, 8], [20, 20]], "[sic", "[red]", "a\nb", 4],
)
def test_what_is_no_list(value: object) -> None:
    assert find("grey", "green", notes=value) is None


@pytest.mark.parametrize("separator", ["|", ";"])
def test_separators_in_most_rows(separator: str) -> None:
    def look(*values: str) -> str | None:
        rows = [
            RawRow("x.csv", 1, {"question": "?", "answer": "grey", "colours": value})
            for value in values
        ]
        return find_sign_of_choices(
            rows, ["colours"], question="question", answer="answer", used=set()
        )

    separated = f"red{separator}blue"
    assert look(separated, separated, "red") == (
        f"most texts in 'colours' are separated by {separator!r}"
    )
    assert look(separated, "red") is None


def test_separators_where_no_choices_can_be() -> None:
    assert find("a; b", question="Who; where?", id="v|1", video="v|1.mp4") is None


def test_answers_that_stand_in_another_column() -> None:
    assert find("Red", "grey", first="blue", second=" red") == (
        "1 of 2 answers stand in another column too, such as 'second'"
    )
    assert find("4", first=4) == "1 of 1 answers stand in another column too, such as 'first'"
    assert find("red", "grey", "green", first="red") is None
    assert find("None", first=None) is None


def test_a_second_column_of_answers_or_of_tasks_is_no_choice() -> None:
    assert find("yes", gold="yes", reference="yes", task="yes") is None


@pytest.mark.parametrize(
    "names",
    [
        ("ans_a", "ans_b", "ans_c", "ans_d"),
        ("option_c", "option_e", "option_d", "option_a"),
        ("wrong 1", "wrong 2", "wrong 3"),
        ("d9", "d10", "d11"),
    ],
)
@pytest.mark.parametrize("answer", [2, "purple"])
def test_a_series_of_columns(names: tuple[str, ...], answer: object) -> None:
    texts = ("red", "blue", "green", "grey")
    columns: dict[str, Any] = dict(zip(names, texts, strict=False))
    sign = find(answer, **columns)
    assert sign is not None
    assert sign.startswith("the columns ")
    assert sign.endswith(" look like a series of choices")


@pytest.mark.parametrize(
    "columns",
    [
        {"note_1": "red", "note_2": "blue"},
        {"note_1": "red", "note_2": "blue", "note_4": "green"},
        {"note_1": "red", "note_2": "blue", "other_3": "green"},
        {"note_1": "red", "note_2": "blue", "note_c": "green"},
        {"x1": 0.5, "x2": 0.7, "x3": 0.9},
        {"note_1": "red", "note_2": "blue", "note_3": ""},
    ],
)
def test_what_is_no_series(columns: dict[str, Any]) -> None:
    assert find(2, **columns) is None


def test_choices_on_one_line_of_the_question() -> None:
    sign = find("red", question="Which? (A) red (B) blue")
    assert sign is not None
    assert sign.startswith("x.json row 1 seems to have some on one line of its question")
