"""Unexpected Action: in which part of a clip the surprising moment is, from FunQA."""

from collections.abc import Sequence
from typing import Final

from video_oasis.generate.sources.funqa import SurprisingMoment
from video_oasis.generate.tvbench.blocks import form_even_blocks, form_single_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.shares import (
    SHARE_CHOICES,
    Part,
    cut_window,
    step_lengths,
    tell_part,
)

_ADJECTIVES: Final = {"H1": "funny", "C1": "creative", "M1": "magical"}


def _find(record: SurprisingMoment, settings: TVBenchSettings, mode: Mode, draws: Draws) -> Found:
    adjective = _ADJECTIVES.get(record.task)
    if adjective is None or record.span_seconds is None:
        yield LeftOut("a row that describes the moment in words")
        return
    start, end = record.span_seconds
    if mode is Mode.FAITHFUL:
        part = tell_part(start, end, record.length_seconds, settings)
        if part is None:
            yield LeftOut("the moment lies between two parts")
        else:
            yield _make_event(record, adjective, part, None)
        return
    lengths = step_lengths(settings.unexpected_seconds, settings.unexpected_step_seconds)
    for length in lengths:
        for part in Part:
            share = draws.share("window", record.id, length, int(part))
            window = cut_window(start, end, record.length_seconds, part, length, share, settings)
            if window is None:
                yield LeftOut("no clip of that length with the moment in that part")
            else:
                yield _make_event(record, adjective, part, window)


def _make_event(
    record: SurprisingMoment, adjective: str, part: Part, window: tuple[float, float] | None
) -> Event:
    start, end = window or (None, None)
    length = record.length_seconds if window is None else round(window[1] - window[0], 3)
    return Event(
        source="funqa",
        video=record.video,
        key=f"{record.id} {int(part)} {length:g}",
        choices=SHARE_CHOICES,
        target=int(part),
        slots=(adjective,),
        group=f"{adjective} {length:g}",
        unit=record.video,
        start_seconds=start,
        end_seconds=end,
        length_seconds=length,
        video_seconds=record.length_seconds,
    )


def _form(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    if mode is Mode.STRICT:
        return form_even_blocks(events, mode, draws)
    return form_single_blocks(events, draws)


UNEXPECTED_ACTION: Final = Task(
    name="unexpected_action",
    asks="in which part of the clip the surprising moment is",
    templates=("When does the {} moment of the video take place?",),
    find={"funqa": _find},
    form_blocks=_form,
)
