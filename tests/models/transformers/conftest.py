"""Fixtures for models that transformers runs: a way to ask, and a look at what they receive."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import AskError
from video_oasis.models.interface import AskedModel
from video_oasis.schema import Answer, Request

Shown = tuple[Request, Sequence[bytes]]
AskAll = Callable[..., list[Answer | AskError]]


@pytest.fixture(scope="session")
def ask_all() -> AskAll:
    """Ask a model all questions at the same time, and close it."""

    async def ask(model: AskedModel, shown: Sequence[Shown], draw: int) -> list[Answer | AskError]:
        async def one(request: Request, pictures: Sequence[bytes]) -> Answer | AskError:
            try:
                return await model.ask(request, draw, pictures)
            except AskError as error:
                return error

        try:
            return await asyncio.gather(*(one(*each) for each in shown))
        finally:
            await model.close()

    def run(model: AskedModel, *shown: Shown, draw: int = 0) -> list[Answer | AskError]:
        return asyncio.run(ask(model, shown, draw))

    return run


@pytest.fixture
def received(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Record every call that makes a model generate: its arguments, and ``said`` tokens."""
    import transformers

    calls: list[dict[str, Any]] = []
    generate = transformers.GenerationMixin.generate

    def record(self: Any, *args: Any, **arguments: Any) -> Any:
        calls.append(arguments)
        generated = generate(self, *args, **arguments)
        calls[-1]["said"] = generated.sequences[:, arguments["input_ids"].shape[1] :].tolist()
        return generated

    monkeypatch.setattr(transformers.GenerationMixin, "generate", record)
    return calls


@pytest.fixture
def copy_model(build_model: Callable[[str], Path], tmp_path: Path) -> Callable[[str], Path]:
    """Copy a small model to a folder of the test's own, to be changed."""

    def copy(kind: str) -> Path:
        return Path(shutil.copytree(build_model(kind), tmp_path / kind))

    return copy
