"""Audits of a program of the user's own, through real clips and real processes."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs/external-programs.md"

BRIGHTENS = """\
#!{python} -S
import json, os, sys

for line in sys.stdin:
    question = json.loads(line)
    if "scene 3" in question["text"] and not os.path.exists("mended"):
        sys.exit("out of memory")
    # A flat grey JPEG says how bright it is in few bytes, but its digest and time are told as well.
    times = [frame["seconds"] for frame in question["frames"]]
    answer = "B" if len(times) > 1 and times == sorted(times) else "A"
    print(json.dumps({{"id": question["id"], "answer": answer}}), flush=True)
"""


@pytest.fixture
def audit_program(oasis: Any, tmp_path: Path) -> Callable[..., Any]:
    """Audit the benchmark with a program."""

    def audit(text: str, *more: str) -> Any:
        (tmp_path / "agent.py").write_text(text, encoding="utf-8")
        (tmp_path / "agent.py").chmod(0o755)
        return oasis(
            "audit", "questions.jsonl", "--videos", "videos", "--out", "run", "--json",
            "--model", "external/./agent.py", *more,
        )  # fmt: skip

    return audit


def test_a_program_is_asked_and_a_crash_is_an_error_that_can_be_mended(
    audit_program: Callable[..., Any],
    oasis: Any,
    write_benchmark: Any,
    brightening: bytes,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 5)
    program = BRIGHTENS.format(python=sys.executable)
    done = audit_program(program, "-d", "standard", "-d", "center_frame", "--concurrency", "2")
    assert done.returncode == 1, done.stderr
    rows = {
        row["diagnostic"]: (row["n_scored"], row["n_error"], row["accuracy"])
        for row in json.loads(done.stdout)["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }
    assert rows == {"standard": (4, 1, 1.0), "center_frame": (4, 1, 0.0)}
    (tmp_path / "mended").touch()
    done = oasis("run", "run", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = [
        row
        for row in json.loads(done.stdout)["summary"]["accuracy"]
        if row["level"] == "benchmark" and row["diagnostic"] == "standard"
    ]
    assert (row["n_scored"], row["accuracy"]) == (5, 1.0)


def test_a_program_that_never_replies_is_found_out_before_anything_is_asked(
    audit_program: Callable[..., Any], write_benchmark: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 2)
    done = audit_program("#!/bin/sh\necho ready\n", "-d", "standard")
    assert done.returncode == 2
    assert "external/./agent.py: the program wrote a line that is no JSON: ready" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_documented_agent_runs(
    audit_program: Callable[..., Any],
    eyes: Any,
    write_benchmark: Any,
    brightening: bytes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    monkeypatch.setenv("AGENT_URL", eyes.url)
    monkeypatch.setenv("AGENT_MODEL", "eyes")
    write_benchmark(brightening, 2)
    example = example.replace("/usr/bin/env python3", sys.executable)
    done = audit_program(example, "-d", "standard", "-d", "reverse")
    assert done.returncode == 0, done.stderr
    # Shown in their order the frames brighten; the first question is about two grey ones.
    assert sorted(map(len, eyes.shown)) == [2, 4, 4, 8, 8]
    accuracy = {
        row["diagnostic"]: row["accuracy"]
        for row in json.loads(done.stdout)["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }
    assert accuracy == {"standard": 1.0, "reverse": 0.0}
