"""Runs the command line as a user does."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Oasis = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def oasis(tmp_path: Path) -> Oasis:
    """Run ``oasis`` with these arguments in an empty folder."""

    def run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [
                sys.executable,
                "-c",
                "from video_oasis.cli import main; main()",
                *map(str, arguments),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", **environment},
        )

    return run


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A small file of questions whose answer is given away by the word "blue"."""
    rows: list[dict[str, Any]] = [
        {
            "qid": f"q{number}",
            "clip": f"clip{number % 20}.mp4",
            "prompt": f"What colour is thing number {number}?",
            "options": ["red", "blue", "green", "grey"],
            "gold": "B" if number % 4 else "ACD"[number // 4 % 3],
            "kind": "colour",
        }
        for number in range(60)
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file
