"""What a task of the generator is: how it finds events in a source, and how they are asked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import Sample


class Mode(StrEnum):
    """What a set is to be like."""

    FAITHFUL = "faithful"
    """Has the properties of the released TVBench, its shortcuts included."""
    STRICT = "strict"
    """Is balanced so that neither text nor length points to the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something in a video that can be asked about, with its answer.

    Attributes:
        source: name of the source.
        video: file name, below the source's folder of videos.
        key: tells the event from others of its video.
        choices: the choices in an order that does not depend on the answer.
        target: index of the right one.
        slots: what is filled into the task's question, in order.
        group: answers are spread evenly within each group of events.
        unit: of events that share one, a set has one; empty for an event of its own.
        start_seconds: start of the clip, None for the start of the video.
        end_seconds: end of the clip, None for the end of the video.
        length_seconds: length of the clip as shown; None if it is not known.
        video_seconds: length of the whole video; None if it is not known.
        family: what kind of video it is, where kinds could be learned by heart; empty for none.
    """

    source: str
    video: str
    key: str
    choices: tuple[str, ...]
    target: int
    slots: tuple[str, ...] = ()
    group: str = ""
    unit: str = ""
    start_seconds: float | None = None
    end_seconds: float | None = None
    length_seconds: float | None = None
    video_seconds: float | None = None
    family: str = ""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something that is not asked about, and why: a constant phrase, to be counted."""

    reason: str


Found = Iterator[Event | LeftOut]
Find = Callable[[Any, TVBenchSettings, Mode, Draws], Found]
"""Finds the events of one record of a source."""

Block = tuple[Event, ...]
"""Events that stand or fall together: each of their answers is right as often as it is offered."""

FormBlocks = Callable[[Sequence[Event], Mode, Draws], list[Block]]
"""Makes blocks of events; those that fit into none are left over."""

ScoreRule = Callable[[Sequence[Sample]], Sequence[float]]
"""A rule that picks choices from their text: 1 for each sample it gets right, 0 for each other, a
fraction where it ties."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One kind of question.

    Attributes:
        name: its name, as in the released files.
        asks: what it asks, in a few words.
        templates: wordings of the question, with ``{}`` for each slot.
        find: for each source it can be made from, how.
        form_blocks: how events are put together.
        fixed_order: in the faithful mode, the order in which so many choices always stand, as
            indices; empty where it is random.
        rules: rules of the task's own that no set may be solved by.
        texts_recur: whether choices recur from question to question, so that in a strict set each
            must be right in exactly its share of the questions that offer it.
    """

    name: str
    asks: str
    templates: tuple[str, ...]
    find: Mapping[str, Find]
    form_blocks: FormBlocks
    fixed_order: tuple[int, ...] = ()
    rules: Mapping[str, ScoreRule] = field(default_factory=dict)
    texts_recur: bool = True
