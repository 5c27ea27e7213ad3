"""An audit through a real llama.cpp server: killed, gone on with, and honest about its answers."""

import contextlib
import json
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

N_SAMPLES = 30


def count_answers(file: Path) -> int:
    with contextlib.suppress(sqlite3.Error), sqlite3.connect(file) as connection:
        return int(connection.execute("SELECT count(*) FROM answers").fetchone()[0])
    return 0


def test_an_audit_killed_half_way_goes_on_where_it_stopped(
    oasis: Any, own_file: Path, llama_url: str, tmp_path: Path
) -> None:
    arguments = [
        "audit", str(own_file), "--out", "run", "--model", f"openai/gemma@{llama_url}",
        "--output", "logprobs", "--concurrency", "2", "--limit", str(N_SAMPLES),
    ]  # fmt: skip
    answers = tmp_path / "run" / "answers.sqlite"
    with subprocess.Popen(
        [sys.executable, "-c", "from video_oasis.cli import main; main()", *arguments],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
    ) as process:
        deadline = time.monotonic() + 60
        while count_answers(answers) < 10 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    n_before = count_answers(answers)
    assert 10 <= n_before < N_SAMPLES

    left = json.loads(oasis("run", "run", "--dry-run", "--json").stdout)
    assert [(row["stored"], row["to ask"]) for row in left] == [
        (n_before, row["questions"] - n_before) for row in left
    ]
    done = oasis("run", "run")
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "run/report/report.json").read_text())
    (row,) = [row for row in report["summary"]["accuracy"] if row["level"] == "benchmark"]
    assert row["n"] == N_SAMPLES
    # A base model mostly names a letter when only letters count; what it does not is unparsed.
    assert row["n_scored"] + row["n_unparsed"] == N_SAMPLES
    assert row["n_scored"] > N_SAMPLES / 2
    assert row["n_error"] == row["n_missing"] == 0
    assert [row["task"] for row in report["summary"]["bias"]] == ["mine"]


def test_free_text_that_cannot_be_read_is_counted_and_never_wrong(
    oasis: Any, own_file: Path, llama_url: str
) -> None:
    done = oasis(
        "audit", own_file, "--out", "run", "--model", f"openai/gemma@{llama_url}",
        "--max-tokens", 12, "--concurrency", 2, "--limit", 8, "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)["summary"]
    (row,) = [row for row in summary["accuracy"] if row["level"] == "benchmark"]
    assert row["n_scored"] + row["n_unparsed"] + row["n_refused"] == 8
    assert row["n_unparsed"] > 0
    assert row["upper_bound"] - row["lower_bound"] == (8 - row["n_scored"]) / 8
    assert sum(each["n"] for each in summary["statuses"]) == 8
