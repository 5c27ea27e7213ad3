"""Texts that say the same in other forms have the same lemmas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.judges.lemmas import find_lemma, list_lemmas

DOUBLED = ("cut", "sit", "swim", "run", "hit", "stir", "knit", "shred", "chop", "bat")
WITH_E = ("write", "bake", "grate", "ride", "dance", "slice", "wrestle", "drive")
PLAIN = ("sing", "mix", "play", "build", "draw", "fish", "feed", "fold", "act", "fill", "cook")


@pytest.mark.parametrize(
    ("verb", "participle"),
    [
        *((verb, f"{verb}{verb[-1]}ing") for verb in DOUBLED),
        *((verb, f"{verb[:-1]}ing") for verb in WITH_E),
        *((verb, f"{verb}ing") for verb in PLAIN),
    ],
)
def test_a_verb_in_ing_is_the_verb(verb: str, participle: str) -> None:
    assert list_lemmas(participle) == list_lemmas(verb) == [verb]


@pytest.mark.parametrize("word", ["king", "string", "thing", "nothing", "sibling"])
def test_other_words_in_ing_stay(word: str) -> None:
    assert list_lemmas(word) == [word]


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("leaves", "leaf"),
        ("shelves", "shelf"),
        ("loaves", "loaf"),
        ("halves", "half"),
        ("calves", "calf"),
        ("knives", "knife"),
        ("people", "person"),
        ("women", "woman"),
        ("colours", "color"),
        ("grey", "gray"),
        ("TVs", "television"),
        ("café", "cafe"),
        ("が", "が"),
        ("1st", "first"),
        ("1,000", "1000"),
        ("1,5", "1,5"),
        ("2.50", "2.5"),
        ("3.0", "3"),
        ("10:30", "10:30"),
        ("building", "building"),
    ],
)
def test_the_dictionary_form(word: str, lemma: str) -> None:
    assert find_lemma(word) == lemma


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("two hundred", ["200"]),
        ("a hundred dogs", ["100", "dog"]),
        ("two hundred and five", ["205"]),
        ("three hundred sixty-five", ["365"]),
        ("one thousand", ["1000"]),
        ("two thousand five hundred", ["2500"]),
        ("three million two hundred thousand", ["3200000"]),
        ("twenty-one", ["21"]),
        ("ten five", ["10", "5"]),
        ("two and three", ["2", "and", "3"]),
        ("100 and 200", ["100", "200"]),
        ("1 2 3", ["1", "2", "3"]),
    ],
)
def test_numbers_in_words_are_digits(text: str, words: list[str]) -> None:
    assert list_lemmas(text) == words


@given(st.text())
def test_any_text_has_lemmas(text: str) -> None:
    assert all(list_lemmas(text))
