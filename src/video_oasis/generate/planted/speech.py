"""What is said in a clip, and questions that it answers."""

from typing import Final, NamedTuple

from video_oasis.generate.dealer import Dealer
from video_oasis.generate.planted.scene import Draft, others
from video_oasis.generate.planted.truth import Evidence, PlantedKind

SILENT_ONE_IN: Final = 8
"""Of the clips without a question about speech, one in so many has none."""


class Line(NamedTuple):
    """A stretch of speech.

    Attributes:
        start_seconds: when it begins.
        end_seconds: when it ends.
        text: the words.
    """

    start_seconds: float
    end_seconds: float
    text: str


class _Fact(NamedTuple):
    variant: str
    question: str
    sentence: str
    values: tuple[str, ...]


_FACTS: Final = (
    _Fact("name", "What is the night guard called?", "The night guard is called {}.",
          ("Mara", "Otis", "Lena", "Hugo")),
    _Fact("hiding_place", "Where is the spare key?", "You will find the spare key {}.",
          ("under the doormat", "behind the clock", "inside the teapot", "above the window")),
    _Fact("departure", "When does the last boat leave?", "The last boat leaves {} tonight.",
          ("at seven", "at eight", "at nine", "at ten")),
    _Fact("supper", "What is there for supper?", "For supper there is {} again.",
          ("fish soup", "bean stew", "rice pudding", "onion pie")),
)  # fmt: skip
_CHATTER: Final = (
    "Keep an eye on the floor in front of you.",
    "I have been here since early this morning.",
    "It is quieter than it was last week.",
    "Let us see what turns up this time.",
    "The light is good enough for a few more takes.",
    "Nobody told me how long this would go on.",
)


def speak(seed: int, clip: int, fact: str = "") -> tuple[Line, ...]:
    """Return what is said in a clip.

    Args:
        seed: the set's seed.
        clip: the clip's number.
        fact: the sentence that answers a question; without one there may be no speech at all.
    """
    dealer = Dealer(seed, "speech")
    if not fact and dealer.draw(SILENT_ONE_IN, "silent", clip) == 0:
        return ()
    first, second, *_ = dealer.order(_CHATTER, "chatter", clip)
    if not fact:
        return (Line(0.5, 3.25, first), Line(4.0, 7.0, second))
    return (Line(0.25, 2.5, first), Line(2.75, 5.25, fact), Line(5.5, 7.75, second))


def word_spoken(seed: int, number: int) -> tuple[Draft, str]:
    """Write one question that speech answers, and the sentence that does so.

    Args:
        seed: the set's seed.
        number: its number among those of its kind.
    """
    fact = _FACTS[number % len(_FACTS)]
    answer, position = Dealer(seed, fact.variant).deal(number // len(_FACTS))
    right = fact.values[answer]
    draft = Draft(
        kind=PlantedKind.AUDIO,
        variant=fact.variant,
        task="spoken_detail",
        question=fact.question,
        wrong=others(fact.values, right),
        position=position,
        label=right,
        acceptable=(right,),
        evidence=(Evidence.SPEECH,),
    )
    return draft, fact.sentence.format(right)
