"""Answers that say the same are told, whatever their wording."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.generate.multiple_choice.variants import are_variants, list_runs, reduce_answer


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("man", "A man."),
        ("man", "MEN"),
        ("the children", "child"),
        ("people", "person"),
        ("playing", "play"),
        ("riding", "rides"),
        ("colour", "color"),
        ("two", "2"),
        ("twenty-one", "21"),
        ("fifty", "50"),
        ("1,000", "1000"),
        ("man", "young man"),
        ("man riding", "a man is riding a horse"),
        ("guitar", "electric guitars"),
        ("gray", "grey"),
        ("cut", "cutting"),
        ("sitting", "sit"),
        ("leaf", "leaves"),
        ("halves", "half"),
        ("two hundred", "200"),
        ("1000", "one thousand"),
        ("1st", "first"),
        ("2.5", "2.50"),
        ("café", "cafe"),
        ("TV", "television"),
        ("t-shirt", "tshirt"),
        ("basketball", "basket ball"),
        ("basketball player", "young basket ball player"),
        ("mp3", "mp 3"),
        ("red and blue", "blue and red"),
        ("black & white dog", "white and black dogs"),
        ("black, white", "white and black"),
        ("red, white, and blue", "red, white and blue"),
        ("red and blue", "blue, green and red"),
    ],
)
def test_variants(one: str, other: str) -> None:
    assert are_variants(reduce_answer(one), reduce_answer(other))
    assert are_variants(reduce_answer(other), reduce_answer(one))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("man", "woman"),
        ("two", "twenty-two"),
        ("2", "12"),
        ("1.5", "15"),
        ("left to right", "right to left"),
        ("from red and blue to green", "from green to blue and red"),
        ("left and then right", "right and then left"),
        ("peel, cut and fry", "cut, peel and fry"),
        ("red and blue", "red and green"),
        ("two hundred", "two thousand"),
        ("100", "10"),
        ("3rd", "three"),
        ("2.05", "2.5"),
        ("basketball", "football"),
        ("young man", "old man"),
        ("+", "-"),
        ("彼は泳ぐ", "彼は走る"),
    ],
)
def test_no_variants(one: str, other: str) -> None:
    assert not are_variants(reduce_answer(one), reduce_answer(other))
    assert not are_variants(reduce_answer(other), reduce_answer(one))


PHRASES = st.lists(
    st.sampled_from(("and", "to", "red", "blue", "basket", "ball", "basketball", "2", "100")),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(PHRASES, PHRASES)
def test_variants_have_a_run_in_common(one: str, other: str) -> None:
    first, second = reduce_answer(one), reduce_answer(other)
    assert are_variants(first, second) == are_variants(second, first)
    assert are_variants(first, first)
    if are_variants(first, second):
        assert list_runs(first) & list_runs(second)
