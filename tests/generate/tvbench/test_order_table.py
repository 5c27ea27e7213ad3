"""The table of what is left without the video or its order."""

from typing import Any

from video_oasis.analysis.dependence import DependenceRow
from video_oasis.generate.tvbench.order_table import OrderCell, tabulate_order, write_order_row


def row(**changes: Any) -> DependenceRow:
    fields: dict[str, Any] = dict.fromkeys(DependenceRow.__slots__, None)
    fields |= {
        "level": "task",
        "benchmark": "bench",
        "task": "direction",
        "model": "m",
        "other": "shuffle",
        "n": 100,
        "n_videos": 100,
        "n_only_reference": 0,
        "n_only_other": 0,
        "reference_accuracy": 0.8,
        "other_accuracy": 0.3,
        "chance": 0.25,
        "difference_low": 0.4,
        "difference_high": 0.6,
        "is_below_chance": False,
        "same": 0.35,
    }
    return DependenceRow(**(fields | changes))


def test_one_row_for_each_task_and_model() -> None:
    rows = [
        row(),
        row(other="reverse", other_accuracy=0.1, is_below_chance=True, same=0.05),
        row(other="blind", other_accuracy=0.79, difference_low=-0.1, difference_high=0.1),
        row(other="random_frame", other_accuracy=0.9, difference_low=-0.2, difference_high=-0.01),
        row(other="center_frame"),
        row(level="benchmark", task="", n=300),
        row(level="pooled", benchmark="", task=""),
    ]
    whole, task = tabulate_order(rows)
    assert (whole.task, list(whole.cells)) == ("", ["shuffle"])
    assert task.cells["shuffle"] == OrderCell(0.3, "↓", 100, 0.35)
    assert write_order_row(task) == {
        "benchmark": "bench",
        "task": "direction",
        "model": "m",
        "chance": "25.0",
        "video": "80.0",
        "text only": "79.0 →",
        "one frame": "90.0 ↑",
        "shuffled": "30.0 ↓",
        "reversed": "10.0 ↓↓",
        "same shuffled": "35.0",
    }


def test_without_an_interval_there_is_no_arrow() -> None:
    (only,) = tabulate_order([row(difference_low=None, difference_high=None)])
    written = write_order_row(only)
    assert written["shuffled"] == "30.0"
    assert written["text only"] == "–"
