"""Choices below the question are split at labels at line starts only."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.annotations.inline import has_choices_on_one_line, split_choices


def test_bracketed_choices() -> None:
    assert split_choices("What colour?\n(A) red\n(B) blue") == ("What colour?", ("red", "blue"))


def test_choices_may_hold_brackets_line_ends_and_stray_letters() -> None:
    text = "Which plan?\n(A) plan a) or (B) of it\n(B) one\nand two\n(C) none (C) \n"
    assert split_choices(text) == (
        "Which plan?",
        ("plan a) or (B) of it", "one\nand two", "none (C)"),
    )


def test_the_longest_series_counts() -> None:
    text = "They say:\nA: hello\nB: bye\nWho is rude?\nA. Ann\nB. Bob\nC. Cy"
    assert split_choices(text) == (
        "They say:\nA: hello\nB: bye\nWho is rude?",
        ("Ann", "Bob", "Cy"),
    )


def test_of_equally_long_series_the_last_counts() -> None:
    text = "A. Smith met\nB. Jones. Who won?\nA. Smith\nB. Jones"
    assert split_choices(text) == ("A. Smith met\nB. Jones. Who won?", ("Smith", "Jones"))


@pytest.mark.parametrize("text", ["", "How many?", "Who?\nA. Ann", "Who, (A) Ann or (B) Bob?"])
def test_no_choices(text: str) -> None:
    assert split_choices(text) is None


@given(
    st.text(alphabet="pqr ", min_size=1).map(str.strip).filter(bool),
    st.lists(
        st.text(alphabet="pqr )(\n", min_size=1).map(str.strip).filter(bool),
        min_size=2,
        max_size=26,
    ),
)
def test_splitting_undoes_joining(question: str, choices: list[str]) -> None:
    lines = [
        f"({mark}) {text}" for mark, text in zip(string.ascii_uppercase, choices, strict=False)
    ]
    assert split_choices("\n".join([question, *lines])) == (question, tuple(choices))


@pytest.mark.parametrize(
    "text",
    [
        "Which? (A) red (B) blue",
        "Which? (a) red, (b) blue or (c) green",
        "Which?\nA. red B. blue",
        "Which? A) red B) blue",
        "A: red B: blue",
        "（A）red （B）blue",
    ],
)
def test_choices_on_one_line(text: str) -> None:
    assert has_choices_on_one_line(text)


@pytest.mark.parametrize(
    "text",
    [
        "Which colour is the hat?",
        "What did A. B. Smith do?",
        "Was it in 30 B.C. or A.D. 30?",
        "Who wears the hat, (A) or someone else?",
        "Is it A. red (B) blue?",
        "Is it (B) red (A) blue?",
        "Does person A. hit person B.",
        "Is f(A) more than f(B) here?",
    ],
)
def test_what_are_no_choices_on_one_line(text: str) -> None:
    assert not has_choices_on_one_line(text)
