"""Holds what was made of the samples' videos, as a plan is made from it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeVar

from video_oasis.diagnostics.interface import Need
from video_oasis.evidence.wanted import TimelineKey, Timelines, timeline_key
from video_oasis.media.frames import MediaFailure
from video_oasis.media.sampling import Sampling
from video_oasis.schema import Sample

Key = TypeVar("Key")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class TextKey:
    """Which text of which sample's clip.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        need: speech or captions.
    """

    benchmark: str
    sample_id: str
    need: Need


@dataclass(frozen=True, slots=True)
class ClipText:
    """Text made of a clip.

    Attributes:
        parts: lines of speech, or captions of the chunks, in order.
        outside: a constant word for why a test on this text does not apply to the sample, such as
            ``no_speech_loop``; empty if it does.
        is_cut: whether something was left out because the text is too long to show.
    """

    parts: tuple[str, ...]
    outside: str = ""
    is_cut: bool = False


Texts = Mapping[TextKey, ClipText | MediaFailure]
"""What came of each text that was wanted."""


@dataclass(frozen=True, slots=True)
class RelevanceKey:
    """Which frames are ranked by which question.

    Attributes:
        timeline: the frames.
        question: the question's text.
    """

    timeline: TimelineKey
    question: str


def relevance_key(sample: Sample, sampling: Sampling) -> RelevanceKey:
    """Return the key of the relevance of these frames to the sample's question."""
    return RelevanceKey(timeline_key(sample, sampling), sample.question)


Relevances = Mapping[RelevanceKey, Sequence[float] | MediaFailure]
"""The relevance of each frame of a timeline to a question, in order, or why there is none."""


_ABSENT: Final = frozenset({"missing", "ambiguous", "outside", "unreadable"})
"""Failures that say nothing of a video but that it is not to be had now."""


def keep_known(
    found: Mapping[Key, Result | MediaFailure], known: Mapping[Key, Result | MediaFailure]
) -> dict[Key, Result | MediaFailure]:
    """Return what was found, or what was known before where a video is merely not to be had.

    A disk that is not mounted must not turn answers about its videos into errors.

    Args:
        found: what came of each piece of evidence now.
        known: what came of it before.
    """
    return {
        key: known[key]
        if isinstance(result, MediaFailure) and result.kind in _ABSENT and key in known
        else result
        for key, result in found.items()
    }


@dataclass(frozen=True, slots=True)
class Prepared:
    """All evidence there is; what is not in it has not been looked at.

    Attributes:
        timelines: what came of the samplings.
        texts: what came of the texts.
        relevances: what came of ranking frames by questions.
    """

    timelines: Timelines = field(default_factory=lambda: MappingProxyType({}))
    texts: Texts = field(default_factory=lambda: MappingProxyType({}))
    relevances: Relevances = field(default_factory=lambda: MappingProxyType({}))
