"""Where a model's servers are, and which of several to ask next."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from video_oasis.errors import SettingsError

_OPENAI_URL: Final = "https://api.openai.com/v1"


def read_addresses(model: str, text: str) -> tuple[str, ...]:
    """Return the base URLs in a text, or the client's default if it is empty.

    An address that carries a user name, a password or a query is refused, since names of models
    are stored and shown.

    Args:
        model: the model's name, for messages.
        text: URLs with commas between.

    Raises:
        SettingsError: one of them is no plain http address.
    """
    source = "its address"
    if not text:
        source = "the environment variable OPENAI_BASE_URL"
        text = os.environ.get("OPENAI_BASE_URL") or _OPENAI_URL
    urls = [url.strip().rstrip("/") for url in text.split(",")]
    for number, url in enumerate(urls, start=1):
        # The address itself is not quoted: what makes it wrong may be the secret in it.
        where = f"model openai/{model}: {source} (number {number} of {len(urls)})"
        try:
            parts = urlsplit(url)
            port_is_valid = parts.port is None or parts.port > 0
        except ValueError:
            port_is_valid = False
        if not port_is_valid or parts.scheme not in ("http", "https") or not parts.hostname:
            raise SettingsError(
                f"{where} is no http address; expected one such as http://localhost:8000/v1"
            )
        if "@" in parts.netloc or parts.query or parts.fragment:
            raise SettingsError(
                f"{where} carries a user name, a password, a query or a fragment; give the plain "
                f"address, and a key through the environment variable that api_key_env names"
            )
    return tuple(dict.fromkeys(urls))


@dataclass
class Address:
    """One server of a model.

    Attributes:
        url: its base URL.
        in_flight: how many requests it is working on.
        resting_until: the time (``time.monotonic``) before which others are asked first.
    """

    url: str
    in_flight: int = 0
    resting_until: float = 0.0

    def rest(self, seconds: float) -> None:
        """Leave this server out for a while, as long as there are others."""
        self.resting_until = max(self.resting_until, time.monotonic() + seconds)


def choose_address(addresses: Sequence[Address]) -> Address:
    """Return the server to ask next: of those not resting, the one with least to do."""
    if len(addresses) == 1:
        return addresses[0]
    now = time.monotonic()
    return min(addresses, key=lambda each: (max(0.0, each.resting_until - now), each.in_flight))
