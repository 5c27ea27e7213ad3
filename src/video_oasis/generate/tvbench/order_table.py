"""The table of TVBench's paper for any run: what is left without the video, or its order."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.analysis.dependence import DependenceRow

SHOWN: Final = {
    "blind": "text only",
    "random_frame": "one frame",
    "shuffle": "shuffled",
    "reverse": "reversed",
}
"""The inputs that the video is compared with, by diagnostic, and their heads in the table."""
LEGEND: Final = (
    "Percent right. ↓ below what the same model answers with the video, ↑ above, → not clearly "
    "either (95 % interval of the difference, over whole videos); ↓↓ below chance as well. Where "
    "order matters, shuffled falls toward chance and reversed below it, and few answers stay the "
    "same once frames are shuffled."
)


@dataclass(frozen=True, slots=True)
class OrderCell:
    """A model's answers to one input.

    Attributes:
        accuracy: share right.
        arrow: how it compares with the video, see ``LEGEND``; empty where there is no interval.
        n: samples read under both.
        same: share of samples with the same answer as with the video.
    """

    accuracy: float
    arrow: str
    n: int
    same: float


@dataclass(frozen=True, slots=True)
class OrderRow:
    """One model on one task, or on a whole benchmark.

    Attributes:
        benchmark: the benchmark.
        task: the task; empty for the whole benchmark.
        model: the model.
        chance: mean chance level.
        video: accuracy with the video, over the samples of the first input that was asked.
        cells: by diagnostic, those of ``SHOWN`` that were asked.
    """

    benchmark: str
    task: str
    model: str
    chance: float
    video: float
    cells: dict[str, OrderCell]


def tabulate_order(rows: Sequence[DependenceRow]) -> list[OrderRow]:
    """Put the comparisons of each model and task in one row, whole benchmarks first."""
    of_model: dict[tuple[str, str, str], dict[str, DependenceRow]] = defaultdict(dict)
    for row in rows:
        if row.level != "pooled" and row.other in SHOWN:
            of_model[row.benchmark, row.task, row.model][row.other] = row
    table = []
    for (benchmark, task, model), by_input in sorted(of_model.items()):
        asked = [by_input[name] for name in SHOWN if name in by_input]
        table.append(
            OrderRow(
                benchmark=benchmark,
                task=task,
                model=model,
                chance=asked[0].chance or 0.0,
                video=asked[0].reference_accuracy or 0.0,
                cells={row.other: _make_cell(row) for row in asked},
            )
        )
    return table


def write_order_row(row: OrderRow) -> dict[str, str]:
    """Return the cells of a row as text, by head."""
    same = row.cells.get("shuffle")
    return {
        "benchmark": row.benchmark,
        "task": row.task or "all",
        "model": row.model,
        "chance": f"{100 * row.chance:.1f}",
        "video": f"{100 * row.video:.1f}",
        **{head: _write_cell(row.cells.get(name)) for name, head in SHOWN.items()},
        "same shuffled": "–" if same is None else f"{100 * same.same:.1f}",
    }


def _make_cell(row: DependenceRow) -> OrderCell:
    arrow = ""
    if row.difference_low is not None and row.difference_high is not None:
        arrow = "↓" if row.difference_low > 0 else "↑" if row.difference_high < 0 else "→"
        if arrow == "↓" and row.is_below_chance:
            arrow = "↓↓"
    return OrderCell(row.other_accuracy or 0.0, arrow, row.n, row.same or 0.0)


def _write_cell(cell: OrderCell | None) -> str:
    return "–" if cell is None else f"{100 * cell.accuracy:.1f} {cell.arrow}".rstrip()
