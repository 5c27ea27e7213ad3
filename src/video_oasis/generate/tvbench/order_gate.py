"""Judges a set by models' answers: one frame must be no help, reversed frames must mislead."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.analysis.dependence import REFERENCE, DependenceRow
from video_oasis.analysis.grid import Slot
from video_oasis.errors import SettingsError

ONE_FRAME: Final = ("center_frame", "random_frame")
"""The diagnostics that show one frame; at least one must have been asked."""
REVERSED: Final = "reverse"


@dataclass(frozen=True, slots=True)
class OrderFailure:
    """Why one model's answers keep a task from passing.

    Attributes:
        benchmark: the benchmark.
        task: the task.
        model: the model.
        diagnostic: the input.
        reason: what is wrong, in words with numbers.
    """

    benchmark: str
    task: str
    model: str
    diagnostic: str
    reason: str


def find_order_failures(
    rows: Sequence[DependenceRow], tasks: Sequence[tuple[str, str]], slots: Collection[Slot]
) -> list[OrderFailure]:
    """Judge every task by every model that was shown the video.

    One frame fails if the interval of its accuracy less chance lies above 0; reversed frames fail
    unless theirs lies below 0. Where there is no interval, nothing can be told, and both fail.

    Args:
        rows: the comparisons of these inputs with the video.
        tasks: benchmark and task of all that are judged.
        slots: which model was asked under which diagnostic.

    Raises:
        SettingsError: a model lacks the answers to reversed frames, or to one frame.
    """
    measured = {
        (row.benchmark, row.task, row.model, row.other): row for row in rows if row.level == "task"
    }
    return [
        OrderFailure(benchmark, task, model, diagnostic, reason)
        for model, diagnostics in _list_inputs(slots).items()
        for benchmark, task in tasks
        for diagnostic in diagnostics
        for reason in _judge(measured.get((benchmark, task, model, diagnostic)), diagnostic)
    ]


def _list_inputs(slots: Collection[Slot]) -> dict[str, list[str]]:
    """Return the inputs to judge each model by that was shown the video."""
    asked: dict[str, list[str]] = {}
    for model in sorted(slot.model for slot in slots if slot.diagnostic == REFERENCE):
        one_frame = [name for name in ONE_FRAME if Slot(name, model) in slots]
        has_reversed = Slot(REVERSED, model) in slots
        lacking = [] if one_frame else [" or ".join(ONE_FRAME)]
        lacking += [] if has_reversed else [REVERSED]
        if lacking:
            raise SettingsError(
                f"--gate: {model} was not asked under {' and '.join(lacking)}; ask with "
                f"'oasis audit --diagnostic', beside {REFERENCE}"
            )
        asked[model] = [*one_frame, REVERSED]
    return asked


def _judge(row: DependenceRow | None, diagnostic: str) -> Iterator[str]:
    if row is None or row.other_accuracy is None or row.chance is None:
        yield "no sample has an answer both to this and to the video"
        return
    scored = f"{100 * row.other_accuracy:.1f} % right, chance {100 * row.chance:.1f} %"
    if row.other_excess_low is None or row.other_excess_high is None:
        yield f"{scored}; no interval from fewer than two videos"
        return
    interval = (
        f"interval of the difference {100 * row.other_excess_low:+.1f} to "
        f"{100 * row.other_excess_high:+.1f}"
    )
    if diagnostic == REVERSED:
        if row.other_excess_high >= 0:
            yield f"not below chance: {scored}, {interval}"
    elif row.other_excess_low > 0:
        yield f"above chance: {scored}, {interval}"
