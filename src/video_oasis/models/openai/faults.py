"""What went wrong with a call: what to say about it, and whether to ask again."""

import json
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Final

from video_oasis.errors import AskError, AskInterrupted, AskRejected

LONGEST_WAIT_SECONDS: Final = 60.0
"""No wait between two tries is longer, whatever the server asks for."""

_FIRST_WAIT_SECONDS: Final = 0.5
_QUOTED_CHARACTERS: Final = 300
_PASSING_STATUSES: Final = frozenset({408, 409, 425, 429})

# Tried in order on the server's own words; a parameter's name may come in quotes or in a path.
_REJECTIONS: Final = tuple(
    (kind, re.compile(words, re.IGNORECASE), advice)
    for kind, words, advice in (
        (
            "images_unsupported",
            r"mmproj|image input|not support (?:images?|vision|multimodal)|limit.mm.per.prompt",
            "ask a model that sees images, or start the server with its image part (llama.cpp: "
            "--mmproj; vLLM: --limit-mm-per-prompt)",
        ),
        (
            "context_length",
            r"context.(?:length|size|window)|exceeds? the context|prompt is too long",
            "start the server with a longer context or show the model less",
        ),
        (
            "rejected_temperature",
            r"\btemperature\b",
            'write temperature = "server" in a settings file, to leave it to the server',
        ),
        (
            "rejected_response_format",
            r"response_format|json_schema|\bgrammar\b",
            "choose output text",
        ),
        (
            "rejected_structured_outputs",
            r"structured_outputs|guided_choice",
            "choose output json or text",
        ),
        (
            "rejected_top_logprobs",
            r"top_logprobs|\blogprobs\b",
            "choose output text or json, or let the server send 20 (vLLM: --max-logprobs)",
        ),
        ("rejected_max_tokens", r"max_(?:completion_)?tokens", "set another max_tokens"),
        ("rejected_seed", r"\bseed\b", "leave the seed out"),
    )
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One failed try.

    Attributes:
        error: what to raise if it is the last.
        retry_after_seconds: how long the server asks to wait, None if it does not say.
        is_server_away: whether the whole server is out of reach or busy, not this call alone.
    """

    error: AskError
    retry_after_seconds: float | None = None
    is_server_away: bool = False


def read_refusal(status: int, headers: Mapping[str, str], content: str, key_env: str) -> Fault:
    """Return what a reply with a status of 400 or more means.

    Args:
        status: the HTTP status.
        headers: the reply's headers.
        content: the reply's body, already free of the key.
        key_env: the environment variable the key comes from, for the message.
    """
    said = _server_message(content)
    quote = f": {said}" if said else ""
    if status in (401, 403):
        return Fault(
            AskRejected(
                f"http_{status}",
                f"the server refuses the key (HTTP {status}){quote}; set a valid key in the "
                f"environment variable {key_env}",
            )
        )
    if status == 429 and "insufficient_quota" in content:
        return Fault(
            AskRejected("quota", f"the account's quota is used up{quote}; raise it or use another")
        )
    if status not in _PASSING_STATUSES:
        for kind, words, advice in _REJECTIONS:
            # A server error that merely names a parameter is still a server error.
            if words.search(content) and (status < 500 or kind == "images_unsupported"):
                return Fault(AskRejected(kind, f"the server says (HTTP {status}){quote}; {advice}"))
    if status in _PASSING_STATUSES or status >= 500:
        return Fault(
            AskInterrupted(f"http_{status}", f"the server answers HTTP {status}{quote}"),
            retry_after_seconds=read_retry_after(headers.get("retry-after", "")),
            is_server_away=status in (429, 503),
        )
    advice = "check the model's name and the address" if status == 404 else "mend the request"
    return Fault(
        AskRejected(f"http_{status}", f"the server answers HTTP {status}{quote}; {advice}")
    )


def wants_max_completion_tokens(status: int, content: str) -> bool:
    """Tell whether a server asks for the length limit under its other name."""
    return status == 400 and "max_completion_tokens" in content and "max_tokens" in content


def read_retry_after(value: str) -> float | None:
    """Return the seconds in a Retry-After header, which holds seconds or a date, or None."""
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def wait_seconds(fault: Fault, n_tries: int) -> float:
    """Return how long to wait after that many failed tries.

    The wait doubles with every try and is blurred, so that calls that failed together do not come
    back together; a server that names a time is given at least that.
    """
    backoff = min(_FIRST_WAIT_SECONDS * 2.0 ** (n_tries - 1), LONGEST_WAIT_SECONDS)
    backoff *= random.uniform(0.5, 1.0)
    return min(max(backoff, fault.retry_after_seconds or 0.0), LONGEST_WAIT_SECONDS)


def _server_message(content: str) -> str:
    """Return the words in an error body, in one line and short."""
    if content.lstrip()[:1] == "<":
        return "a web page"
    try:
        body: Any = json.loads(content)
    except ValueError:
        body = content
    for field in ("error", "message", "detail"):
        if isinstance(body, dict) and body.get(field):
            body = body[field]
    return shorten(str(body))


def shorten(text: str) -> str:
    """Return a server's words in one line, cut to what a message has room for."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
