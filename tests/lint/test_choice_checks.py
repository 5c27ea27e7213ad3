from collections.abc import Callable

import pytest

from video_oasis.lint import choice_checks
from video_oasis.schema import Sample

MakeSample = Callable[..., Sample]


def test_duplicates_with_the_answer_among_them(make_sample: MakeSample) -> None:
    sample = make_sample("red", "blue", "red", target=2)
    assert choice_checks.duplicates_with_answer(sample) == "choices 1, 3 read 'red'"
    assert choice_checks.duplicates_without_answer(sample) is None


def test_duplicates_without_the_answer_among_them(make_sample: MakeSample) -> None:
    sample = make_sample("red", "blue", "red", target=1)
    assert choice_checks.duplicates_with_answer(sample) is None
    assert choice_checks.duplicates_without_answer(sample) == "choices 1, 3 read 'red'"


def test_duplicates_of_both_kinds_count_once(make_sample: MakeSample) -> None:
    sample = make_sample("red", "red", "blue", "blue", target=0)
    assert choice_checks.duplicates_with_answer(sample) == "choices 1, 2 read 'red'"
    assert choice_checks.duplicates_without_answer(sample) is None


def test_duplicates_in_other_form_are_a_kind_of_their_own(make_sample: MakeSample) -> None:
    sample = make_sample("Red.", "blue", "red")
    assert choice_checks.duplicates_in_other_form(sample) == (
        "choices 1, 3 read 'Red.' and 'red', the right one among them"
    )
    assert choice_checks.duplicates_with_answer(sample) is None


def test_exact_duplicates_and_signed_numbers_are_not_other_forms(make_sample: MakeSample) -> None:
    assert choice_checks.duplicates_in_other_form(make_sample("red", "red", "blue")) is None
    assert choice_checks.duplicates_in_other_form(make_sample("-1", "1", "1.0", "10")) is None


def test_single_choice(make_sample: MakeSample) -> None:
    assert choice_checks.single_choice(make_sample("yes"))
    assert choice_checks.single_choice(make_sample("yes", "no")) is None


def test_empty_choice(make_sample: MakeSample) -> None:
    assert choice_checks.empty_choice(make_sample("cat", " ")) == "choice 2 of 2 without text"
    right = choice_checks.empty_choice(make_sample("", "cat", target=0))
    assert right == "choice 1 of 2 without text, the right one among them"
    assert choice_checks.empty_choice(make_sample("None", "NA")) is None


@pytest.mark.parametrize(
    "choices",
    [
        ("A car.", "B) Are you there?", "A dog."),
        ("A car.", "A) Are you there?", "A dog."),
        ("(A) one", "(B) two", ""),
        ("a car", "B. a dog", "a cat"),
    ],
)
def test_label_in_some_choices(make_sample: MakeSample, choices: tuple[str, ...]) -> None:
    sample = make_sample(*choices)
    assert choice_checks.label_in_some_choices(sample)
    assert choice_checks.label_in_all_choices(sample) is None


@pytest.mark.parametrize(
    "choices",
    [
        ("A. L. Pasteur", "M. Curie", "N. Bohr"),
        ("E. coli", "yeast"),
        ("A.", "K."),
        ("(a)(c)(b).", "(c)(b)(a)."),
        ("A man walks", "A dog runs"),
        ("U.S. troops", "D.C. police"),
    ],
)
def test_names_and_sequences_are_no_labels(
    make_sample: MakeSample, choices: tuple[str, ...]
) -> None:
    sample = make_sample(*choices)
    assert choice_checks.label_in_some_choices(sample) is None
    assert choice_checks.label_in_all_choices(sample) is None


def test_labels_that_skip_a_letter_stay_on_all_choices(make_sample: MakeSample) -> None:
    sample = make_sample("(A) one", "(B) two", "(D) three")
    assert choice_checks.label_in_all_choices(sample) == (
        "the choices begin with the labels A, B, D"
    )
    assert choice_checks.label_in_some_choices(sample) is None


@pytest.mark.parametrize(
    "choice",
    [
        "All of the above.",
        "none of the above is correct",
        "None of these options",
        "Both A and B",
        "A and C.",
        "Neither (A) nor (B)",
        "A, B and C",
        "Options A and B",
    ],
)
def test_choice_that_refers_to_choices(make_sample: MakeSample, choice: str) -> None:
    sample = make_sample("one", "two", choice)
    found = choice_checks.refers_to_choices(sample)
    assert found is not None
    assert found.startswith("choice 3 reads")


@pytest.mark.parametrize(
    "choice",
    [
        "Directly above",
        "They are all above the chicken",
        "It floats while two others watch.",
        "R and M.",
        "Both of them",
        "a and b",
    ],
)
def test_choice_that_refers_to_nothing(make_sample: MakeSample, choice: str) -> None:
    assert choice_checks.refers_to_choices(make_sample("one", "two", choice)) is None


def test_long_choice(make_sample: MakeSample) -> None:
    assert choice_checks.long_choice(make_sample("x" * 501, "y")) == (
        "choice 1 of up to 501 characters"
    )
    assert choice_checks.long_choice(make_sample("x" * 500, "y")) is None
