"""Makes the set of each task: events of its sources, even blocks, questions, and the gate."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from video_oasis.errors import SchemaError, SettingsError
from video_oasis.generate.sources import SOURCES
from video_oasis.generate.tvbench.checks import find_faults, find_imbalances
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.gate import GateInput, GateResult, measure_giveaways
from video_oasis.generate.tvbench.interface import Block, Event, LeftOut, Mode, Task
from video_oasis.generate.tvbench.questions import Question, word_questions
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import BadRow, Sample

Listener = Callable[[str], None]
"""Is told what is being done, in one line."""

NOT_IN_A_BLOCK: Final = "no other events to stand beside it evenly"
OVER_THE_LIMIT: Final = "more than max_questions"
PRUNED: Final = "given away by text or length"


@dataclass(frozen=True, slots=True)
class TaskSet:
    """The questions of one task.

    Attributes:
        task: the task's name.
        questions: the questions; empty if the set may not be written.
        refusal: why it may not, in words; empty if it may.
        n_events: events found.
        left_out: how many possible events were not asked about, by reason.
        removed: how many events were found and are not in the set, by reason.
        n_attempts: how often the set was drawn.
        gate: what text and lengths give away of the set as it is (or was last tried).
        imbalances: where answers or positions are not even, in words.
    """

    task: str
    questions: tuple[Question, ...]
    refusal: str
    n_events: int
    left_out: Mapping[str, int]
    removed: Mapping[str, int]
    n_attempts: int
    gate: GateResult | None
    imbalances: tuple[str, ...]

    @property
    def samples(self) -> tuple[Sample, ...]:
        """The questions as samples."""
        return tuple(question.sample for question in self.questions)


@dataclass(frozen=True, slots=True)
class GeneratedSet:
    """Everything that was made.

    Attributes:
        mode: the mode.
        seed: the seed.
        settings: the settings.
        n_records: records read, by source.
        bad_rows: rows that could not be read.
        tasks: the set of each task, in order of name.
    """

    mode: Mode
    seed: int
    settings: TVBenchSettings
    n_records: Mapping[str, int]
    bad_rows: tuple[BadRow, ...]
    tasks: tuple[TaskSet, ...]


@dataclass
class _Pool:
    events: list[Event] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)


def generate(
    sources: Mapping[str, Path],
    tasks: Sequence[Task],
    mode: Mode,
    seed: int,
    settings: TVBenchSettings,
    *,
    listener: Listener = lambda _: None,
) -> GeneratedSet:
    """Make the sets of some tasks from the annotation files of some sources.

    Args:
        sources: the folder of each source, by its name.
        tasks: the tasks.
        mode: faithful or strict.
        seed: fixes all draws; the same seed and files give the same set.
        settings: the thresholds.
        listener: is told of the progress.

    Raises:
        BenchmarkError: a file of a source cannot be read at all.
        SettingsError: a task can be made from none of the sources.
        UnknownNameError: there is no source of that name.
    """
    for task in tasks:
        if not task.find.keys() & sources.keys():
            raise SettingsError(
                f"task {task.name}: needs {' or '.join(sorted(task.find))}; give it with --source "
                f"NAME=DIR"
            )
    pools = {task.name: _Pool() for task in tasks}
    n_records: dict[str, int] = {}
    bad_rows: list[BadRow] = []
    for name in sorted(sources):
        users = [task for task in tasks if name in task.find]
        listener(f"reading {name} for {', '.join(task.name for task in users) or 'no task'}")
        records = SOURCES[name].read(sources[name])
        n_records[name] = _collect(name, records, users, pools, bad_rows, mode, seed, settings)
    made = []
    for task in sorted(tasks, key=lambda task: task.name):
        listener(f"making {task.name} from {len(pools[task.name].events)} events")
        pool = pools[task.name]
        left_out = dict(sorted(pool.left_out.items()))
        events = order_events(pool.events)
        made.append(_Maker(task, events, left_out, mode, seed, settings, listener).make())
    return GeneratedSet(mode, seed, settings, n_records, tuple(bad_rows), tuple(made))


def _collect(
    source: str,
    records: Iterable[object],
    users: Sequence[Task],
    pools: Mapping[str, _Pool],
    bad_rows: list[BadRow],
    mode: Mode,
    seed: int,
    settings: TVBenchSettings,
) -> int:
    """Put the events of a source's records into the pools of its tasks; return the number read."""
    n_records = 0
    for record in records:
        if isinstance(record, BadRow):
            bad_rows.append(record)
            continue
        n_records += 1
        for task in users:
            pool = pools[task.name]
            for found in task.find[source](record, settings, mode, Draws(seed, task.name)):
                if isinstance(found, LeftOut):
                    pool.left_out[found.reason] += 1
                else:
                    pool.events.append(found)
    return n_records


def order_events(events: Iterable[Event]) -> list[Event]:
    """Return events in the order of what they are, each once.

    Raises:
        SchemaError: two different ones have the same source, video and key.
    """
    by_key: dict[tuple[str, str, str], Event] = {}
    for event in events:
        key = (event.source, event.video, event.key)
        if by_key.setdefault(key, event) != event:
            raise SchemaError(
                f"{event.source}, {event.video}: two different events have the key {event.key!r}; "
                f"the task must give each its own"
            )
    return [by_key[key] for key in sorted(by_key)]


@dataclass(frozen=True)
class _Maker:
    """Makes the set of one task from its events."""

    task: Task
    events: Sequence[Event]
    left_out: Mapping[str, int]
    mode: Mode
    seed: int
    settings: TVBenchSettings
    listener: Listener

    def make(self) -> TaskSet:
        """Draw the set until nothing gives it away, as often as the settings say; then prune it."""
        suspects: frozenset[str] = frozenset()
        for attempt in range(self.settings.gate_attempts):
            draws = Draws(self.seed, self.task.name, attempt)
            formed = self.task.form_blocks(self.events, self.mode, draws)
            blocks, n_over = _limit(formed, self.settings.max_questions)
            questions = word_questions(self.task, blocks, self.mode, draws)
            removed = {
                NOT_IN_A_BLOCK: len(self.events) - len(questions) - n_over,
                OVER_THE_LIMIT: n_over,
            }
            if len(questions) < self.settings.min_questions:
                refusal = (
                    f"{len(questions)} questions; a set needs {self.settings.min_questions} "
                    f"(min_questions)"
                )
                return self.close([], removed, attempt + 1, None, refusal)
            gate = self.measure(questions, suspects)
            suspects |= gate.too_high
            if gate.is_open or self.mode is Mode.FAITHFUL:
                return self.close(questions, removed, attempt + 1, gate)
            self.listener(f"{self.task.name}: given away by {_name_too_high(gate)}")
        return self.prune(blocks, questions, gate, removed, draws, suspects)

    def prune(
        self,
        blocks: Sequence[Block],
        questions: Sequence[Question],
        gate: GateResult,
        removed: Mapping[str, int],
        draws: Draws,
        suspects: frozenset[str],
    ) -> TaskSet:
        """Remove the blocks that are given away most, in rounds, until nothing is any more."""
        n_start = len(questions)
        n_attempts = draws.attempt + 1
        fewest = max(self.settings.min_questions, (1 - self.settings.prune_max_share) * n_start)
        while not gate.is_open:
            blocks = drop_given_away(blocks, questions, gate, self.settings.prune_share * n_start)
            questions = word_questions(self.task, blocks, self.mode, draws)
            if len(questions) < fewest:
                refusal = f"still given away after pruning by {_name_too_high(gate)}"
                return self.close([], removed, n_attempts, gate, refusal)
            self.listener(f"{self.task.name}: pruned to {len(questions)} questions")
            gate = self.measure(questions, suspects)
            suspects |= gate.too_high
        pruned = {**removed, PRUNED: n_start - len(questions)}
        return self.close(questions, pruned, n_attempts, gate)

    def measure(self, questions: Sequence[Question], suspects: frozenset[str]) -> GateResult:
        """Measure what gives the questions away."""
        return measure_giveaways(
            [
                GateInput(
                    question.sample,
                    question.event.length_seconds,
                    question.event.video_seconds,
                    question.event.family,
                    question.cell,
                )
                for question in questions
            ],
            self.settings,
            rules=self.task.rules,
            suspects=suspects,
        )

    def close(
        self,
        questions: Sequence[Question],
        removed: Mapping[str, int],
        n_attempts: int,
        gate: GateResult | None,
        refusal: str = "",
    ) -> TaskSet:
        """Check the questions once more and put the set together."""
        samples = [question.sample for question in questions]
        imbalances = find_imbalances(samples, texts_recur=self.task.texts_recur)
        faults = find_faults(samples) + (imbalances if self.mode is Mode.STRICT else [])
        if faults:
            refusal = f"{len(faults)} faults, such as: {faults[0]}"
        return TaskSet(
            task=self.task.name,
            questions=() if refusal else tuple(sorted(questions, key=lambda each: each.sample.id)),
            refusal=refusal,
            n_events=len(self.events),
            left_out=self.left_out,
            removed={reason: n for reason, n in removed.items() if n},
            n_attempts=n_attempts,
            gate=gate,
            imbalances=tuple(imbalances),
        )


def drop_given_away(
    blocks: Sequence[Block], questions: Sequence[Question], gate: GateResult, n_events: float
) -> list[Block]:
    """Return the blocks without those that are given away most, in their order.

    Args:
        blocks: the blocks.
        questions: their questions.
        gate: what is given away of these.
        n_events: at least so many events are dropped.
    """
    scores: dict[int, list[float]] = defaultdict(list)
    for question, giveaway in zip(questions, gate.giveaway, strict=True):
        scores[question.block].append(giveaway)
    worst = sorted(scores, key=lambda block: (-sum(scores[block]) / len(scores[block]), block))
    dropped: set[int] = set()
    n_dropped = 0
    for block in worst:
        if n_dropped >= n_events:
            break
        dropped.add(block)
        n_dropped += len(blocks[block])
    return [block for number, block in enumerate(blocks) if number not in dropped]


def _limit(blocks: Sequence[Block], max_questions: int) -> tuple[list[Block], int]:
    """Return the first blocks that fit, and the number of events in the others."""
    if not max_questions:
        return list(blocks), 0
    kept: list[Block] = []
    n_kept = 0
    for block in blocks:
        if n_kept + len(block) <= max_questions:
            kept.append(block)
            n_kept += len(block)
    return kept, sum(map(len, blocks)) - n_kept


def _name_too_high(gate: GateResult) -> str:
    return "; ".join(
        f"{row.predictor} ({100 * row.score:.1f} %, chance {100 * row.chance:.1f} %)"
        for row in gate.rows
        if row.is_too_high
    )
