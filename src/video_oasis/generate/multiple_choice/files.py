"""Writes proposals to a folder: the questions of each set, the record, and a card."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import RunError, SettingsError
from video_oasis.generate.multiple_choice.card import write_proposal_card
from video_oasis.generate.multiple_choice.propose import Proposal
from video_oasis.generate.tvbench.files import to_question_row
from video_oasis.generate.tvbench.out_folder import check_folder
from video_oasis.whole_file import write_whole

MARK: Final = "proposals.json"
"""The file that tells a folder with proposals."""

_UNSAFE: Final = re.compile(r"[^\w.-]+")


def name_files(benchmarks: Sequence[str]) -> Mapping[str, str]:
    """Return the file name of each set's questions.

    Raises:
        SettingsError: two sets have the same.
    """
    names: dict[str, str] = {}
    for benchmark in benchmarks:
        name = f"{_UNSAFE.sub('_', benchmark).lstrip('.') or 'questions'}.jsonl"
        if name in names.values():
            raise SettingsError(
                f"two sets would be written to {name}; give them one at a time, or another name "
                f"(--map name=NAME)"
            )
        names[benchmark] = name
    return names


def check_out(folder: Path, benchmarks: Sequence[str]) -> None:
    """Check that the proposals of some sets may be written to a folder.

    Raises:
        SettingsError: it holds something else, see ``check_folder``, or questions that these sets'
            would not replace; two sets would be written to one file.
    """
    names = name_files(benchmarks).values()
    check_folder(folder, MARK)
    others = sorted(path.name for path in folder.glob("*.jsonl") if path.name not in names)
    if others:
        raise SettingsError(
            f"{folder}: has {others[0]}, which the card would not tell of any more; give a new "
            f"folder, or move it away"
        )


def write_proposals(
    proposals: Sequence[Proposal], folder: Path, version: str
) -> Mapping[str, Path]:
    """Write ``BENCHMARK.jsonl`` for each set, ``proposals.json`` and the card ``README.md``.

    Returns:
        For each set, the file with its questions.

    Raises:
        RunError: the folder cannot be written.
        SettingsError: it holds something else, see ``check_out``.
    """
    benchmarks = [proposal.benchmark for proposal in proposals]
    names = name_files(benchmarks)
    check_out(folder, benchmarks)
    contents = {
        names[proposal.benchmark]: "".join(
            json.dumps(to_question_row(sample), ensure_ascii=False) + "\n"
            for sample in proposal.samples
        )
        for proposal in proposals
    }
    contents[MARK] = (
        json.dumps([summarise_proposal(each) for each in proposals], ensure_ascii=False, indent=1)
        + "\n"
    )
    contents["README.md"] = write_proposal_card(proposals, names, version)
    try:
        for name, text in contents.items():
            write_whole(folder / name, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{folder}: cannot be written ({error.strerror or error})") from error
    return {benchmark: folder / name for benchmark, name in names.items()}


def summarise_proposal(proposal: Proposal) -> dict[str, Any]:
    """Return what became of a set, as plain data."""
    return {
        "benchmark": proposal.benchmark,
        "n_choices": proposal.n_choices,
        "seed": proposal.seed,
        "n_questions": sum(task.n_questions for task in proposal.tasks),
        "n_proposed": len(proposal.samples),
        "given_away": list(proposal.given_away),
        "tasks": [
            {
                "task": task.task,
                "n_questions": task.n_questions,
                "n_proposed": len(task.samples),
                "left_out": dict(task.left_out),
                "n_attempts": task.n_attempts,
                "n_pruned_in_vain": task.n_pruned_in_vain,
                "before": [asdict(row) for row in (task.before.rows if task.before else ())],
                "after": [asdict(row) for row in (task.after.rows if task.after else ())],
            }
            for task in proposal.tasks
        ],
        "kinds": [asdict(kind) for kind in proposal.kinds],
        "bias_before": [asdict(row) for row in proposal.bias_before],
        "bias_after": [asdict(row) for row in proposal.bias_after],
    }
