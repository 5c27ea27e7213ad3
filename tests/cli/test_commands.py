"""The other commands: help, listings, lint, and how fast help comes."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

COMMANDS = (
    "lint",
    "check",
    "audit",
    "run",
    "report",
    "demo",
    "benchmarks",
    "diagnostics",
    "models",
)


def test_help_lists_every_command(oasis: Any) -> None:
    done = oasis("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert f"\n  {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_help(oasis: Any, command: str) -> None:
    done = oasis(command, "--help")
    assert done.returncode == 0, done.stderr
    assert f"oasis {command}" in done.stdout or command in done.stdout


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("benchmarks", ["mvbench", "tgif-qa", "video-mme"]),
        ("diagnostics", ["blind"]),
        ("models", ["learned/logistic", "openai/MODEL@BASE_URL"]),
    ],
)
def test_listings_name_what_there_is(oasis: Any, command: str, names: list[str]) -> None:
    listed = [row["name"] for row in json.loads(oasis(command, "--json").stdout)]
    assert set(names) <= set(listed)
    assert all(name in oasis(command).stdout for name in names)


def test_lint_prints_defects_and_bias_in_every_format(oasis: Any, own_file: Path) -> None:
    text = oasis("lint", own_file)
    assert text.returncode == 0, text.stderr
    assert "read as" in text.stderr
    assert "question = prompt" in text.stderr
    assert "top answer" in text.stdout
    assert oasis("lint", own_file, "--format", "markdown").stdout.startswith("#")
    plain = json.loads(oasis("lint", own_file, "--format", "json").stdout)
    (row,) = [
        row for row in plain["bias"] if row["rule"] == "top_answer" and row["task"] in (None, "")
    ]
    assert (row["pick"], row["n_right"], row["n"]) == ("blue", 45, 60)


def test_lint_of_open_questions_alone(oasis: Any, tmp_path: Path) -> None:
    rows = [
        {"video": "a.mp4", "question": "Who sings?", "reference": reference}
        for reference in ("Ann", "Bob", "")
    ]
    path = tmp_path / "open.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    text = oasis("lint", path)
    assert text.returncode == 0, text.stderr
    assert "choices = none, the questions are open" in text.stderr
    assert "reference_empty" in text.stdout
    assert "Text bias" not in text.stdout
    plain = json.loads(oasis("lint", path, "--map", "choices=", "--format", "json").stdout)
    assert plain["counts"][0]["n_open_questions"] == 2
    found = {each["code"]: each["n_found"] for each in plain["checks"]}
    assert (found["other_references"], found["reference_empty"]) == (2, 1)
    assert [(row["reference"], row["score"]) for row in plain["references"]] == [("Ann", 0.5)]


def test_lint_without_a_source_says_what_to_give(oasis: Any) -> None:
    done = oasis("lint")
    assert done.returncode == 2
    assert "nothing to lint" in done.stderr


@pytest.mark.parametrize(
    "code",
    ["import video_oasis", "import sys; sys.argv = ['oasis', '--help']; "
     "from video_oasis.cli import main; main()"],
)  # fmt: skip
def test_start_up_is_quick_and_imports_nothing_heavy(code: str) -> None:
    check = f"import atexit, sys\natexit.register(lambda: print(*sys.modules))\n{code}"
    best = 9.0
    for _ in range(3):
        started = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", check], capture_output=True, text=True, check=True
        )
        best = min(best, time.perf_counter() - started)
    modules = set(done.stdout.split())
    assert not modules & {"numpy", "polars", "sklearn", "scipy", "openai", "pydantic", "jinja2"}
    assert best < 0.5
