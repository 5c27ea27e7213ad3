"""Object Shuffle: where the hidden object is, from the cups games of Perception Test."""

from typing import Final

from video_oasis.generate.sources.perception_test import PerceptionQuestion
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings

_CHOICES: Final = tuple(
    f"Under the {ordinal} object from the left." for ordinal in ("first", "second", "third")
)


def _find(
    record: PerceptionQuestion, settings: TVBenchSettings, mode: Mode, _draws: Draws
) -> Found:
    options = [f"{option.rstrip('.')}." for option in record.options]
    if sorted(options) != sorted(_CHOICES):
        yield LeftOut("not a question for one of three places")
        return
    if mode is Mode.STRICT and record.video.n_occluders != settings.n_cups:
        yield LeftOut(f"not known to have exactly {settings.n_cups} objects")
        return
    yield Event(
        source="perception-test",
        video=record.video.video,
        key=record.id,
        choices=_CHOICES,
        target=_CHOICES.index(options[record.target]),
        slots=(record.question,),
        group=record.question,
        length_seconds=record.video.length_seconds,
        video_seconds=record.video.length_seconds,
    )


OBJECT_SHUFFLE: Final = Task(
    name="object_shuffle",
    asks="under which of several objects something is hidden at the end",
    templates=("{}",),
    find={"perception-test": _find},
    form_blocks=form_even_blocks,
    fixed_order=(2, 1, 0),
)
