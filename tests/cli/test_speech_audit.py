"""Audits of what is said, from transcripts beside the videos."""

import json
from pathlib import Path
from typing import Any

SRT = """1
00:00:00,500 --> 00:00:02,000
The light is at 1 now, and we wait.

2
00:00:02,000 --> 00:00:03,500
The light is at 2 now, and we go on.
"""


def test_a_run_is_planned_alike_from_wherever_its_folders_are_named(
    oasis: Any, eyes: Any, brightening: bytes, write_benchmark: Any, tmp_path: Path
) -> None:
    write_benchmark(brightening, 4)
    (tmp_path / "srt").mkdir()
    for number in range(4):
        (tmp_path / f"srt/clip{number}.srt").write_text(SRT)
    done = oasis(
        "audit", "questions.jsonl", "-d", "audio", "--videos", "videos", "--transcripts", "srt",
        "-m", f"openai/eyes@{eyes.url}", "--out", "run",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 4
    # All four are right from the speech alone, and later commands know the speech too.
    distilled = json.loads(oasis("distil", "run", "--json").stdout)
    assert (distilled["dropped"], distilled["undecided"]) == (4, 0)
    again = oasis("run", "run")
    assert again.returncode == 0, again.stderr
    assert len(eyes.shown) == 4
