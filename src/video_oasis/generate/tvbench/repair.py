"""Repairs tasks with a closed set of answers: even answers, choices that no text points among."""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from video_oasis.errors import SchemaError
from video_oasis.generate.tvbench.checks import find_faults, find_imbalances
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.engine import Listener, drop_given_away
from video_oasis.generate.tvbench.gate import GateInput, GateResult, measure_giveaways
from video_oasis.generate.tvbench.interface import Block, Event, Mode, Task
from video_oasis.generate.tvbench.questions import Question, word_questions
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.schema import Sample

MOST_OFFERED: Final = 5
"""Sets of at most so many answers are offered whole."""
FEWEST_REPEATS: Final = 5
"""An answer that is right less often than this is not one of a closed set."""
FEWEST_KEPT: Final = 0.25
"""A task of which a smaller share can be made even is left as it is."""


@dataclass(frozen=True, slots=True)
class RepairedTask:
    """What became of one task.

    Attributes:
        task: the task.
        samples: its questions now.
        untouched: why it was left as it is, in words; empty if it was repaired.
        n_before: number of questions before.
        before: what text and clip length gave away before.
        after: what they give away now; None if nothing was changed.
        evened_by: what answers are even within: ``answers``, or ``answers and question``.
        n_pruned: questions removed for being given away although answers were even.
    """

    task: str
    samples: tuple[Sample, ...]
    untouched: str
    n_before: int
    before: GateResult
    after: GateResult | None
    evened_by: str = ""
    n_pruned: int = 0


def repair_task(
    samples: Sequence[Sample],
    seed: int,
    settings: TVBenchSettings,
    *,
    listener: Listener = lambda _: None,
) -> RepairedTask:
    """Make the answers of a task even by dropping the fewest questions, and draw choices anew.

    Answers that are offered beside each other belong to one set; answers to one and the same
    question that never are do too. Of each set those answers are kept that let most questions stay
    once all are right equally often. A small set is offered whole; of a large one, each question
    offers a window of answers in a circle, so that each is offered as often. If the question's text
    still tells, answers are evened for each question's text; if anything still does, what is given
    away most is pruned.

    Args:
        samples: the questions of one task.
        seed: fixes all draws.
        settings: those of the gate and of pruning count.
        listener: is told of the progress.
    """
    ordered = sorted(samples, key=lambda sample: sample.id)
    once = list({_asked(sample): sample for sample in reversed(ordered)}.values())[::-1]
    task = ordered[0].task
    listener(f"measuring {task}")
    before = measure_giveaways([_describe(sample) for sample in ordered], settings)
    draws = Draws(seed, task)
    fewest = max(settings.min_questions, FEWEST_KEPT * len(ordered))
    formed = {by: _form_blocks(once, draws, cell_of) for by, cell_of in _LEVELS.items()}
    usable = {by: blocks for by, blocks in formed.items() if _count(blocks) >= fewest}
    if not usable:
        reason = "its answers are no closed set, or too few questions would be left"
        return RepairedTask(task, tuple(ordered), reason, len(ordered), before, None)
    suspects: frozenset[str] = frozenset()
    for evened_by in sorted(usable, key=lambda by: -_count(usable[by])):
        blocks = usable[evened_by]
        listener(f"{task}: {_count(blocks)} of {len(ordered)} questions, even {evened_by}")
        made, after = _word(once, blocks, draws, settings, suspects)
        suspects |= after.too_high
        if after.is_open:
            break
    n_even = len(made)
    while not after.is_open:
        questions = word_questions(_as_task(once), blocks, Mode.STRICT, draws)
        blocks = drop_given_away(blocks, questions, after, settings.prune_share * n_even)
        if _count(blocks) < max(fewest, (1 - settings.prune_max_share) * n_even):
            break
        listener(f"{task}: pruned to {_count(blocks)} questions")
        made, after = _word(once, blocks, draws, settings, suspects)
        suspects |= after.too_high
    return RepairedTask(task, made, "", len(ordered), before, after, evened_by, n_even - len(made))


_LEVELS: Final[Mapping[str, Callable[[Sample], str]]] = {
    "answers": lambda _: "",
    "answers and question": lambda sample: _reduce(sample.question),
}


def _count(blocks: Sequence[Block]) -> int:
    return sum(map(len, blocks))


def _asked(sample: Sample) -> tuple[object, ...]:
    """Return what makes two questions the same once their choices are drawn anew."""
    video = sample.video
    return video.path, video.start_seconds, video.end_seconds, _reduce(sample.question)


def _reduce(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".?! ")


def _form_blocks(
    samples: Sequence[Sample], draws: Draws, cell_of: Callable[[Sample], str]
) -> list[Block]:
    blocks: list[Block] = []
    for number, of_set in enumerate(_list_answer_sets(samples)):
        cells: dict[str, list[Sample]] = defaultdict(list)
        for sample in of_set:
            cells[cell_of(sample)].append(sample)
        for cell in sorted(cells):
            blocks += _even_out(cells[cell], draws, f"{number} {cell}")
    return blocks


def _list_answer_sets(samples: Sequence[Sample]) -> list[list[Sample]]:
    """Split questions by the set that their answer belongs to."""
    answers = {_answer(sample) for sample in samples}
    links: dict[str, str] = {answer: answer for answer in answers}

    def find(answer: str) -> str:
        while links[answer] != answer:
            links[answer] = links[links[answer]]
            answer = links[answer]
        return answer

    for sample in samples:
        for choice in map(_reduce, sample.choices):
            if choice in answers:
                links[find(choice)] = find(_answer(sample))
    sizes = Counter(find(answer) for answer in answers)
    sets: dict[Hashable, list[Sample]] = defaultdict(list)
    for sample in samples:
        root = find(_answer(sample))
        # Alone with choices that are never right: what else the same question has for an answer.
        key = ("question", _reduce(sample.question)) if sizes[root] == 1 else ("offered", root)
        sets[key].append(sample)
    return list(sets.values())


def _even_out(samples: Sequence[Sample], draws: Draws, name: str) -> list[Block]:
    """Return blocks of one question for each answer kept, with choices drawn anew."""
    of_answer: dict[str, list[Sample]] = defaultdict(list)
    for sample in draws.shuffle(samples, "even", name):
        of_answer[_answer(sample)].append(sample)
    by_count = sorted(of_answer, key=lambda answer: (-len(of_answer[answer]), answer))
    n_each = [len(of_answer[answer]) for answer in by_count]
    sizes = [n for n in range(2, len(by_count) + 1) if n_each[n - 1] >= FEWEST_REPEATS]
    if not sizes:
        return []
    n_kept = max(sizes, key=lambda n: (n * n_each[n - 1], n))
    n_layers = n_each[n_kept - 1]
    circle = draws.shuffle(by_count[:n_kept], "circle", name)
    words = {answer: _most_common_form(of_answer[answer]) for answer in circle}
    offered = n_kept
    if n_kept > MOST_OFFERED:
        offered = min(n_kept, Counter(len(each.choices) for each in samples).most_common(1)[0][0])
    blocks = []
    for layer in range(n_layers):
        block = []
        for place, answer in enumerate(circle):
            window = {circle[(place - layer % offered + step) % n_kept] for step in range(offered)}
            choices = sorted(words[each] for each in window)
            original = of_answer[answer][layer]
            block.append(
                Event(
                    source=original.benchmark,
                    video=original.video.path,
                    key=original.id,
                    choices=tuple(choices),
                    target=choices.index(words[answer]),
                    slots=(original.question,),
                    group=name,
                )
            )
        # Positions take turns from question to question, and must not follow the circle's answers.
        blocks.append(tuple(draws.shuffle(block, "turn", name, layer)))
    return blocks


def _most_common_form(samples: Sequence[Sample]) -> str:
    forms = Counter(sample.choices[sample.target] for sample in samples)
    return min(forms, key=lambda form: (-forms[form], form))


def _answer(sample: Sample) -> str:
    return _reduce(sample.choices[sample.target])


def _word(
    samples: Sequence[Sample],
    blocks: Sequence[Block],
    draws: Draws,
    settings: TVBenchSettings,
    suspects: frozenset[str],
) -> tuple[tuple[Sample, ...], GateResult]:
    """Order the choices of blocks, and measure what comes of it, in the order of the blocks."""
    originals = {sample.id: sample for sample in samples}
    questions = word_questions(_as_task(samples), blocks, Mode.STRICT, draws)
    made = [_restore(question, originals[question.event.key]) for question in questions]
    faults = find_faults(made) + find_imbalances(made)
    if faults:
        raise SchemaError(f"repair of {samples[0].task} made a fault: {faults[0]}")
    cells = [question.cell for question in questions]
    inputs = [_describe(sample, cell) for sample, cell in zip(made, cells, strict=True)]
    return tuple(made), measure_giveaways(inputs, settings, suspects=suspects)


def _restore(question: Question, original: Sample) -> Sample:
    return replace(original, choices=question.sample.choices, target=question.sample.target)


def _as_task(samples: Sequence[Sample]) -> Task:
    return Task(
        name=samples[0].task,
        asks="",
        templates=("{}",),
        find={},
        form_blocks=lambda _events, _mode, _draws: [],
    )


def _describe(sample: Sample, cell: str = "") -> GateInput:
    start, end = sample.video.start_seconds, sample.video.end_seconds
    seconds = None if start is None or end is None else end - start
    return GateInput(sample, clip_seconds=seconds, cell=cell)
