"""What a recogniser is to the rest of the package."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from video_oasis.hashing import content_id
from video_oasis.media.audio import Samples
from video_oasis.speech.recognisers.settings import RecogniserSettings


@dataclass(frozen=True, slots=True)
class Heard:
    """A piece of speech as a recogniser gives it; its times are made sound by the caller.

    Attributes:
        start_seconds: when it begins, counted from the first sample listened to.
        end_seconds: when it ends.
        text: what is said.
        is_timed: whether the recogniser says when; if not, the times are those of all it was given.
    """

    start_seconds: float
    end_seconds: float
    text: str
    is_timed: bool = True


class Recogniser(Protocol):
    """Something that writes down speech; it may be called from several threads at once."""

    @property
    def name(self) -> str:
        """The name to show."""
        ...

    @property
    def concurrency(self) -> int:
        """How many sounds it may be given at once."""
        ...

    @property
    def longest_seconds(self) -> int:
        """The longest sound it takes at once; longer ones are cut where they are quiet."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes transcripts, as plain data; the id is made from it.

        Raises:
            ModelUnavailable: it cannot be found out, for want of the weights.
        """
        ...

    def check(self) -> None:
        """Find out whether it can listen, before thousands of videos are read.

        Raises:
            ModelUnavailable: it cannot.
        """
        ...

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        """Give what is said piece by piece, as soon as it is known.

        Args:
            samples: sound at 16 kHz, not longer than it takes.

        Raises:
            AskError: nothing came of this sound; recorded, and the others go on.
            ModelUnavailable: nothing will come of any.
        """
        ...


def recogniser_id(recogniser: Recogniser) -> str:
    """Return the content id of everything that changes a recogniser's transcripts."""
    return content_id("recogniser1", recogniser.describe())


@dataclass(frozen=True, slots=True)
class Engine:
    """A way to recognise speech; a member of the family of recognisers.

    Attributes:
        forms: the forms of a recogniser's name after ``ENGINE/``, each with what it stands for.
        settings: names of the fields of ``RecogniserSettings`` that it reads; a change of any other
            is refused.
        open_recogniser: makes a recogniser from the rest of its name and the settings, without
            loading or connecting to anything; raises ``SettingsError`` where one of them does not
            suit the engine.
    """

    forms: Mapping[str, str]
    settings: frozenset[str]
    open_recogniser: Callable[[str, RecogniserSettings], Recogniser]
