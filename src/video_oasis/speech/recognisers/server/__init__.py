"""Recognisers behind any server that speaks the OpenAI transcription protocol.

A recogniser is named ``MODEL@BASE_URL``, such as ``whisper-1@http://localhost:8000/v1``. Without an
address it is the one that ``OPENAI_BASE_URL`` names, else OpenAI's own. ``protocol`` knows what is
sent and what comes back, ``model`` asks.
"""

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from video_oasis.errors import SettingsError
from video_oasis.speech.recognisers.interface import Engine
from video_oasis.speech.recognisers.settings import RecogniserSettings

if TYPE_CHECKING:
    from video_oasis.speech.recognisers.server.model import ServerRecogniser

_BEFORE_ADDRESS: Final = re.compile(r"@(?=https?://)", re.IGNORECASE)


def open_recogniser(name: str, settings: RecogniserSettings) -> "ServerRecogniser":
    """Return the recogniser of that name, without connecting to anything.

    Args:
        name: ``MODEL@BASE_URL`` or ``MODEL``.
        settings: how it is asked.

    Raises:
        SettingsError: the name has no model part, or the address is none or carries a password or
            a query.
    """
    from video_oasis.speech.recognisers.server.model import ServerRecogniser

    model, *addresses = _BEFORE_ADDRESS.split(name, maxsplit=1)
    if not model:
        raise SettingsError(
            "speech recogniser server/…: no model is named before the address; expected "
            "MODEL@BASE_URL, such as whisper-1@http://localhost:8000/v1"
        )
    if addresses:
        _check_address(model, addresses[0])
    return ServerRecogniser(model, addresses[0] if addresses else None, settings)


def _check_address(model: str, url: str) -> None:
    # The address itself is not quoted: what makes it wrong may be the secret in it.
    where = f"speech recogniser server/{model}: its address"
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        has_host = False
    if not has_host:
        raise SettingsError(
            f"{where} is no http address; expected one such as http://localhost:8000/v1"
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise SettingsError(
            f"{where} carries a user name, a password, a query or a fragment; give the plain "
            "address, and a key through the environment variable that api_key_env names"
        )


ENGINE: Final = Engine(
    {
        "MODEL@BASE_URL": "a model behind a server with OpenAI's /audio/transcriptions",
        "MODEL": "a model behind the server that OPENAI_BASE_URL names, or OpenAI's own",
    },
    frozenset(
        {"language", "revision", "concurrency", "timeout_seconds", "max_retries", "api_key_env"}
    ),
    open_recogniser,
)
