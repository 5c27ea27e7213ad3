"""A lazy audit: fewer calls, the same shortcuts, and completed to full when asked."""

import json
from pathlib import Path
from typing import Any

MODELS = """
diagnostics = ["reverse", "blind"]
plan = "lazy"

[[benchmarks]]
path = "questions.jsonl"
videos = "videos"

[[models]]
model = "openai/eyes@{url}"
name = "cool"
temperature = 0.0

[[models]]
model = "openai/eyes@{url}"
name = "warm"
temperature = 1.0
"""


def read_report(folder: Path) -> Any:
    return json.loads((folder / "run/report/report.json").read_text())


def count_missing(report: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in report["summary"]["statuses"]:
        if row["status"] == "missing":
            counts[row["reason"]] = counts.get(row["reason"], 0) + row["n"]
    return counts


def find_union(report: Any) -> Any:
    (union,) = [
        row
        for row in report["summary"]["consensus"]
        if (row["level"], row["test"], row["threshold"]) == ("benchmark", "any", 2)
    ]
    return union


def test_a_lazy_audit_finds_the_shortcuts_says_what_it_saved_and_can_be_completed(
    oasis: Any,
    eyes: Any,
    brightening: bytes,
    write_benchmark: Any,
    give_two_away: Any,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 4)
    # The server answers A unless it sees the clip brighten: right without the clip on two.
    give_two_away()
    (tmp_path / "lazy.toml").write_text(MODELS.format(url=eyes.url))

    planned = oasis("audit", "--settings", "lazy.toml", "--out", "run", "--dry-run")
    assert "These are upper bounds: the lazy plan" in planned.stderr
    done = oasis("audit", "--settings", "lazy.toml", "--out", "run")
    assert done.returncode == 0, done.stderr
    # Two shortcuts take two calls each, and the others one call under each of the tests.
    assert len(eyes.shown) == 2 * 2 + 2 * 2
    assert "blind: 2 of 8 calls left out; 0 about samples that are shortcuts" in done.stderr
    assert "reverse: 6 of 8 calls left out; 4 about samples that are shortcuts" in done.stderr
    assert "The lazy plan left out 8 of 16 calls." in done.stderr
    report = read_report(tmp_path)
    assert count_missing(report) == {"not_needed": 8}
    union = find_union(report)
    assert (union["n"], union["n_unknown"], union["n_shortcuts"]) == (4, 0, 2)

    again = oasis("report", "run")
    assert read_report(tmp_path) == report
    assert "missing" not in again.stderr

    done = oasis("run", "run", "--plan", "full")
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 16
    report = read_report(tmp_path)
    assert count_missing(report) == {}
    assert report["savings"] == []
    assert find_union(report)["n_shortcuts"] == 2


def test_a_plan_or_threshold_that_cannot_be_is_refused(oasis: Any, tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text(
        json.dumps(
            {"id": "q", "video": "v.mp4", "question": "Why?", "options": ["x", "y"], "answer": "A"}
        )
    )
    done = oasis("audit", "questions.jsonl", "--plan", "quick")
    assert done.returncode == 2
    assert "--plan quick: expected one of full, lazy" in done.stderr
    server = "openai/m@http://127.0.0.1:9/v1"
    done = oasis("audit", "questions.jsonl", "-m", server, "--plan", "lazy", "--threshold", 2)
    assert done.returncode == 2
    assert "threshold is 2, and the largest test has 1 models; expected 1 to 1" in done.stderr
