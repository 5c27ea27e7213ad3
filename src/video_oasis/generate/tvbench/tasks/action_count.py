"""Action Count: how often something is done, from Perception Test's counting questions."""

from typing import Final

from video_oasis.generate.sources.perception_test import PerceptionQuestion
from video_oasis.generate.tvbench.blocks import form_even_blocks
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.lint.wording import tokens


def _find(
    record: PerceptionQuestion, settings: TVBenchSettings, mode: Mode, _draws: Draws
) -> Found:
    if not all(option.isdecimal() for option in record.options):
        yield LeftOut("not a question for a number")
        return
    answer = int(record.options[record.target])
    if answer not in settings.count_answers:
        yield LeftOut("the number is not one of those asked for")
        return
    words = tokens(record.question)
    if mode is Mode.STRICT and any(word in words for word in settings.count_excluded_words):
        yield LeftOut("a question whose wording goes with few numbers")
        return
    answers = sorted(set(settings.count_answers))
    yield Event(
        source="perception-test",
        video=record.video.video,
        key=record.id,
        choices=tuple(map(str, answers)),
        target=answers.index(answer),
        slots=(record.question,),
        group=record.question,
        length_seconds=record.video.length_seconds,
        video_seconds=record.video.length_seconds,
    )


ACTION_COUNT: Final = Task(
    name="action_count",
    asks="how often something is done",
    templates=("{}",),
    find={"perception-test": _find},
    form_blocks=form_even_blocks,
    fixed_order=(0, 1, 3, 2),
)
