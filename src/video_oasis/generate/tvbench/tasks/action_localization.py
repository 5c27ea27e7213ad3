"""Action Localization: in which part of a clip something is done, from Charades-STA's sentences."""

from typing import Final

from video_oasis.generate.sources.charades_sta import Moment
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.shares import SHARE_CHOICES, Part, cut_window, step_lengths
from video_oasis.generate.tvbench.wording import find_verb

_DECIMALS: Final = 3


def _find(record: Moment, settings: TVBenchSettings, mode: Mode, draws: Draws) -> Found:
    return (
        _find_fixed(record, settings)
        if mode is Mode.FAITHFUL
        else _find_drawn(record, settings, draws)
    )


def _find_fixed(record: Moment, settings: TVBenchSettings) -> Found:
    """Cut clips in which the action fills a third, at a fixed place, or all."""
    start, end = record.start_seconds, record.end_seconds
    duration = end - start
    shortest, longest = settings.localization_seconds
    for part, (first, last) in (
        (Part.BEGINNING, (start, start + 3 * duration)),
        (Part.MIDDLE, (start - duration, end + duration)),
        (Part.END, (end - 3 * duration, end)),
        (Part.THROUGHOUT, (start, end)),
    ):
        window = (round(first, _DECIMALS), round(last, _DECIMALS))
        length = window[1] - window[0]
        if window[0] < 0 or window[1] > record.length_seconds:
            yield LeftOut("the clip would not lie inside the video")
        elif not shortest <= length <= longest:
            yield LeftOut("the clip would be too short or too long")
        else:
            yield _make_event(record, part, window, "")


def _find_drawn(record: Moment, settings: TVBenchSettings, draws: Draws) -> Found:
    """Cut clips of set lengths, in which the action lies anywhere within its part."""
    verb = find_verb(record.sentence)
    if verb is None:
        yield LeftOut("no verb found in the sentence")
        return
    for length in step_lengths(settings.localization_seconds, settings.localization_step_seconds):
        for part in Part:
            share = draws.share("window", record.video, record.sentence, length, int(part))
            window = cut_window(
                record.start_seconds,
                record.end_seconds,
                record.length_seconds,
                part,
                length,
                share,
                settings,
            )
            if window is None:
                yield LeftOut("no clip of that length with the action in that part")
            elif _recurs(record, verb, window):
                yield LeftOut("something like it is done again in the clip")
            else:
                yield _make_event(record, part, window, f"{verb} {length:g}")


def _recurs(record: Moment, verb: str, window: tuple[float, float]) -> bool:
    return any(
        find_verb(sentence) == verb and start < window[1] and end > window[0]
        for sentence, start, end in record.others
    )


def _make_event(record: Moment, part: Part, window: tuple[float, float], group: str) -> Event:
    return Event(
        source="charades-sta",
        video=record.video,
        key=f"{record.sentence} {record.start_seconds:g} {window[0]:g} {window[1]:g} {int(part)}",
        choices=SHARE_CHOICES,
        target=int(part),
        slots=(record.sentence,),
        group=group,
        unit=record.video,
        start_seconds=window[0],
        end_seconds=window[1],
        length_seconds=round(window[1] - window[0], _DECIMALS),
        video_seconds=record.length_seconds,
    )


ACTION_LOCALIZATION: Final = Task(
    name="action_localization",
    asks="in which part of the clip something is done",
    templates=(
        "When in the video does this happen: {}?",
        "In which part of the video is this: {}?",
    ),
    find={"charades-sta": _find},
    form_blocks=form_even_blocks,
)
