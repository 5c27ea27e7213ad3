"""The planted questions: the biases that are said to be in them are, and no others."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from video_oasis.demo.planted_text import (
    N_PER_TASK,
    PLANTED_TASKS,
    plant_rows,
    write_planted_text,
)

ROWS: list[dict[str, Any]] = plant_rows()


def rows_of(task: str) -> list[dict[str, Any]]:
    return [row for row in ROWS if row["task"] == task]


def test_there_are_300_sound_questions() -> None:
    assert len(ROWS) == len({row["id"] for row in ROWS}) == N_PER_TASK * len(PLANTED_TASKS) == 300
    for row in ROWS:
        assert row["choices"].count(row["answer"]) == 1
        assert len(set(row["choices"])) == len(row["choices"])


def test_three_is_right_in_most_counts() -> None:
    n_three = Counter(row["answer"] for row in rows_of("action_count"))["3"]
    assert 0.5 <= n_three / N_PER_TASK <= 0.8


def test_the_longest_cause_is_mostly_right() -> None:
    n_longest = sum(max(row["choices"], key=len) == row["answer"] for row in rows_of("cause"))
    assert 0.65 <= n_longest / N_PER_TASK <= 0.85


def test_right_orders_recur_and_wrong_ones_are_never_right() -> None:
    rows = rows_of("step_order")
    right = Counter(row["answer"] for row in rows)
    wrong = {choice for row in rows for choice in row["choices"] if choice != row["answer"]}
    assert min(right.values()) >= 2
    assert not wrong & set(right)


def test_not_sure_is_offered_everywhere_and_never_right() -> None:
    rows = rows_of("object_state")
    assert all("not sure" in row["choices"] for row in rows)
    assert all(row["answer"] != "not sure" for row in rows)


@pytest.mark.parametrize("task", [task.name for task in PLANTED_TASKS if not task.bias])
def test_nothing_gives_the_clean_tasks_away(task: str) -> None:
    rows = rows_of(task)
    by_position = Counter(row["choices"].index(row["answer"]) for row in rows)
    by_answer = Counter(row["answer"] for row in rows)
    longest = sum(max(row["choices"], key=len) == row["answer"] for row in rows)
    # Three standard deviations of a fair draw of 50 with one chance in four.
    bound = 12.5 + 3 * (50 * 0.25 * 0.75) ** 0.5
    assert max(by_position.values()) < bound
    assert longest < bound
    assert max(by_answer.values()) < bound


def test_the_file_is_the_same_every_time(tmp_path: Path) -> None:
    write_planted_text(tmp_path / "a" / "one.jsonl")
    write_planted_text(tmp_path / "two.jsonl")
    assert (tmp_path / "a" / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()
