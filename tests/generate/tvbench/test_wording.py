"""Descriptions of one action come out the same, whoever wrote them."""

import pytest

from video_oasis.generate.tvbench.wording import find_verb, name_action, word_past


@pytest.mark.parametrize(
    ("charades", "star", "asked", "name"),
    [
        ("Putting a blanket somewhere", "put a blanket somewhere", "Put down the blanket.",
         ("put", "blanket")),
        ("Taking a towel/towels from somewhere", "take a towel/s from somewhere",
         "Took the towel.", ("take", "towel")),
        ("Closing a closet/cabinet", "close a closet/cabinet", "Closed the closet/cabinet.",
         ("close", "closet")),
        ("Turning off a light", "turn off a light", "Turned off the light.", ("turn off", "light")),
        ("Tidying some clothes", "tidy some clothes", "Tidied up the clothes.", ("tidy", "clothe")),
        ("Lying on a sofa/couch", "lie on a sofa/couch", "Lay on the sofa/couch.", ("lie", "sofa")),
    ],
)  # fmt: skip
def test_one_name_for_one_action(
    charades: str, star: str, asked: str, name: tuple[str, str]
) -> None:
    assert name_action(charades) == name_action(star) == name_action(asked) == name


def test_unlike_actions_have_unlike_names() -> None:
    assert name_action("turn on a light") != name_action("turn off a light")
    assert name_action("open a box") != name_action("close a box")
    assert name_action("open a box") != name_action("open a bag")


def test_past_sentences() -> None:
    assert word_past("Putting a cup/glass/bottle somewhere") == "Put down the cup/glass/bottle."
    assert word_past("Opening a door") == "Opened the door."
    assert word_past("Sneezing") is None
    assert word_past("Opening") is None
    assert word_past("") is None


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("person opens a door", "open"),
        ("a person is opening the door", "open"),
        ("the person begins to open it", "open"),
        ("person sits on a chair", "sit"),
        ("a person is sitting on a chair", "sit"),
        ("person closes the box", "clos"),
        ("person closed the box", "clos"),
        ("person the individual opens another closet", "open"),
        ("it rains", None),
    ],
)
def test_the_verb_of_a_sentence(sentence: str, verb: str | None) -> None:
    assert find_verb(sentence) == verb
