"""Asks a chat model over the official OpenAI client, and tries again after passing faults."""

import asyncio
import difflib
import json
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import httpx2
import openai

from video_oasis.errors import (
    AskError,
    AskInterrupted,
    AskRejected,
    ModelUnavailable,
    SettingsError,
)
from video_oasis.models.interface import ANSWERS_QUESTIONS
from video_oasis.models.openai.addresses import Address, choose_address
from video_oasis.models.openai.faults import (
    Fault,
    read_refusal,
    shorten,
    wait_seconds,
    wants_max_completion_tokens,
)
from video_oasis.models.openai.protocol import (
    chat_body,
    encode_pictures,
    read_completion,
    resolve_frames_as,
    write_body,
)
from video_oasis.models.settings import (
    DEFAULT_CONCURRENCY,
    ModelSettings,
    Output,
    reply_limit,
)
from video_oasis.schema import Answer, Form, Request

_NO_KEY: Final = "EMPTY"  # what servers that check no key are sent, as vLLM's documentation does
_CONNECT_SECONDS: Final = 10.0
_REST_SECONDS: Final = 10.0

_PROBE: Final = Request(system="", text="Reply with the letter A.", letters=("A",))
_PROBE_SETTINGS: Final = ModelSettings(output=Output.TEXT, temperature=None)
_PROBE_TOKENS: Final = 16  # some servers refuse a limit that leaves no room to reason

# The client's telemetry costs a tenth of the time of a call and tells a server of one's machine.
_NO_TELEMETRY: Final = {
    f"X-Stainless-{name}": openai.Omit()
    for name in (
        "Arch",
        "Async",
        "Lang",
        "OS",
        "Package-Version",
        "Read-Timeout",
        "Retry-Count",
        "Runtime",
        "Runtime-Version",
    )
}


class OpenAIModel:
    """A chat model behind one or several servers that speak the OpenAI protocol.

    Retries are made here and not by the client, which does not see truncated replies, web pages
    and replies without choices as faults. Where a server takes the length limit only as
    ``max_completion_tokens``, it is sent under that name from then on: the same limit, so the
    model's identity is the same.
    """

    def __init__(self, model: str, urls: Sequence[str], settings: ModelSettings) -> None:
        """Note what to ask, where and how.

        Args:
            model: the model's name on its servers.
            urls: base URLs of the servers.
            settings: how to ask it.

        Raises:
            SettingsError: the key in the environment cannot be sent in a header.
        """
        self._model = model
        self._settings = settings
        self._addresses = [Address(url) for url in urls]
        self._key = os.environ.get(settings.api_key_env, "").strip()
        if not (self._key.isascii() and self._key.isprintable()):
            raise SettingsError(
                f"{self.name}: the key in the environment variable {settings.api_key_env} holds "
                f"characters that no key has; set it again"
            )
        self._limit_name = "max_tokens"
        self._client: openai.AsyncOpenAI | None = None

    @property
    def name(self) -> str:
        """The backend and the model, without where it runs."""
        return f"openai/{self._model}"

    @property
    def forms(self) -> frozenset[Form]:
        """Worded questions."""
        return ANSWERS_QUESTIONS

    @property
    def max_frames(self) -> int | None:
        """The most frames of one request, as the settings say; servers do not tell theirs."""
        return self._settings.max_frames

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once, over all servers."""
        return self._settings.concurrency or DEFAULT_CONCURRENCY

    def describe(self) -> Mapping[str, Any]:
        """Return the model's name, revision, generation settings and how it is shown frames.

        Not the most frames it takes: fewer frames make another request, which has another id.
        """
        return {
            "backend": "openai",
            "model": self._model,
            "revision": self._settings.revision,
            "output": self._settings.output.value,
            "temperature": self._settings.temperature,
            "max_tokens": reply_limit(self._settings),
            "seed": self._settings.seed,
            "frames_as": resolve_frames_as(self._settings).value,
            "processor": dict(self._settings.processor),
            "template": dict(self._settings.template),
        }

    async def check(self) -> None:
        """Find out whether every server is there and answers for this model.

        A server that lists the model passes; one that lists no models, or others, is asked a short
        question.

        Raises:
            ModelUnavailable: a server is out of reach, refuses the key or has no such model.
        """
        await asyncio.gather(*(self._check_address(address) for address in self._addresses))

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        """Answer one request.

        Pictures are encoded once, whatever the number of tries.

        Raises:
            AskRejected: the server refuses the request; a parameter at fault is named.
            AskInterrupted: every try met a passing fault.
        """
        body = chat_body(self._model, request, self._settings, draw)
        encoded = await encode_pictures(pictures)
        limit = reply_limit(self._settings)
        n_failed = 0
        while True:
            address = choose_address(self._addresses)
            outcome = await self._try(address, body, encoded, limit, request, self._settings.output)
            if isinstance(outcome, Answer):
                return outcome
            n_failed += 1
            if isinstance(outcome.error, AskRejected) or n_failed > self._settings.max_retries:
                raise outcome.error
            if outcome.is_server_away:
                address.rest(outcome.retry_after_seconds or _REST_SECONDS)
            await asyncio.sleep(wait_seconds(outcome, n_failed))

    async def close(self) -> None:
        """Release connections; asking again opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _connection(self) -> openai.AsyncOpenAI:
        if self._client is None:
            self._client = openai.AsyncOpenAI(
                api_key=self._key or _NO_KEY,
                base_url=self._addresses[0].url,
                max_retries=0,
                timeout=httpx2.Timeout(
                    self._settings.timeout_seconds,
                    connect=min(_CONNECT_SECONDS, self._settings.timeout_seconds),
                ),
                # Nearly twice the calls a second of the client's default transport.
                http_client=openai.DefaultAioHttpClient(follow_redirects=False),
            )
        return self._client

    async def _try(
        self,
        address: Address,
        body: Mapping[str, Any],
        pictures: Sequence[bytes],
        limit: int,
        request: Request,
        output: Output,
    ) -> Answer | Fault:
        """Make one call and return what came of it.

        Errors are returned, not raised from the client's: those hold the call's headers, and with
        them the key.
        """
        limit_name = self._limit_name
        pieces = write_body({**body, limit_name: limit}, pictures)
        response = await self._send(address, "/chat/completions", pieces)
        if isinstance(response, Fault):
            return response
        if response.is_success:
            try:
                return read_completion(response.content, request, output)
            except AskError as error:
                said = shorten(self._without_key(str(error)))
                return self._at(address, Fault(type(error)(error.kind, said)))
        said = self._without_key(response.text)
        if limit_name == "max_tokens" and wants_max_completion_tokens(response.status_code, said):
            self._limit_name = "max_completion_tokens"
            return await self._try(address, body, pictures, limit, request, output)
        fault = read_refusal(
            response.status_code,
            response.headers,
            said,
            key_env=self._settings.api_key_env,
            n_frames=len(request.frames),
        )
        return self._at(address, fault)

    async def _send(
        self, address: Address, path: str, pieces: Sequence[bytes]
    ) -> httpx2.Response | Fault:
        """Send one call, a POST if there is a body, and return the reply whatever its status."""
        client = self._connection()
        url = address.url + path
        address.in_flight += 1
        try:
            # The client limits each read, not the whole call: a server that drips would hang it.
            async with asyncio.timeout(self._settings.timeout_seconds):
                if not pieces:
                    return await client.get(
                        url, cast_to=httpx2.Response, options={"headers": _NO_TELEMETRY}
                    )
                length = {"Content-Length": str(sum(map(len, pieces)))}
                return await client.post(
                    url,
                    cast_to=httpx2.Response,
                    # Megabytes in one piece would hold up all other calls.
                    content=pieces[0] if len(pieces) == 1 else _stream(pieces),
                    options={"headers": {**_NO_TELEMETRY, **length}},
                )
        except openai.APIStatusError as error:
            return error.response
        except TimeoutError:
            return self._at(address, self._timeout())
        except openai.APIConnectionError as error:
            # The aiohttp transport names refused connections time-outs; the first cause is right.
            if isinstance(_first_cause(error), TimeoutError):
                return self._at(address, self._timeout())
            cause = self._without_key(str(_first_cause(error)))
            text = f"the connection failed: {shorten(cause)}"
            return self._at(address, Fault(AskInterrupted("connection", text), is_server_away=True))
        finally:
            address.in_flight -= 1

    async def _check_address(self, address: Address) -> None:
        response = await self._send(address, "/models", ())
        if isinstance(response, Fault):
            raise ModelUnavailable(f"{response.error}; start the server there or mend the address")
        names = _listed_models(response)
        if self._model in names:
            return
        body = chat_body(self._model, _PROBE, _PROBE_SETTINGS, draw=0)
        outcome = await self._try(address, body, (), _PROBE_TOKENS, _PROBE, _PROBE_SETTINGS.output)
        # Some servers list one name and answer to any; some refuse the question and have the model.
        if isinstance(outcome, Answer) or outcome.error.kind == "http_429":
            return
        near = difflib.get_close_matches(self._model, names, n=3, cutoff=0.3) or names[:3]
        hint = f"; it has {', '.join(near)}" if near else ""
        raise ModelUnavailable(f"{outcome.error}{hint}")

    def _timeout(self) -> Fault:
        text = f"no reply within {self._settings.timeout_seconds:g} seconds"
        return Fault(AskInterrupted("timeout", text))

    def _at(self, address: Address, fault: Fault) -> Fault:
        error = fault.error
        where = f"{self.name} at {address.url}"
        return replace(fault, error=type(error)(error.kind, f"{where}: {error}"))

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "[key]") if self._key else text


async def _stream(pieces: Sequence[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece
        await asyncio.sleep(0)  # a server that reads fast would never let other calls have a turn


def _first_cause(error: BaseException) -> BaseException:
    while error.__cause__ is not None:
        error = error.__cause__
    return error


def _listed_models(response: httpx2.Response) -> list[str]:
    """Return the names a server lists; none if it has no such list."""
    try:
        return [entry["id"] for entry in json.loads(response.content)["data"]]
    except (ValueError, KeyError, TypeError):
        return []
