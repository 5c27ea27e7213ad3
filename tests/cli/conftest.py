"""Runs the command line as a user does."""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from video_oasis.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def oasis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Run ``oasis`` with these arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["oasis", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Done(code or 0, printed.out, printed.err)

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
