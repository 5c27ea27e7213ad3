"""Makes the multiple-choice forms of a set, and says what their text gives away."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.benchmarks.interface import Contents
from video_oasis.errors import SettingsError
from video_oasis.generate.multiple_choice.asked import Asked, prepare
from video_oasis.generate.multiple_choice.task import TaskProposal, propose_task
from video_oasis.generate.tvbench.engine import Listener
from video_oasis.generate.tvbench.gate import GateRow
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.lint.bias import BiasRow, tabulate_bias
from video_oasis.schema import MAX_CHOICES, Sample

SETTINGS: Final = TVBenchSettings(gate_learners=("logistic", "neighbours"))
"""Settings by default: without the forest, which takes hours for ten thousand questions."""


@dataclass(frozen=True, slots=True)
class KindCount:
    """The questions of one kind.

    Attributes:
        task: the task.
        kind: the kind.
        n_questions: its open questions that can be read and are not repeated.
        n_answers: how many different answers they have.
        n_proposed: how many got choices.
    """

    task: str
    kind: str
    n_questions: int
    n_answers: int
    n_proposed: int


@dataclass(frozen=True, slots=True)
class Proposal:
    """The multiple-choice forms of the open questions of one set.

    Attributes:
        benchmark: the set.
        n_choices: number of choices, but for questions answered yes or no.
        seed: the seed.
        settings: the settings of the gate and of pruning.
        tasks: what became of each task, in order of name.
        kinds: the kinds of questions, in order of task and number.
        bias_before: the lint's text-bias table of a naive draw; empty if there is none.
        bias_after: that of the proposals; empty if there are none.
    """

    benchmark: str
    n_choices: int
    seed: int
    settings: TVBenchSettings
    tasks: tuple[TaskProposal, ...]
    kinds: tuple[KindCount, ...]
    bias_before: tuple[BiasRow, ...]
    bias_after: tuple[BiasRow, ...]

    @property
    def samples(self) -> tuple[Sample, ...]:
        """All proposals, in order of task and id."""
        return tuple(sample for task in self.tasks for sample in task.samples)

    @property
    def given_away(self) -> tuple[str, ...]:
        """What scores too high without the video, where, and how high, in words."""
        found = [
            (row.task, f"lint: {row.rule.replace('_', ' ')}", _write_excess(row.score, row.chance))
            for row in self.bias_after
            if row.exceeds_chance
        ]
        found += [
            (task.task, row.predictor, _write_too_high(row))
            for task in self.tasks
            for row in (task.after.rows if task.after else ())
            if row.is_too_high
        ]
        return tuple(
            f"{self.benchmark}, {task or 'all tasks'}: {what} scores {score}"
            for task, what, score in found
        )

    @property
    def pruned_in_vain(self) -> tuple[str, ...]:
        """Where pruning was tried and did not help, in words."""
        return tuple(
            f"{self.benchmark}, {task.task}: it stays so without the {task.n_pruned_in_vain} "
            f"questions that are given away most; none was taken out"
            for task in self.tasks
            if task.n_pruned_in_vain
        )


def _write_too_high(row: GateRow) -> str:
    if row.p_chance is not None and row.p_chance <= row.p_permuted:
        return _write_excess(row.score, row.chance)
    return (
        f"{100 * row.score:.1f} %, higher than when the answers are dealt out anew "
        f"(p = {row.p_permuted:.2g}; chance is {100 * row.chance:.1f} %)"
    )


def _write_excess(score: float, chance: float) -> str:
    return f"{100 * score:.1f} %, {100 * (score - chance):+.1f} points from chance"


def propose(
    contents: Contents,
    n_choices: int,
    seed: int,
    settings: TVBenchSettings,
    *,
    listener: Listener = lambda _: None,
) -> Proposal:
    """Give the open questions of a set choices out of the set's own answers.

    Args:
        contents: the set; only its open questions are looked at.
        n_choices: number of choices; questions answered yes or no have these two.
        seed: fixes all draws.
        settings: those of the gate and of pruning, and ``min_questions``, count.
        listener: is told of the progress.

    Raises:
        SettingsError: there is no open question, or no such number of choices.
    """
    if not 2 <= n_choices <= MAX_CHOICES:
        raise SettingsError(
            f"number of choices is {n_choices}; expected 2 to {MAX_CHOICES}, the right one included"
        )
    if not contents.open_questions:
        raise SettingsError(
            f"{contents.benchmark}: no open question to give choices to "
            f"({len(contents.samples)} questions have choices already)"
        )
    asked, unreadable = prepare(contents.open_questions)
    tasks = tuple(
        propose_task(
            [each for each in asked if each.question.task == task],
            [why for question, why in unreadable if question.task == task],
            task,
            n_choices,
            seed,
            settings,
            listener=listener,
        )
        for task in sorted({question.task for question in contents.open_questions})
    )
    return Proposal(
        benchmark=contents.benchmark,
        n_choices=n_choices,
        seed=seed,
        settings=settings,
        tasks=tasks,
        kinds=tuple(_count_kinds(asked, tasks)),
        bias_before=_tabulate([sample for task in tasks for sample in task.naive]),
        bias_after=_tabulate([sample for task in tasks for sample in task.samples]),
    )


def _tabulate(samples: Sequence[Sample]) -> tuple[BiasRow, ...]:
    return tuple(tabulate_bias(samples)) if samples else ()


def _count_kinds(asked: Sequence[Asked], tasks: Sequence[TaskProposal]) -> Iterator[KindCount]:
    pools: dict[tuple[str, str], list[Asked]] = defaultdict(list)
    for each in asked:
        pools[each.question.task, each.kind].append(each)
    proposed = {sample.id for task in tasks for sample in task.samples}
    for (task, kind), pool in sorted(
        pools.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1])
    ):
        yield KindCount(
            task=task,
            kind=kind,
            n_questions=len(pool),
            n_answers=len({each.answer for each in pool}),
            n_proposed=sum(each.question.id in proposed for each in pool),
        )
