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

_FEWER_FRAMES: Final = (
    "max_frames = N under [[models]] in a settings file thins this model's frames evenly, before "
    "any reordering; --max-frames N is for all models"
)

_CHEAPER_FRAMES: Final = f"max_pixels under processor makes pictures cheaper; {_FEWER_FRAMES}"

# Tried in order on the server's own words; a parameter's name may come in quotes or in a path.
_REJECTIONS: Final = tuple(
    (kind, re.compile(words, re.IGNORECASE), advice)
    for kind, words, advice in (
        (
            "body_too_large",
            r"payload size exceeds|(?:request|payload|entity|body)(?: \w+)? too large|"
            r"string too long",
            f"show smaller pictures (longest_side) or fewer: {_FEWER_FRAMES}",
        ),
        (
            "too_many_images",
            r"at most [1-9]\d* image|too many images|maximum (?:number )?of (?:\d+ )?images|"
            r"\d+ images, exceeding|but passed \d+ image",
            "let the server take them (vLLM: --limit-mm-per-prompt '{\"image\": N_FRAMES}') or show"
            f" fewer: {_FEWER_FRAMES}",
        ),
        (
            "context_length",
            r"context.(?:length|size|window)|exceeds? the context|prompt is too long|"
            r"maximum model length|encoder cache size|input token count|input tokens exceed",
            "start the server with a longer context or show the model less",
        ),
        (
            "video_unsupported",
            r"at most 0 video|content\[\]\.type|\bvideo_url\b|support video|"
            r"video (?:input|urls?) is not supported|VideoMetadata|non-base64 digit",
            'write frames_as = "images" for this model in a settings file, or ask a server that '
            "takes frames as a video (vLLM does for models that see videos)",
        ),
        (
            "images_unsupported",
            r"mmproj|at most 0 image|not a multimodal model|only supports? text|"
            r"support image input|(?:image|multimodal) input[^.]* not supported|"
            r"not support (?:images?|vision|multi-?modal)|image_url\W+is (?:only|not) supported|"
            r"(?:type|server|variant|value|tag)\W+image_url|content\.type is invalid",
            "ask a model that sees images, or start the server with its image part (llama.cpp: "
            "--mmproj; vLLM: no --language-model-only, and no 0 in --limit-mm-per-prompt)",
        ),
        (
            "rejected_processor",
            r"mm_processor_kwargs|media_io_kwargs",
            'leave processor out; where there is none, write frames_as = "images"',
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
# Some servers call what they cannot take an error of their own.
_SAID_AS_SERVER_ERROR: Final = frozenset({"images_unsupported", "video_unsupported"})


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


def read_refusal(
    status: int, headers: Mapping[str, str], content: str, *, key_env: str, n_frames: int
) -> Fault:
    """Return what a reply with a status of 400 or more means.

    Args:
        status: the HTTP status.
        headers: the reply's headers.
        content: the reply's body, already free of the key.
        key_env: the environment variable the key comes from, for the message.
        n_frames: how many frames were shown, for the message.
    """
    content = _without_echo(content)
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
        for kind, pattern, advice in _REJECTIONS:
            says_so = pattern.search(content) or (status == 413 and kind == "body_too_large")
            # A server error that merely names a parameter is still a server error.
            if says_so and (status < 500 or kind in _SAID_AS_SERVER_ERROR):
                remedy = advice.replace("N_FRAMES", str(n_frames))
                if kind == "context_length" and n_frames:
                    remedy = f"{remedy}: {_CHEAPER_FRAMES}"
                return Fault(AskRejected(kind, f"the server says (HTTP {status}){quote}; {remedy}"))
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


def _without_echo(content: str) -> str:
    """Return an error body without what FastAPI repeats of the request in it.

    That can be megabytes of pictures, and the question's words would be taken for the server's.
    """
    try:
        body = json.loads(content)
        errors = [{key: each[key] for key in ("loc", "msg")} for each in body["detail"]]
    except (ValueError, KeyError, TypeError):
        return content
    return json.dumps({"detail": errors})


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
            metadata = body.get("metadata")
            # OpenRouter keeps the words of the server behind it there.
            relayed = metadata.get("raw") if isinstance(metadata, dict) else None
            body = relayed or body[field]
    return shorten(str(body))


def shorten(text: str) -> str:
    """Return a server's words in one line, cut to what a message has room for."""
    line = " ".join(text.split())
    return line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"
