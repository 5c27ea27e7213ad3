"""Models behind any server that speaks the OpenAI chat protocol, over the official client.

A model is named ``MODEL@BASE_URL``, such as ``Qwen/Qwen3-8B@http://localhost:8000/v1``; several
addresses after commas share the load. Without an address it is ``OPENAI_BASE_URL``, else OpenAI's
own. ``addresses`` knows where the servers are, ``protocol`` what is sent and what comes back,
``faults`` what went wrong, ``model`` asks.
"""

import re
from typing import TYPE_CHECKING, Final

from video_oasis.errors import SettingsError
from video_oasis.models.interface import Backend
from video_oasis.models.openai.addresses import read_addresses
from video_oasis.models.settings import ModelSettings, Output

if TYPE_CHECKING:
    from video_oasis.models.openai.model import OpenAIModel

_BEFORE_ADDRESS: Final = re.compile(r"@(?=https?://)", re.IGNORECASE)


def open_model(name: str, settings: ModelSettings) -> "OpenAIModel":
    """Return the model of that name, without connecting to anything.

    Args:
        name: ``MODEL@BASE_URL[,BASE_URL…]`` or ``MODEL``.
        settings: how to ask it.

    Raises:
        SettingsError: the name has no model part, an address is none or carries a password or a
            query, the key cannot be one, or ``max_tokens`` is set for scored letters.
    """
    from video_oasis.models.openai.model import OpenAIModel

    model, *addresses = _BEFORE_ADDRESS.split(name, maxsplit=1)
    if not model:
        raise SettingsError(
            "model openai/…: no model is named before the address; expected MODEL@BASE_URL, such "
            "as Qwen/Qwen3-8B@http://localhost:8000/v1"
        )
    if settings.output is Output.LOGPROBS and settings.max_tokens not in (None, 1):
        raise SettingsError(
            f"model openai/{model}: output logprobs reads one token, and max_tokens is "
            f"{settings.max_tokens}; leave max_tokens out"
        )
    return OpenAIModel(model, read_addresses(model, addresses[0] if addresses else ""), settings)


BACKEND: Final = Backend(
    {
        "MODEL@BASE_URL": "a model behind a server that speaks the OpenAI protocol",
        "MODEL@BASE_URL,BASE_URL": "the same model behind several servers, sharing the load",
        "MODEL": "a model behind the server that OPENAI_BASE_URL names, or OpenAI's own",
    },
    frozenset(
        {"output", "temperature", "max_tokens", "seed", "revision", "max_frames", "frames_as"}
        | {"processor", "template", "concurrency", "timeout_seconds", "max_retries", "api_key_env"}
    ),
    open_model,
)
