"""Holds what was made of the samples' videos, as a plan is made from it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from video_oasis.diagnostics.interface import Need
from video_oasis.evidence.wanted import Timelines
from video_oasis.media.frames import MediaFailure


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
class Prepared:
    """All evidence there is; what is not in it has not been looked at.

    Attributes:
        timelines: what came of the samplings.
        texts: what came of the texts.
    """

    timelines: Timelines = field(default_factory=lambda: MappingProxyType({}))
    texts: Texts = field(default_factory=lambda: MappingProxyType({}))
