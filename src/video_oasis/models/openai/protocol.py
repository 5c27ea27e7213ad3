"""What is sent to a chat server, and the answer in what comes back."""

import asyncio
import base64
import json
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, Final

from video_oasis.errors import AskInterrupted, AskRejected
from video_oasis.models.letters import letter_probabilities
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.schema import Answer, FinishReason, Frame, ReplyField, Request, Usage

# Stands in a body for a picture's base64; random, so that no question can hold it.
_PICTURE: Final = secrets.token_hex(16)
_TOP_LOGPROBS: Final = 20
_NO_COMPLETION: Final = "the reply is JSON, but no chat completion"
_NO_LOGPROBS: Final = (
    "the server sends no top_logprobs, which output logprobs needs; choose output text or json"
)
_FINISH_REASONS: Final = {
    "stop": FinishReason.STOP,
    "length": FinishReason.LENGTH,
    "content_filter": FinishReason.FILTERED,
}


def resolve_frames_as(settings: ModelSettings) -> FramesAs:
    """Return how several frames go out: as images, which every server has, unless told otherwise.

    A server that refuses one form is never sent the other, since the two are different inputs.
    """
    return settings.frames_as or FramesAs.IMAGES


def chat_body(model: str, request: Request, settings: ModelSettings, draw: int) -> dict[str, Any]:
    """Return the body of a chat completion call, without its pictures and the limit of its length.

    Frames come before the text. ``write_body`` puts the pictures in. Of the frames' times a server
    learns at most the mean spacing, and that only with a video.

    Args:
        model: the model's name on the server.
        request: what to show it.
        settings: how it is made to answer.
        draw: which of several independent answers; moves the seed, if there is one.
    """
    messages: list[dict[str, Any]] = [{"role": "user", "content": request.text}]
    if request.system:
        messages.insert(0, {"role": "system", "content": request.system})
    body: dict[str, Any] = {"model": model, "messages": messages}
    if request.frames:
        as_video = len(request.frames) > 1 and resolve_frames_as(settings) is FramesAs.VIDEO
        processor = dict(settings.processor)
        if as_video:
            parts = [_video_part(len(request.frames))]
            fps = _mean_fps(request.frames)
            # vLLM keeps 32 frames and takes them for one second apart unless a call says otherwise;
            # Qwen2.5-VL reads its times from the processor's fps, Qwen3-VL from the loader's.
            body["media_io_kwargs"] = {"video": {"num_frames": len(request.frames), "fps": fps}}
            processor = {"do_sample_frames": False, "fps": fps} | processor
        else:
            parts = [_image_part()] * len(request.frames)
        messages[-1]["content"] = [*parts, {"type": "text", "text": request.text}]
        if processor:
            body["mm_processor_kwargs"] = processor
    if settings.template:
        body["chat_template_kwargs"] = dict(settings.template)
    if settings.temperature is not None:
        body["temperature"] = settings.temperature
    if settings.seed is not None:
        body["seed"] = settings.seed + draw
    match settings.output:
        case Output.TEXT:
            pass
        case Output.JSON:
            fields = request.fields or (ReplyField("answer", request.letters),)
            body["response_format"] = _reply_schema(fields)
        case Output.CHOICE:
            body["structured_outputs"] = {"choice": list(request.letters)}
        case Output.LOGPROBS:
            body["logprobs"] = True
            body["top_logprobs"] = _TOP_LOGPROBS
    return body


async def encode_pictures(pictures: Sequence[bytes]) -> list[bytes]:
    """Return pictures as base64, giving way to other calls after each.

    A thread would hold them up more: base64 and the event loop want the same lock.
    """
    encoded = []
    for picture in pictures:
        encoded.append(base64.b64encode(picture))
        await asyncio.sleep(0)
    return encoded


def write_body(body: Mapping[str, Any], pictures: Sequence[bytes]) -> list[bytes]:
    """Return a body as JSON with its pictures in it, in pieces to be sent one after the other.

    Pictures are never copied nor scanned, so writing a body again for another try costs nothing.

    Args:
        body: as ``chat_body`` makes it.
        pictures: its pictures in the order shown, as ``encode_pictures`` returns them.
    """
    first, *rest = json.dumps(body, separators=(",", ":")).encode().split(_PICTURE.encode())
    pieces = [first]
    for picture, text in zip(pictures, rest, strict=True):
        pieces += (picture, text)
    return pieces


def _image_part() -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{_PICTURE}"}}


def _video_part(n_frames: int) -> dict[str, Any]:
    """Return the form that vLLM has for a video that comes as pictures."""
    pictures = ",".join([_PICTURE] * n_frames)
    return {"type": "video_url", "video_url": {"url": f"data:video/jpeg;base64,{pictures}"}}


def _mean_fps(frames: Sequence[Frame]) -> float:
    return round((len(frames) - 1) / (frames[-1].seconds - frames[0].seconds), 6)


def _reply_schema(fields: Sequence[ReplyField]) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {
            field.name: {
                "type": "string" if isinstance(field.values[0], str) else "integer",
                "enum": list(field.values),
            }
            for field in fields
        },
        "required": [field.name for field in fields],
        "additionalProperties": False,
    }
    return {
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": True, "schema": schema},
    }


def read_completion(content: bytes, request: Request, output: Output) -> Answer:
    """Return the answer in a reply that came with a status of success.

    Proxies and overloaded servers send pages, halves and error objects under that status, so
    everything that is no chat completion counts as a passing fault.

    Args:
        content: the reply's body.
        request: what the model was shown.
        output: how it was made to answer.

    Raises:
        AskInterrupted: the reply is no chat completion.
        AskRejected: it lacks the log-probabilities that were asked for.
    """
    choice, usage = _first_choice(content)
    try:
        text, finish_reason = _text_and_ending(choice)
    except (AttributeError, KeyError, TypeError):
        raise AskInterrupted("bad_json", _NO_COMPLETION) from None
    probabilities = _read_letters(choice, request.letters) if output is Output.LOGPROBS else None
    if probabilities is not None:
        text = request.letters[probabilities.index(max(probabilities))]
    return Answer(text, finish_reason, usage, probabilities)


def _first_choice(content: bytes) -> tuple[Mapping[str, Any], Usage]:
    try:
        completion = json.loads(content)
    except ValueError:
        if content.lstrip()[:1] == b"<":
            raise AskInterrupted("html", "a web page came as a chat completion") from None
        raise AskInterrupted("bad_json", "the reply is no whole JSON document") from None
    if not isinstance(completion, dict):
        raise AskInterrupted("bad_json", _NO_COMPLETION)
    if completion.get("error"):
        raise AskInterrupted("error_reply", f"the reply is an error: {completion['error']}")
    choices = completion.get("choices")
    if choices == []:
        raise AskInterrupted("empty_choices", "the reply holds no choices")
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise AskInterrupted("bad_json", _NO_COMPLETION)
    usage = completion.get("usage")
    return choices[0], _usage(usage if isinstance(usage, dict) else {})


def _text_and_ending(choice: Mapping[str, Any]) -> tuple[str, FinishReason]:
    message = choice["message"]
    if message.get("refusal"):
        return str(message["refusal"]), FinishReason.FILTERED
    text = message.get("content")
    if text is not None and not isinstance(text, str):
        raise TypeError
    finish_reason = _FINISH_REASONS.get(choice.get("finish_reason") or "", FinishReason.OTHER)
    return text or "", finish_reason


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))


def _read_letters(choice: Mapping[str, Any], letters: Sequence[str]) -> tuple[float, ...] | None:
    """Return the probability of each letter, or None if none is among the likeliest tokens."""
    try:
        scores = [
            (str(token["token"]), float(token["logprob"]))
            for token in choice["logprobs"]["content"][0]["top_logprobs"]
        ]
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        raise AskRejected("no_logprobs", _NO_LOGPROBS) from None
    return letter_probabilities(scores, letters)
