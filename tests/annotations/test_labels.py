"""Labels come off only when they are labels."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.annotations.labels import find_label, find_labels, strip_labels

STYLES = ("{}. ", "{}) ", "({}) ", "{}: ", "{}.", "({})", "{}、", "（{}）", "{}．")
# Texts that cannot themselves be taken for a label or for the end of one.
PLAIN = st.text(alphabet="xyz 0123", min_size=1).map(str.strip).filter(bool)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("case", [str.upper, str.lower])
def test_every_style_comes_off(style: str, case: type[str]) -> None:
    options = [style.format(case(letter)) + text for letter, text in zip("ABC", "xyz", strict=True)]
    assert strip_labels(options) == ("x", "y", "z")


def test_full_width_letters_come_off() -> None:
    assert strip_labels(["Ａ．猫", "Ｂ．狗"]) == ("猫", "狗")


@pytest.mark.parametrize(
    "options",
    [
        ("A. L. Pasteur", "M. Curie", "I. Newton"),
        ("A. L. Pasteur", "B. Curie", "D. Newton"),
        ("A. red", "(B) blue"),
        ("A. red", "b. blue"),
        ("B. red", "A. blue"),
        ("A. red", "A. blue"),
        ("A.D.", "B.C."),
        ("A. lonely name",),
        ("red", "blue"),
        ("", ""),
        (),
    ],
)
def test_anything_else_stays(options: tuple[str, ...]) -> None:
    assert strip_labels(options) == options


def test_a_label_published_twice_comes_off_once() -> None:
    assert strip_labels(["(A) yes", "(B) A) no", "(C) maybe"]) == ("yes", "A) no", "maybe")


def test_an_empty_option_at_the_end_needs_no_label() -> None:
    assert strip_labels(["(A) yes", "(B) no", ""]) == ("yes", "no", "")


def test_an_empty_option_in_the_middle_does() -> None:
    assert strip_labels(["(A) yes", "", "(C) no"]) == ("(A) yes", "", "(C) no")


def test_a_label_alone_leaves_an_empty_option() -> None:
    assert strip_labels(["A.", "B. blue"]) == ("", "blue")


@given(st.lists(PLAIN, min_size=2, max_size=26), st.sampled_from(STYLES))
def test_stripping_undoes_labelling(texts: list[str], style: str) -> None:
    labelled = [
        style.format(letter) + text
        for letter, text in zip(string.ascii_uppercase, texts, strict=False)
    ]
    assert strip_labels(labelled) == tuple(texts)


@given(st.lists(st.text(), max_size=6))
def test_stripping_keeps_the_number_of_options_and_their_ends(options: list[str]) -> None:
    stripped = strip_labels(options)
    assert len(stripped) == len(options)
    assert all(option.endswith(text) for option, text in zip(options, stripped, strict=True))


def test_labels_out_of_order_are_found_but_kept() -> None:
    options = ("(A) red", "(C) blue")
    assert find_labels(options) == ("A", "C")
    assert strip_labels(options) == options


def test_a_word_is_no_label() -> None:
    assert find_label("A man walks") is None
    assert find_label("Apple. Pie") is None
