"""Cues say what is plainly true of each choice."""

from collections.abc import Callable, Sequence

import pytest

from video_oasis.models.learned.cues import Family, list_cues
from video_oasis.models.learned.text import normalise, read_number
from video_oasis.schema import Sample, Trial

MakeSample = Callable[..., Sample]
BlindTrials = Callable[[Sequence[Sample]], list[Trial]]


def test_cues_of_three_options(make_sample: MakeSample, blind_trials: BlindTrials) -> None:
    sample = make_sample(
        0, ["A red car.", "the blue car", "Not sure"], 0, question="What colour is the car?"
    )
    red, blue, unsure = list_cues(blind_trials([sample])[0])
    assert red[Family.POSITION] == ["position A"]
    assert red[Family.IDENTITY] == ['option is "a red car"']
    assert red[Family.FORM] == ["option begins with a capital", "option ends with a full stop"]
    assert 'option contains "blue car"' in blue[Family.WORDS]
    assert 'only option with "sure"' in unsure[Family.SINGULAR_WORDS]
    assert 'only option without "car"' in unsure[Family.SINGULAR_WORDS]
    assert "shortest option" in unsure[Family.LENGTH]
    assert "longest option" in blue[Family.LENGTH]
    assert "fewest words from the question" in unsure[Family.OVERLAP]
    assert "least like the other options" in unsure[Family.LIKENESS]
    assert blue[Family.QUESTION] == ['question "what colour is the car" → "the blue car"']
    assert red[Family.NUMBER] == []


def test_numbers_are_ranked_by_value(make_sample: MakeSample, blind_trials: BlindTrials) -> None:
    nine, ten, two = list_cues(blind_trials([make_sample(0, ["9 cups", "10 cups", "two"], 0)])[0])
    assert "largest number" in ten[Family.NUMBER]
    assert "smallest number" in two[Family.NUMBER]
    assert nine[Family.NUMBER] == ["no. 2 of 3 by rising number"]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,200 people", 1200.0),
        ("3.5", 3.5),
        ("three", 3.0),
        ("12:30", None),
        ("1.2.3", None),
        ("2 or 3", None),
        ("2 of three", 2.0),
        ("many", None),
        ("", None),
    ],
)
def test_read_number(text: str, number: float | None) -> None:
    assert read_number(text) == number


def test_normalise() -> None:
    assert normalise("  Put ON  the hat/cap. ") == "put on the hat/cap"


@pytest.mark.parametrize("choices", [["only"], ["", ""], ["…", "?", "\ud800"]])
def test_odd_options(
    choices: list[str], make_sample: MakeSample, blind_trials: BlindTrials
) -> None:
    assert len(list_cues(blind_trials([make_sample(0, choices, 0, question="")])[0])) == len(
        choices
    )
