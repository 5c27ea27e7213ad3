"""The published answer names a choice, or is refused with the right code."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.annotations.gold import AnswerForm, Fault, is_letter, read_target

COLOURS = ("red", "blue", "Green tea", "4")


def read_code(
    answer: object,
    form: AnswerForm,
    choices: tuple[str, ...] = COLOURS,
    labels: tuple[str, ...] | None = None,
) -> str:
    fault = read_target(answer, choices, form, labels=labels)
    assert isinstance(fault, Fault)
    assert fault.message
    return fault.code


@pytest.mark.parametrize("answer", ["C", "c", "(C)", "(c)", "C.", " C ", "C)", "C:", "（Ｃ）"])
def test_letters(answer: str) -> None:
    assert read_target(answer, COLOURS, AnswerForm.LETTER) == 2


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("C", True), ("（ｃ）", True), (" b. ", True), ("CD", False), ("3", False), (3, False)],
)
def test_what_is_one_letter(answer: object, expected: bool) -> None:
    assert is_letter(answer) is expected


@pytest.mark.parametrize("answer", [2, "2", " 2 ", 2.0, "2.0"])
def test_indices_count_from_0_or_1(answer: object) -> None:
    assert read_target(answer, COLOURS, AnswerForm.INDEX0) == 2
    assert read_target(answer, COLOURS, AnswerForm.INDEX1) == 1


@pytest.mark.parametrize(
    ("answer", "target"),
    [("blue", 1), ("BLUE ", 1), ("green  TEA", 2), (4, 3), ("B. blue", 1), ("(C) green tea", 2)],
)
def test_texts(answer: object, target: int) -> None:
    assert read_target(answer, COLOURS, AnswerForm.TEXT) == target


def test_an_exact_text_beats_a_near_one() -> None:
    assert read_target("May", ("may", "May"), AnswerForm.TEXT) == 1


def test_equal_choices_are_one_answer() -> None:
    assert read_target("no", ("yes", "no", "no"), AnswerForm.TEXT) == 1
    assert read_target("NO", ("yes", "no", "no"), AnswerForm.TEXT) == 1


@pytest.mark.parametrize("answer", [None, "", "  "])
@pytest.mark.parametrize("form", list(AnswerForm))
def test_empty(answer: object, form: AnswerForm) -> None:
    assert read_code(answer, form) == "target_empty"


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("E", AnswerForm.LETTER),
        ("(K)", AnswerForm.LETTER),
        (4, AnswerForm.INDEX0),
        (-1, AnswerForm.INDEX0),
        (0, AnswerForm.INDEX1),
        ("5", AnswerForm.INDEX1),
    ],
)
def test_out_of_range(answer: object, form: AnswerForm) -> None:
    assert read_code(answer, form) == "target_out_of_range"


@pytest.mark.parametrize(
    ("answer", "form"),
    [
        ("blue", AnswerForm.LETTER),
        ("A or B", AnswerForm.LETTER),
        ("C", AnswerForm.INDEX0),
        (1.5, AnswerForm.INDEX0),
        (True, AnswerForm.INDEX0),
        ("purple", AnswerForm.TEXT),
        (["blue"], AnswerForm.TEXT),
    ],
)
def test_not_found(answer: object, form: AnswerForm) -> None:
    assert read_code(answer, form) == "target_not_found"


def test_a_text_that_fits_two_choices_but_for_case() -> None:
    assert read_code("MAY", AnswerForm.TEXT, ("may", "May")) == "target_ambiguous"


def test_a_letter_means_the_published_label() -> None:
    labels = ("A", "C", "D")
    assert read_target("D", ("x", "y", "z"), AnswerForm.LETTER, labels=labels) == 2
    assert read_target("(c)", ("x", "y", "z"), AnswerForm.LETTER, labels=labels) == 1
    assert read_code("B", AnswerForm.LETTER, ("x", "y", "z"), labels) == "target_out_of_range"


def test_labels_need_not_be_letters() -> None:
    labels = ("0", "1")
    assert read_target(1, ("x", "y"), AnswerForm.LETTER, labels=labels) == 1


def test_a_letter_is_refused_where_labels_out_of_order_move_it() -> None:
    published = ("(A) red", "(C) blue", "(D) grey")
    moved = read_target("C", published, AnswerForm.LETTER, published=published)
    beyond = read_target("D", published, AnswerForm.LETTER, published=published)
    kept = read_target("A", published, AnswerForm.LETTER, published=published)
    assert isinstance(moved, Fault)
    assert moved.code == "target_ambiguous"
    assert isinstance(beyond, Fault)
    assert beyond.code == "target_out_of_range"
    assert "A C D" in beyond.message
    assert kept == 0


@given(st.integers(1, 26), st.data())
def test_every_form_finds_every_choice(n_choices: int, data: st.DataObject) -> None:
    choices = [f"choice {number}" for number in range(n_choices)]
    target = data.draw(st.integers(0, n_choices - 1))
    assert read_target(string.ascii_letters[target], choices, AnswerForm.LETTER) == target
    assert read_target(str(target), choices, AnswerForm.INDEX0) == target
    assert read_target(target + 1, choices, AnswerForm.INDEX1) == target
    assert read_target(choices[target].upper(), choices, AnswerForm.TEXT) == target


@given(
    st.one_of(st.text(), st.integers(), st.floats(), st.none()),
    st.lists(st.text(), min_size=1, max_size=5),
    st.sampled_from(list(AnswerForm)),
)
def test_any_answer_gives_a_valid_index_or_a_fault(
    answer: object, choices: list[str], form: AnswerForm
) -> None:
    target = read_target(answer, choices, form)
    assert isinstance(target, Fault) or 0 <= target < len(choices)
