"""``oasis order``: the table of TVBench's paper, from a run."""

import json
from typing import Any


def test_prints_what_is_left_without_the_video_or_its_order(
    oasis: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 6)
    asked = oasis(*frames_arguments("standard", "blind", "random_frame", "shuffle", "reverse"))
    assert asked.returncode == 0, asked.stderr
    done = oasis("order", "run")
    assert done.returncode == 0, done.stderr
    head, whole, task = done.stdout.splitlines()
    assert head.split()[:5] == ["benchmark", "task", "model", "chance", "video"]
    # Right with the video only; nothing stays the same once its frames are shuffled.
    expected = ["50.0", "100.0", *["0.0", "↓↓"] * 4, "0.0"]
    assert whole.split()[-len(expected) :] == expected
    assert "all" in whole.split()
    assert "light" in task.split()
    assert "↓↓ below chance" in done.stderr
    (first, _) = json.loads(oasis("order", "run", "--json").stdout)
    assert first["cells"]["reverse"] == {"accuracy": 0.0, "arrow": "↓↓", "n": 6, "same": 0.0}
    gated = oasis("order", "run", "--gate")
    assert gated.returncode == 0, gated.stderr
    assert gated.stdout.splitlines()[-1] == "Gate: 1 of 1 tasks pass."
    assert json.loads(oasis("order", "run", "--gate", "--json").stdout)["failures"] == []


def test_the_gate_names_what_does_not_pass_and_what_was_not_asked(
    oasis: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 1)  # one video has no interval
    assert oasis(*frames_arguments("standard", "center_frame")).returncode == 0
    lacking = oasis("order", "run", "--gate")
    assert lacking.returncode == 2
    assert "was not asked under reverse" in lacking.stderr
    assert oasis(*frames_arguments("standard", "center_frame", "reverse")).returncode == 0
    failed = oasis("order", "run", "--gate")
    assert failed.returncode == 1
    assert "no interval from fewer than two videos" in failed.stdout
    assert failed.stdout.splitlines()[-1] == "Gate: 0 of 1 tasks pass."


def test_a_run_without_videos_has_no_such_table(oasis: Any, own_file: Any) -> None:
    asked = oasis("audit", own_file, "--model", "learned/neighbours", "--out", "run")
    assert asked.returncode == 0, asked.stderr
    done = oasis("order", "run")
    assert done.returncode == 2
    assert "no model has answers with the video (standard)" in done.stderr
