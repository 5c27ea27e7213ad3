"""Action Antonym: which of two opposite actions is done, from performances of NTU RGB+D."""

import math
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from video_oasis.generate.sources.ntu import Performance
from video_oasis.generate.tvbench.blocks import form_even_blocks, form_even_texts
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings


@cache
def read_antonyms() -> dict[int, tuple[tuple[int, int], tuple[str, str]]]:
    """Return for each action that has an opposite the numbers and our wordings of the pair."""
    file = files("video_oasis.generate.tvbench").joinpath("antonyms.toml")
    pairs = tomllib.loads(file.read_text(encoding="utf-8"))["pair"]
    return {
        number: ((pair["actions"][0], pair["actions"][1]), (pair["words"][0], pair["words"][1]))
        for pair in pairs
        for number in pair["actions"]
    }


def _find(record: Performance, settings: TVBenchSettings, mode: Mode, _draws: Draws) -> Found:
    antonyms = read_antonyms().get(record.action)
    if antonyms is None:
        yield LeftOut("an action without an opposite")
        return
    numbers, words = antonyms
    group = ""
    if mode is Mode.STRICT:
        if record.length_seconds is None:
            yield LeftOut("the clip's length is not listed")
            return
        band = math.floor(math.log(record.length_seconds) / math.log(settings.antonym_length_ratio))
        group = f"{record.person} {band}"
    elif all(number in record.action_names for number in numbers):
        names = [record.action_names[number] for number in numbers]
        words = (f"{names[0].capitalize()}.", f"{names[1].capitalize()}.")
    performance = f"{record.setup} {record.person} {record.repetition} {record.action}"
    yield Event(
        source="ntu",
        video=record.video,
        key="",
        choices=words,
        target=numbers.index(record.action),
        group=group,
        unit=performance if mode is Mode.STRICT else "",
        length_seconds=record.length_seconds,
        video_seconds=record.length_seconds,
    )


def _form(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    if mode is Mode.STRICT:
        return form_even_blocks(events, mode, draws)
    return form_even_texts(events, draws)


ACTION_ANTONYM: Final = Task(
    name="action_antonym",
    asks="which of two opposite actions is done",
    templates=("What is the action being performed in the video?",),
    find={"ntu": _find},
    form_blocks=_form,
)
