"""Which tasks do not pass: one frame above chance, reversed frames not below."""

from typing import Any

import pytest

from video_oasis.analysis.dependence import DependenceRow
from video_oasis.analysis.grid import Slot
from video_oasis.errors import SettingsError
from video_oasis.generate.tvbench.order_gate import find_order_failures

SLOTS = tuple(Slot(name, "m") for name in ("standard", "random_frame", "reverse"))
TASKS = [("bench", "direction")]


def row(other: str, accuracy: float, low: float | None, high: float | None) -> DependenceRow:
    fields: dict[str, Any] = dict.fromkeys(DependenceRow.__slots__, None)
    fields |= {
        "level": "task",
        "benchmark": "bench",
        "task": "direction",
        "model": "m",
        "other": other,
        "other_accuracy": accuracy,
        "chance": 0.25,
        "other_excess_low": low,
        "other_excess_high": high,
    }
    return DependenceRow(**fields)


@pytest.mark.parametrize(
    ("one_frame", "reversed_frames", "failed"),
    [
        ((0.27, -0.02, 0.06), (0.05, -0.25, -0.15), {}),
        ((0.25, 0.0, 0.0), (0.05, -0.25, -0.15), {}),
        ((0.40, 0.01, 0.29), (0.05, -0.25, -0.15), {"random_frame": "above chance: 40.0 %"}),
        ((0.27, -0.02, 0.06), (0.2, -0.1, 0.0), {"reverse": "not below chance: 20.0 %"}),
        (
            (0.25, None, None),
            (0.0, None, None),
            {"random_frame": "no interval", "reverse": "no interval"},
        ),
    ],
)
def test_intervals_decide(
    one_frame: tuple[float, float | None, float | None],
    reversed_frames: tuple[float, float | None, float | None],
    failed: dict[str, str],
) -> None:
    rows = [row("random_frame", *one_frame), row("reverse", *reversed_frames)]
    found = find_order_failures(rows, TASKS, SLOTS)
    assert [failure.diagnostic for failure in found] == list(failed)
    for failure in found:
        assert failed[failure.diagnostic] in failure.reason


def test_every_frame_that_was_asked_and_every_task_counts() -> None:
    rows = [
        row("center_frame", 0.5, 0.1, 0.4),
        row("random_frame", 0.25, -0.1, 0.1),
        row("reverse", 0.0, -0.25, -0.25),
    ]
    found = find_order_failures(
        rows, [*TASKS, ("bench", "unread")], (*SLOTS, Slot("center_frame", "m"))
    )
    assert [(failure.task, failure.diagnostic) for failure in found] == [
        ("direction", "center_frame"),
        ("unread", "center_frame"),
        ("unread", "random_frame"),
        ("unread", "reverse"),
    ]
    assert "no sample has an answer" in found[-1].reason


def test_a_model_that_saw_the_video_must_have_been_asked_the_rest() -> None:
    with pytest.raises(
        SettingsError, match="n was not asked under center_frame or random_frame and reverse"
    ):
        find_order_failures([], TASKS, (*SLOTS, Slot("standard", "n")))


def test_a_model_that_never_saw_the_video_is_not_judged() -> None:
    rows = [row("random_frame", 0.25, -0.1, 0.1), row("reverse", 0.0, -0.25, -0.25)]
    assert find_order_failures(rows, TASKS, (*SLOTS, Slot("blind", "text"))) == []
