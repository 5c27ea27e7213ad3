"""Egocentric Sequence: in which order the steps of a procedure are done, from label banks."""

from collections.abc import Mapping, Sequence
from typing import Final

from video_oasis.generate.sources.procedures import ProcedureVideo
from video_oasis.generate.tvbench.blocks import form_even_blocks, form_even_texts
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Block, Event, Found, LeftOut, Mode, Task
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.lint.bias import share_if_best
from video_oasis.schema import Sample

_COMMA: Final = ", "
_N_DISTRACTORS: Final = 3
_MOST_SWAPS: Final = 100
Steps = tuple[str, ...]


def _find(record: ProcedureVideo, _settings: TVBenchSettings, mode: Mode, draws: Draws) -> Found:
    if mode is Mode.STRICT:
        choices = find_siblings(record.steps, record.bank)
        if len(choices) < 2:
            yield LeftOut("no other procedure has the same steps in another order")
            return
    else:
        found = _swap_in_chain(record, draws)
        if found is None:
            yield LeftOut("too few orders of the steps")
            return
        choices = found
    yield Event(
        source="svip",
        video=record.video,
        key="",
        choices=tuple(map(_COMMA.join, choices)),
        target=choices.index(record.steps),
        family=record.procedure,
    )


def find_siblings(steps: Steps, bank: Mapping[str, Steps]) -> list[Steps]:
    """Return the orders in which procedures do exactly these steps, each once, sorted."""
    return sorted({other for other in bank.values() if sorted(other) == sorted(steps)})


def _swap_in_chain(record: ProcedureVideo, draws: Draws) -> list[Steps] | None:
    """Swap two steps of the right order, two steps of what comes of it, and so on.

    No video shows what comes of it, so it is never right; and each is farther from the right order.
    """
    if len(record.steps) < 2:
        return None
    real = set(record.bank.values())
    chain = [record.steps]
    for turn in range(_MOST_SWAPS):
        first, second = draws.shuffle(range(len(record.steps)), "swap", record.video, turn)[:2]
        swapped = list(chain[-1])
        swapped[first], swapped[second] = swapped[second], swapped[first]
        if tuple(swapped) not in real and tuple(swapped) not in chain:
            chain.append(tuple(swapped))
        if len(chain) == 1 + _N_DISTRACTORS:
            return sorted(chain)
    return None


def count_violations(steps: Sequence[str]) -> int:
    """Count the things that are put down before they are first taken up."""
    first_taken: dict[str, int] = {}
    first_put: dict[str, int] = {}
    for place, step in enumerate(steps):
        for opening, first in (("take up ", first_taken), ("put down ", first_put)):
            if step.startswith(opening):
                first.setdefault(step.removeprefix(opening), place)
    return sum(first_put[thing] < first_taken.get(thing, len(steps)) for thing in first_put)


def _score_logic(samples: Sequence[Sample]) -> list[float]:
    return [
        share_if_best(
            {choice: -float(count_violations(choice.split(_COMMA))) for choice in sample.choices},
            sample.choices[sample.target],
        )
        for sample in samples
    ]


def _form(events: Sequence[Event], mode: Mode, draws: Draws) -> list[Block]:
    if mode is Mode.STRICT:
        return form_even_blocks(events, mode, draws)
    return form_even_texts(events, draws)


EGOCENTRIC_SEQUENCE: Final = Task(
    name="egocentric_sequence",
    asks="in which order the steps of a procedure are done",
    templates=("What is the sequence of actions shown in the video?",),
    find={"svip": _find},
    form_blocks=_form,
    rules={"fewest put down before taken up": _score_logic},
)
