"""Listens through a transcription server, over the official OpenAI client."""

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import httpx2
import numpy as np
import openai

from video_oasis.errors import (
    AskError,
    AskInterrupted,
    AskRejected,
    ModelUnavailable,
    SettingsError,
)
from video_oasis.media.audio import SAMPLE_RATE, Samples
from video_oasis.speech.recognisers.interface import Heard
from video_oasis.speech.recognisers.server.protocol import (
    FLAC_BYTES_PER_SECOND,
    encode_sound,
    read_transcription,
)
from video_oasis.speech.recognisers.settings import RecogniserSettings

_LONGEST_SECONDS: Final = 600
_LONGEST_BYTES: Final = _LONGEST_SECONDS * FLAC_BYTES_PER_SECOND
"""Within the 25 MB that OpenAI and vLLM take."""
_CONCURRENCY: Final = 4
_NO_KEY: Final = "EMPTY"
_CONNECT_SECONDS: Final = 10.0
_QUOTED_CHARACTERS: Final = 300
_PASSING_STATUSES: Final = frozenset({408, 409, 425, 429})
_REFUSED_FORMAT: Final = re.compile(r"response_format|verbose_json", re.IGNORECASE)


class ServerRecogniser:
    """A speech model behind a server.

    The client tries again after refused connections, time-outs, rate limits and server errors;
    replies that cannot be read are asked for again here. A server that cannot give times is asked
    for the text alone from then on.
    """

    longest_seconds = _LONGEST_SECONDS

    def __init__(self, model: str, url: str | None, settings: RecogniserSettings) -> None:
        """Note what to ask, where and how.

        Args:
            model: the model's name on its server.
            url: the server's base URL, None for the client's default.
            settings: how it is asked.

        Raises:
            SettingsError: the key in the environment cannot be sent in a header.
        """
        self._model = model
        self._url = url
        self._settings = settings
        self._gives_times = True
        self._key = os.environ.get(settings.api_key_env, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise SettingsError(
                f"{self.name}: the key in the environment variable {settings.api_key_env} holds "
                f"characters that no key has; set it again"
            )

    @property
    def name(self) -> str:
        """The engine and the model, without where it runs."""
        return f"server/{self._model}"

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once."""
        return self._settings.concurrency or _CONCURRENCY

    def describe(self) -> Mapping[str, Any]:
        """Return the model's name and revision, and what it is sent."""
        return {
            "engine": "server",
            "model": self._model,
            "revision": self._settings.revision,
            "language": self._settings.language,
            "temperature": 0,
            "sent_as": "flac",
            "longest_seconds": _LONGEST_SECONDS,
        }

    def check(self) -> None:
        """Find out whether the server transcribes, with a second of silence.

        Raises:
            ModelUnavailable: it is out of reach, refuses the key or has no such model.
        """
        try:
            self._ask(np.zeros(SAMPLE_RATE, np.float32), max_retries=0)
        except AskError as error:
            if error.kind != "http_429":
                raise ModelUnavailable(
                    f"{error}; start the server or mend the recogniser's name"
                ) from None

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        """Send the sound and give what came back.

        Raises:
            AskRejected: the server refuses the sound.
            AskInterrupted: every try met a passing fault.
        """
        yield from self._ask(samples, max_retries=self._settings.max_retries)

    def _ask(self, samples: Samples, *, max_retries: int) -> Sequence[Heard]:
        sound = encode_sound(samples)
        n_unread = 0
        while True:
            content_type, content = self._send(sound, max_retries)
            try:
                return read_transcription(content_type, content, len(samples) / SAMPLE_RATE)
            except AskInterrupted as error:
                n_unread += 1
                if n_unread > max_retries:
                    said = self._shorten(str(error))
                    raise AskInterrupted(error.kind, f"{self._where}: {said}") from None

    def _send(self, sound: bytes, max_retries: int) -> tuple[str, bytes]:
        """Return the type and the body of a successful reply.

        The client's errors hold the call's headers, and with them the key: they go no further.
        """
        gives_times = self._gives_times
        client = self._client.with_options(max_retries=max_retries)
        # The client limits each read, not the whole call: a server that drips would hang it.
        deadline = time.monotonic() + self._settings.timeout_seconds * (1 + max_retries)
        pieces = []
        try:
            with client.audio.transcriptions.with_streaming_response.create(
                file=("sound.flac", sound, "audio/flac"),
                model=self._model,
                language=self._settings.language or openai.omit,
                response_format="verbose_json" if gives_times else "json",
                temperature=0,
            ) as response:
                for piece in response.iter_bytes():
                    pieces.append(piece)
                    if time.monotonic() > deadline:
                        raise self._timeout()
                return response.headers.get("content-type", ""), b"".join(pieces)
        except openai.APIStatusError as error:
            status, said = error.status_code, self._shorten(error.message)
            if gives_times and status in {400, 422} and _REFUSED_FORMAT.search(error.message):
                self._gives_times = False
                return self._send(sound, max_retries)
            raise self._refusal(status, said) from None
        except (openai.APITimeoutError, httpx2.TimeoutException):
            raise self._timeout() from None
        except (openai.APIConnectionError, httpx2.HTTPError) as error:
            cause = self._shorten(str(error.__cause__ or error))
            raise AskInterrupted(
                "connection", f"{self._where}: the connection failed: {cause}"
            ) from None

    @cached_property
    def _client(self) -> openai.OpenAI:
        timeout = self._settings.timeout_seconds
        return openai.OpenAI(
            api_key=self._key or _NO_KEY,
            base_url=self._url,
            timeout=httpx2.Timeout(timeout, connect=min(_CONNECT_SECONDS, timeout)),
            http_client=openai.DefaultHttpxClient(follow_redirects=False),
        )

    @property
    def _where(self) -> str:
        return f"{self.name} at {self._client.base_url}"

    def _refusal(self, status: int, said: str) -> AskError:
        if status in {401, 403}:
            advice = f"set a valid key in the environment variable {self._settings.api_key_env}"
        elif status == 404:
            advice = "check the model's name and the address"
        elif status == 413:
            advice = f"let the server take {_LONGEST_BYTES >> 20} MiB at once"
        else:
            advice = "see the server's log"
        passing = status in _PASSING_STATUSES or status >= 500
        return (AskInterrupted if passing else AskRejected)(
            f"http_{status}", f"{self._where}: the server answers HTTP {status}: {said}; {advice}"
        )

    def _timeout(self) -> AskInterrupted:
        return AskInterrupted(
            "timeout",
            f"{self._where}: no reply within {self._settings.timeout_seconds:g} seconds",
        )

    def _shorten(self, text: str) -> str:
        line = " ".join((text.replace(self._key, "[key]") if self._key else text).split())
        return line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
