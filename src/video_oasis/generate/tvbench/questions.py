"""Words events as questions, and orders their choices so that every position is right as often."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Mode, Task
from video_oasis.hashing import content_id
from video_oasis.schema import Sample, Video

BENCHMARK: Final = "tvbench-generated"
_ID_HEX_DIGITS: Final = 16


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the set.

    Attributes:
        event: what it is about.
        sample: the question as it is asked.
        block: number of the block it belongs to; blocks are kept or removed as a whole.
        cell: name of the block if its answers could have been others with all balance kept, empty
            if not (see ``gate.GateInput``).
    """

    event: Event
    sample: Sample
    block: int
    cell: str


def word_questions(task: Task, blocks: Sequence[Block], mode: Mode, draws: Draws) -> list[Question]:
    """Word the events of blocks.

    The events of a block share one wording and one order of their choices, turned on by one place
    from block to block: neither tells which choice is right, and in a block of one event for each
    choice every position is right once. Where a block is something else, positions take turns.

    Args:
        task: the task.
        blocks: its blocks.
        mode: whether choices may stand in an order fixed by the task.
        draws: which wordings are taken.
    """
    turns: Counter[Hashable] = Counter()
    questions = []
    for number, block in enumerate(blocks):
        template = draws.pick(task.templates, "template", number)
        for event in block:
            question = template.format(*event.slots)
            order = _order(task, event, block, mode, turns)
            choices = tuple(event.choices[index] for index in order)
            questions.append(
                Question(
                    event=event,
                    sample=Sample(
                        id=_name(task, event, question, choices),
                        benchmark=BENCHMARK,
                        video=Video(
                            f"{task.name}/{event.video}",
                            start_seconds=event.start_seconds,
                            end_seconds=event.end_seconds,
                        ),
                        question=question,
                        choices=choices,
                        target=order.index(event.target),
                        task=task.name,
                        metadata={"source": event.source},
                    ),
                    block=number,
                    cell=f"block {number}" if _can_be_dealt(block) else "",
                )
            )
        if _is_even(block):
            turns[block[0].group, block[0].choices] += 1
    return questions


def _order(
    task: Task, event: Event, block: Block, mode: Mode, turns: Counter[Hashable]
) -> tuple[int, ...]:
    n = len(event.choices)
    if mode is Mode.FAITHFUL and len(task.fixed_order) == n:
        return task.fixed_order
    if _is_even(block):
        shift = turns[block[0].group, block[0].choices]
    else:
        shift = event.target - turns["", n]
        turns["", n] += 1
    return tuple((place + shift) % n for place in range(n))


def _can_be_dealt(block: Block) -> bool:
    return len(block) > 1 and (_is_even(block) or all(len(e.choices) == 2 for e in block))


def _is_even(block: Block) -> bool:
    return len({event.choices for event in block}) == 1 and (
        sorted(event.target for event in block) == list(range(len(block[0].choices)))
    )


def _name(task: Task, event: Event, question: str, choices: tuple[str, ...]) -> str:
    content = content_id(
        "generated1",
        [
            *(task.name, event.source, event.video, event.key),
            *(event.start_seconds, event.end_seconds, question, list(choices)),
        ],
    )
    return f"{task.name}-{content.removeprefix('generated1-')[:_ID_HEX_DIGITS]}"
