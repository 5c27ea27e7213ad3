"""Open questions made up for tests."""

from collections.abc import Callable
from typing import Final

import numpy as np
import pytest

from video_oasis.benchmarks.interface import Contents
from video_oasis.schema import OpenQuestion, Video

Ask = Callable[..., OpenQuestion]

PEOPLE: Final = ("man", "woman", "boy", "girl", "person", "dog", "baby", "chef", "cat", "player")
THINGS: Final = (
    *("guitar", "horse", "potato", "ball", "onion", "piano", "bicycle", "egg", "car", "drum"),
    *("knife", "fish", "paper", "water", "bread", "carrot", "flute", "tomato", "box", "rope"),
)
DEEDS: Final = ("ride", "play", "cut", "cook", "dance", "run", "sing", "talk", "swim", "jump")


def ask(
    number: int,
    question: str,
    reference: str,
    *,
    video: str = "",
    task: str = "t",
    start_seconds: float | None = None,
) -> OpenQuestion:
    """Make an open question, about a clip of its own unless told otherwise."""
    return OpenQuestion(
        id=f"q{number:04d}",
        benchmark="captions",
        video=Video(video or f"clip{number}.avi", start_seconds=start_seconds),
        question=question,
        reference=reference,
        task=task,
        metadata={"split": "test"},
    )


@pytest.fixture(name="ask")
def give_ask() -> Ask:
    """Give the function that makes an open question."""
    return ask


def contain(*questions: OpenQuestion) -> Contents:
    """Return questions as what the files of a set hold."""
    return Contents("captions", "open", (), questions, ())


@pytest.fixture(name="contain")
def give_contain() -> Callable[..., Contents]:
    """Give the function that makes a set of questions."""
    return contain


@pytest.fixture(scope="session")
def captions() -> Contents:
    """Make 600 questions as MSVD-QA has: answers by Zipf's law, whatever the rest of the wording.

    Two thirds ask what, a quarter who, the rest how many or yes or no.
    """
    random = np.random.default_rng(3)

    def draw(values: tuple[str, ...]) -> str:
        odds = 1 / np.arange(1, len(values) + 1)
        return str(random.choice(values, p=odds / odds.sum()))

    questions = []
    for number in range(600):
        kind = random.random()
        if kind < 0.45:
            deed = random.choice(("holding", "moving", "using"))
            asked, answer, task = f"what is a {draw(PEOPLE)} {deed}?", draw(THINGS), "what"
        elif kind < 0.65:
            asked, answer, task = f"what is a {draw(PEOPLE)} doing?", draw(DEEDS), "what"
        elif kind < 0.85:
            asked, answer, task = f"who is holding a {draw(THINGS)}?", draw(PEOPLE), "who"
        elif kind < 0.93:
            counts = ("two", "three", "four", "five", "one")
            asked, answer, task = f"how many of them hold a {draw(THINGS)}?", draw(counts), "how"
        else:
            asked, answer, task = f"is there a {draw(THINGS)}?", draw(("yes", "no")), "other"
        questions.append(ask(number, asked, answer, video=f"vid{number // 2}.avi", task=task))
    return contain(*questions)
