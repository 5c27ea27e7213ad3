"""Writes a repaired benchmark to a folder: its questions, the record, and a card."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import RunError
from video_oasis.generate.tvbench.card import write_gate_rows, write_table
from video_oasis.generate.tvbench.files import to_question_row
from video_oasis.generate.tvbench.gate import GateResult
from video_oasis.generate.tvbench.out_folder import check_folder
from video_oasis.generate.tvbench.repair import RepairedTask
from video_oasis.whole_file import write_whole

MARK: Final = "repair.json"
"""The file that tells a folder with a repaired benchmark."""


def write_repaired(
    tasks: Sequence[RepairedTask], benchmark: str, folder: Path, *, seed: int, version: str
) -> None:
    """Write ``questions.jsonl`` (repaired and untouched tasks), ``repair.json`` and the card.

    Raises:
        RunError: the folder cannot be written.
        SettingsError: it holds something else, see ``check_folder``.
    """
    samples = [sample for task in tasks for sample in sorted(task.samples, key=lambda s: s.id)]
    contents = {
        MARK: json.dumps(summarise_repair(tasks), ensure_ascii=False, indent=1) + "\n",
        "questions.jsonl": "".join(
            json.dumps(to_question_row(sample), ensure_ascii=False) + "\n" for sample in samples
        ),
        "README.md": _write_card(tasks, benchmark, seed, version),
    }
    check_folder(folder, MARK)
    try:
        for name, text in contents.items():
            write_whole(folder / name, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror or error})") from error


def summarise_repair(tasks: Sequence[RepairedTask]) -> list[dict[str, Any]]:
    """Return for each task what became of it, as plain data."""
    return [
        {
            "task": task.task,
            "n_before": task.n_before,
            "n_after": len(task.samples),
            "untouched": task.untouched,
            "evened_by": task.evened_by,
            "n_pruned": task.n_pruned,
            "before": [asdict(row) for row in task.before.rows],
            "after": [asdict(row) for row in (task.after.rows if task.after else ())],
        }
        for task in tasks
    ]


def summarise_row(task: RepairedTask) -> dict[str, str]:
    """Return the cells of a task in a table of all: questions and text-only scores."""
    return {
        "task": task.task,
        "questions": f"{task.n_before} → {len(task.samples)}",
        "chance": _pair(task, lambda gate: gate.rows[0].chance),
        "best without video": _pair(task, best_score),
        "given away": f"{_tell(task.before)} → {_tell(task.after) if task.after else 'same'}",
        "done": task.untouched or f"even {task.evened_by}; {task.n_pruned} pruned",
    }


def best_score(gate: GateResult) -> float:
    """Return the best score of all predictors."""
    return max(row.score for row in gate.rows)


def _pair(task: RepairedTask, value: Any) -> str:
    before = f"{100 * value(task.before):.1f}"
    return before if task.after is None else f"{before} → {100 * value(task.after):.1f}"


def _tell(gate: GateResult) -> str:
    return "no" if gate.is_open else "yes"


def _write_card(tasks: Sequence[RepairedTask], benchmark: str, seed: int, version: str) -> str:
    rows = [summarise_row(task) for task in tasks]
    lines = [
        f"# {benchmark}, repaired",
        "",
        f"Video-Oasis {version}, seed {seed}. Questions keep their ids and videos; choices of "
        "repaired tasks are drawn from the task's own answers. The terms of the benchmark hold.",
        "",
        *write_table(tuple(rows[0]), [tuple(row.values()) for row in rows]),
    ]
    for when in ("before", "after"):
        cells = [row for task in tasks for row in write_gate_rows(task.task, getattr(task, when))]
        lines += [
            "",
            f"## Without the video, {when}",
            "",
            *write_table(("task", "predictor", "score", "chance", "p"), cells),
        ]
    return "\n".join(lines) + "\n"
