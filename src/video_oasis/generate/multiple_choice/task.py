"""Gives the open questions of one task choices that its text does not point among."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.errors import SchemaError
from video_oasis.generate.multiple_choice.asked import Asked
from video_oasis.generate.multiple_choice.blocks import Members, form_blocks
from video_oasis.generate.multiple_choice.kinds import YES_OR_NO
from video_oasis.generate.multiple_choice.naive import ask, draw_naively
from video_oasis.generate.tvbench.checks import find_faults, find_imbalances
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.engine import Listener, drop_given_away
from video_oasis.generate.tvbench.gate import GateInput, GateResult, measure_giveaways
from video_oasis.generate.tvbench.interface import Block, Event, Mode, Task
from video_oasis.generate.tvbench.questions import Question, word_questions
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import Sample

PRUNED: Final = "its text gives it away"
TASK_TOO_SMALL: Final = "too few questions of its task are left (min_questions)"

_OVERLAP: Final = "text: question overlap"
"""The one rule of the lint that blocks do not hold at chance by their form: its level is never
divided, so that the lint finds nothing that the gate let pass."""
_WORTH_PRUNING: Final = 0.5
"""Pruning that leaves a task given away is kept if no more than this share is left of how far it
was above chance."""


@dataclass(frozen=True, slots=True)
class TaskProposal:
    """What became of one task.

    Attributes:
        task: the task.
        samples: the questions that got choices, in order of their ids.
        left_out: how many did not, by reason.
        n_attempts: how often choices were drawn.
        n_pruned_in_vain: so many questions were taken out on trial, and put back because the text
            gave the others away all the same.
        naive: a naive draw for questions of the same kinds, for comparison.
        before: what the text gives away of that; None if there is none.
        after: what it gives away of the proposals; None if there are none.
    """

    task: str
    samples: tuple[Sample, ...]
    left_out: Mapping[str, int]
    n_attempts: int
    n_pruned_in_vain: int
    naive: tuple[Sample, ...]
    before: GateResult | None
    after: GateResult | None

    @property
    def n_questions(self) -> int:
        """Number of its open questions."""
        return len(self.samples) + sum(self.left_out.values())


@dataclass(frozen=True, slots=True)
class _Drawn:
    """One draw of choices: the blocks, their questions in this order, and what is given away."""

    blocks: Sequence[Block]
    questions: Sequence[Question]
    samples: Sequence[Sample]
    gate: GateResult


def propose_task(
    asked: Sequence[Asked],
    unreadable: Sequence[str],
    task: str,
    n_choices: int,
    seed: int,
    settings: TVBenchSettings,
    *,
    listener: Listener = lambda _: None,
) -> TaskProposal:
    """Draw choices until no text gives them away, as often as the settings say; then prune.

    Where pruning leaves them given away about as far, nothing is pruned.

    Args:
        asked: the questions, in order of their ids.
        unreadable: for each question of the task that cannot be asked at all, why.
        task: the task.
        n_choices: number of choices; questions answered yes or no have these two.
        seed: fixes all draws.
        settings: those of the gate and of pruning count.
        listener: is told of the progress.
    """
    pools: dict[str, list[Asked]] = defaultdict(list)
    for each in asked:
        pools[each.kind].append(each)
    sizes = {kind: 2 if kind == YES_OR_NO else n_choices for kind in sorted(pools)}
    listener(f"{task}: {len(asked)} questions of {len(pools)} kinds")
    naive = tuple(
        sample
        for kind, size in sizes.items()
        for sample in draw_naively(pools[kind], size, Draws(seed, f"{task}\n{kind}"))
    )
    before = measure_giveaways([GateInput(each) for each in naive], settings) if naive else None
    suspects = frozenset({_OVERLAP})
    for attempt in range(settings.gate_attempts):
        draws = Draws(seed, task, attempt)
        left_out = Counter(unreadable)
        blocks: list[Block] = []
        for kind, size in sizes.items():
            of_kind = Draws(seed, f"{task}\n{kind}", attempt)
            formed, in_none = form_blocks(pools[kind], size, of_kind)
            blocks += map(_describe, formed)
            left_out.update(why for _, why in in_none)
        n_start = sum(map(len, blocks))
        if n_start < settings.min_questions:
            left_out[TASK_TOO_SMALL] += n_start
            return _close(task, None, left_out, attempt + 1, 0, naive, before)
        drawn = _word(asked, blocks, draws, settings, suspects)
        suspects |= drawn.gate.too_high
        if drawn.gate.is_open:
            break
        listener(f"{task}: given away by {', '.join(sorted(drawn.gate.too_high))}")
    fewest = max(settings.min_questions, (1 - settings.prune_max_share) * n_start)
    whole = drawn
    while not drawn.gate.is_open:
        blocks = drop_given_away(
            drawn.blocks, drawn.questions, drawn.gate, settings.prune_share * n_start
        )
        if sum(map(len, blocks)) < fewest:
            break
        listener(f"{task}: pruned to {sum(map(len, blocks))} questions")
        drawn = _word(asked, blocks, draws, settings, suspects)
        suspects |= drawn.gate.too_high
    n_pruned = n_start - len(drawn.samples)
    if n_pruned and not _is_worth_pruning(whole.gate, drawn.gate):
        listener(f"{task}: pruning did not help; all {n_start} questions stay")
        return _close(task, whole, left_out, attempt + 1, n_pruned, naive, before)
    left_out[PRUNED] += n_pruned
    return _close(task, drawn, left_out, attempt + 1, 0, naive, before)


def _is_worth_pruning(before: GateResult, after: GateResult) -> bool:
    return after.is_open or _exceed_chance(after) <= _WORTH_PRUNING * _exceed_chance(before)


def _exceed_chance(gate: GateResult) -> float:
    """Return how far above chance the best predictor that is too high scores, 0 for below it."""
    return max([0.0, *(row.score - row.chance for row in gate.rows if row.is_too_high)])


def _describe(members: Members) -> Block:
    # In the alphabet, which says nothing: every choice is right once at its place.
    choices = tuple(sorted(member.text for member in members))
    return tuple(
        Event(
            source=member.question.benchmark,
            video=member.question.video.path,
            key=member.question.id,
            choices=choices,
            target=choices.index(member.text),
            slots=(member.question.question,),
            group=member.kind,
        )
        for member in members
    )


def _word(
    asked: Sequence[Asked],
    blocks: Sequence[Block],
    draws: Draws,
    settings: TVBenchSettings,
    suspects: frozenset[str],
) -> _Drawn:
    """Order the choices of blocks, and measure what comes of it."""
    originals = {each.question.id: each for each in asked}
    task = Task(
        name=asked[0].question.task,
        asks="",
        templates=("{}",),
        find={},
        form_blocks=lambda _events, _mode, _draws: [],
    )
    questions = word_questions(task, blocks, Mode.STRICT, draws)
    samples = [ask(originals[each.event.key], each.sample.choices) for each in questions]
    faults = find_faults(samples) + find_imbalances(samples)
    if faults:
        raise SchemaError(f"choices drawn for {task.name} have a fault: {faults[0]}")
    inputs = [
        GateInput(sample, cell=each.cell) for sample, each in zip(samples, questions, strict=True)
    ]
    return _Drawn(
        blocks, questions, samples, measure_giveaways(inputs, settings, suspects=suspects)
    )


def _close(
    task: str,
    drawn: _Drawn | None,
    left_out: Counter[str],
    n_attempts: int,
    n_pruned_in_vain: int,
    naive: tuple[Sample, ...],
    before: GateResult | None,
) -> TaskProposal:
    return TaskProposal(
        task=task,
        samples=tuple(sorted(drawn.samples, key=lambda each: each.id)) if drawn else (),
        left_out={why: n for why, n in sorted(left_out.items()) if n},
        n_attempts=n_attempts,
        n_pruned_in_vain=n_pruned_in_vain,
        naive=naive,
        before=before,
        after=drawn.gate if drawn else None,
    )
