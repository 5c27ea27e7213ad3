"""Audits that rotate choices: a letter that is picked out of habit is no vote."""

import json
import sys
from pathlib import Path
from typing import Any

HAS_NO_ANSWER = """\
#!{python} -S
import json, sys

for line in sys.stdin:
    question = json.loads(line)
    said = {{"error": "no idea"}} if "Options" in question["text"] else {{"answer": "A"}}
    print(json.dumps({{"id": question["id"], **said}}), flush=True)
"""


def read_union(report: Any) -> Any:
    (union,) = [
        row
        for row in report["summary"]["consensus"]
        if (row["level"], row["test"], row["threshold"]) == ("benchmark", "any", 1)
    ]
    return union


def test_a_habit_is_a_shortcut_in_published_order_and_none_when_choices_rotate(
    oasis: Any,
    eyes: Any,
    brightening: bytes,
    write_benchmark: Any,
    give_two_away: Any,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 4)
    give_two_away()
    arguments = ["audit", "questions.jsonl", "--model", f"openai/eyes@{eyes.url}", "--json"]
    once = json.loads(oasis(*arguments, "--out", "once").stdout)
    assert read_union(once)["n_shortcuts"] == 2
    assert once["summary"]["rotations"] == []
    done = oasis(*arguments, "--rotations", 2, "--out", "twice")
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 4 + 8
    twice = json.loads(done.stdout)
    union = read_union(twice)
    assert (union["n_known"], union["n_shortcuts"], union["null"]) == (4, 0, 0.0)
    (row,) = [row for row in twice["summary"]["rotations"] if row["level"] == "benchmark"]
    assert (row["n"], row["same"], row["accuracy"], row["always_right"]) == (4, 0.0, 0.5, 0.0)
    assert "n_rotations = 2" in (tmp_path / "twice/audit.toml").read_text()
    assert "choices are rotated" in (tmp_path / "twice/report/report.html").read_text()


def test_a_lazy_audit_asks_no_rotation_after_a_wrong_one(
    oasis: Any,
    eyes: Any,
    brightening: bytes,
    write_benchmark: Any,
    give_two_away: Any,
) -> None:
    write_benchmark(brightening, 4)
    give_two_away()
    done = oasis(
        "audit", "questions.jsonl", "--model", f"openai/eyes@{eyes.url}", "--plan", "lazy",
        "--rotations", 2, "--out", "run", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 2 + 2 * 2
    report = json.loads(done.stdout)
    assert (read_union(report)["n_known"], read_union(report)["n_shortcuts"]) == (4, 0)


def test_rotations_left_out_after_a_wrong_one_are_told_apart(
    oasis: Any, eyes: Any, brightening: bytes, write_benchmark: Any, tmp_path: Path
) -> None:
    write_benchmark(brightening, 2)
    program = tmp_path / "agent.py"
    program.write_text(HAS_NO_ANSWER.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    done = oasis(
        "audit", "questions.jsonl", "-m", f"openai/eyes@{eyes.url}", "-m", "external/./agent.py",
        "--plan", "lazy", "--threshold", 1, "--rotations", 2, "--out", "run",
    )  # fmt: skip
    # While the program has no answer the verdicts stay open, but the server is wrong already.
    assert done.returncode == 1, done.stderr
    assert len(eyes.shown) == 2
    assert "blind: 2 of 8 calls left out; 0 about" in done.stderr
    assert "2 of models wrong under another rotation" in done.stderr


def test_rotations_start_at_one(oasis: Any, own_file: Path) -> None:
    done = oasis("audit", own_file, "--rotations", 0)
    assert done.returncode == 2
    assert "n_rotations is 0; expected 1 or more" in done.stderr
