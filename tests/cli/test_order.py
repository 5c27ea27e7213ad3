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


def test_a_run_without_videos_has_no_such_table(oasis: Any, own_file: Any) -> None:
    asked = oasis("audit", own_file, "--model", "learned/neighbours", "--out", "run")
    assert asked.returncode == 0, asked.stderr
    done = oasis("order", "run")
    assert done.returncode == 2
    assert "no model has answers with the video (standard)" in done.stderr
