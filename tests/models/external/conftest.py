"""Programs of the tests' own, and a way to ask them."""

import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop

from video_oasis.models.external import open_model
from video_oasis.models.external.model import ExternalModel
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Frame, Request

T = TypeVar("T")

WriteProgram = Callable[..., Path]

_LOOP = """\
import json, os, signal, subprocess, sys, time

def reply(question, **fields):
    print(json.dumps({"id": question["id"], **fields}), flush=True)

for line in sys.stdin:
    question = json.loads(line)
    about = question["text"]
"""


@pytest.fixture
def write_program(tmp_path: Path) -> WriteProgram:
    """Write a program that does this with each ``question``, whose text is ``about``."""

    def write(body: str, name: str = "agent.py") -> Path:
        path = tmp_path / name
        indented = "".join(f"    {line}\n" for line in body.splitlines())
        path.write_text(f"#!{sys.executable} -S\n{_LOOP}{indented}", encoding="utf-8")
        path.chmod(0o755)
        return path

    return write


@pytest.fixture
def open_program(write_program: WriteProgram) -> Callable[..., ExternalModel]:
    """Open the model of a program that does this with each question."""

    def open_it(body: str, **settings: Any) -> ExternalModel:
        return open_model(str(write_program(body)), ModelSettings(**settings))

    return open_it


@pytest.fixture
def ask_all() -> Callable[..., Any]:
    """Run something with a model as a run does, and close the model."""

    def run(model: ExternalModel, work: Callable[[], Awaitable[T]]) -> T:
        async def main() -> T:
            try:
                return await work()
            finally:
                await model.close()

        return uvloop.run(main())

    return run


@pytest.fixture
def make_request() -> Callable[..., Request]:
    """Make a request about a text with so many frames."""

    def make(about: str = "Which?", n_frames: int = 0) -> Request:
        frames = tuple(Frame(f"frame{number}", 1.5 * number) for number in range(n_frames))
        return Request(system="", text=about, letters=("A", "B", "C", "D"), frames=frames)

    return make


@pytest.fixture(autouse=True)
def frames_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the folder that frames are written below; nothing may be left there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", None)
    yield folder
    assert list(folder.iterdir()) == []
