"""Action Sequence: which of two actions came first, from STAR's questions or Charades' times."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final

from video_oasis.generate.sources.charades_files import ActionSpan, CharadesVideo
from video_oasis.generate.sources.star import StarQuestion
from video_oasis.generate.tvbench.blocks import form_even_blocks, form_single_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.wording import name_action, word_past

_QUESTION: Final = re.compile(r"What happened (after|before) the person (\S.*)\?")


def _find_in_star(
    record: StarQuestion, settings: TVBenchSettings, mode: Mode, _draws: Draws
) -> Found:
    asked = _QUESTION.fullmatch(record.question)
    if asked is None:
        yield LeftOut("not a question for what came before or after")
        return
    other = f"{asked[2][0].upper()}{asked[2][1:].rstrip('.')}."
    pair = (other, record.answer) if asked[1] == "after" else (record.answer, other)
    if pair[0] == pair[1]:
        yield LeftOut("twice the same action")
        return
    if mode is Mode.STRICT:
        rate = settings.star_frames_per_second
        spans = [
            ActionSpan(name, frames[0] / rate, frames[-1] / rate)
            for name, frames in record.frames_of_action.items()
        ]
        found = [_match(text, spans) for text in pair]
        if not all(len(of_text) == 1 for of_text in found):
            yield LeftOut("no times of one of the two actions, or several")
            return
        if not _is_clear(found[0][0], found[1][0], spans, settings):
            yield LeftOut("the two actions are not clearly apart")
            return
    yield _make_event(
        "star", record.video, record.id, pair, record.start_seconds, record.end_seconds, None
    )


def _find_in_charades(
    record: CharadesVideo, settings: TVBenchSettings, mode: Mode, _draws: Draws
) -> Found:
    worded = [(span, word_past(span.name)) for span in record.actions]
    for _, text in worded:
        if text is None:
            yield LeftOut("an action whose verb is not one that is asked about")
    named = [(span, text) for span, text in worded if text is not None]
    for (first, first_text), (second, second_text) in permutations(named, 2):
        if first.start_seconds >= second.start_seconds or first_text == second_text:
            continue
        if second.end_seconds > record.length_seconds:
            yield LeftOut("an action that goes on when the video ends")
            continue
        if mode is Mode.STRICT and not _is_clear(first, second, record.actions, settings):
            yield LeftOut("the two actions are not clearly apart")
            continue
        yield _make_event(
            "charades",
            f"{record.id}.mp4",
            f"{first_text} {second_text} {first.start_seconds:g} {second.end_seconds:g}",
            (first_text, second_text),
            first.start_seconds,
            second.end_seconds,
            record.length_seconds,
        )


def _match(text: str, spans: Sequence[ActionSpan]) -> list[ActionSpan]:
    name = name_action(text)
    return [span for span in spans if name is not None and name_action(span.name) == name]


def _is_clear(
    first: ActionSpan, second: ActionSpan, spans: Sequence[ActionSpan], settings: TVBenchSettings
) -> bool:
    """Tell whether one action ends well before the other begins and neither comes again."""
    gap = second.start_seconds - first.end_seconds
    if gap < settings.sequence_min_gap_seconds:
        return False
    names = {name_action(first.name), name_action(second.name)}
    return len(names) == 2 and not any(
        name_action(span.name) in names
        and span.end_seconds > first.start_seconds
        and span.start_seconds < second.end_seconds
        for span in spans
        if span is not first and span is not second
    )


def _make_event(
    source: str,
    video: str,
    key: str,
    pair: tuple[str, str],
    start_seconds: float,
    end_seconds: float,
    video_seconds: float | None,
) -> Event:
    choices = tuple(sorted(pair))
    return Event(
        source=source,
        video=video,
        key=key,
        choices=choices,
        target=choices.index(pair[0]),
        unit=video,
        start_seconds=start_seconds,
        end_seconds=end_seconds,
        length_seconds=end_seconds - start_seconds,
        video_seconds=video_seconds,
    )


def _form(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    if mode is Mode.STRICT:
        # One event for each order of the same two actions: common sense says nothing then.
        return form_even_blocks(events, mode, draws)
    # STAR asks of one pair what came after the one and what came before the other.
    return form_single_blocks([replace(event, unit=_name_asked(event)) for event in events], draws)


def _name_asked(event: Event) -> str:
    return "\n".join(
        map(str, (event.video, event.start_seconds, event.end_seconds, *event.choices))
    )


ACTION_SEQUENCE: Final = Task(
    name="action_sequence",
    asks="which of two actions came first",
    templates=("What did the person do first?",),
    find={"star": _find_in_star, "charades": _find_in_charades},
    form_blocks=_form,
)
