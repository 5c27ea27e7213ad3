"""What vLLM's offline engine is given, and the answer in what it gives back."""

from collections.abc import Mapping
from typing import Any, Final

from video_oasis.errors import AskError, AskInterrupted, AskRejected
from video_oasis.models.in_process.conversation import (
    Media,
    Question,
    chat_messages,
    decode_media,
)
from video_oasis.models.in_process.identity import resolve_frames_as
from video_oasis.models.letters import letter_probabilities
from video_oasis.models.settings import FramesAs, ModelSettings, Output, reply_limit
from video_oasis.schema import Answer, FinishReason, Usage

_TOP_LOGPROBS: Final = 20
"""As many as the engine gives unless told otherwise."""

_FINISH_REASONS: Final = {"stop": FinishReason.STOP, "length": FinishReason.LENGTH}
_TOO_LONG: Final = ("maximum model length", "max_model_len", "context length")


def engine_arguments(source: str, commit: str | None, settings: ModelSettings) -> dict[str, Any]:
    """Return the arguments of ``vllm.LLM``.

    Args:
        source: path of a folder, or name on the hub.
        commit: revision on the hub.
        settings: dtype, processor options, and what one request may show.
    """
    arguments: dict[str, Any] = {
        "model": source,
        "revision": commit,
        "tokenizer_revision": commit,
        "dtype": settings.dtype,
        "trust_remote_code": False,
    }
    if settings.processor:
        arguments["mm_processor_kwargs"] = dict(settings.processor)
    if settings.max_frames is not None:
        as_images = resolve_frames_as(settings) is FramesAs.IMAGES
        n_images = settings.max_frames if as_images else min(1, settings.max_frames)
        n_videos = 0 if as_images or settings.max_frames < 2 else 1
        arguments["limit_mm_per_prompt"] = {"image": n_images, "video": n_videos}
    return arguments


def engine_prompt(question: Question, processor: Any, settings: ModelSettings) -> dict[str, Any]:
    """Return one prompt for ``LLM.generate``.

    A video goes in as its frames with their times, marked as sampled already, so that the engine
    shows every frame once and tells the model no other times.

    Args:
        question: what to ask.
        processor: the model's transformers processor, for its chat template.
        settings: how frames are shown.

    Raises:
        AskRejected: the frames cannot be one video, or the text holds a control token, which the
            engine would take for one.
    """
    request = question.request
    for token in processor.tokenizer.all_special_tokens:
        if token in request.text or token in request.system:
            raise AskRejected(
                "control_token",
                f"the question's text holds {token}, which this model takes for a command; ask it "
                "through transformers/, which keeps them apart",
            )
    media = decode_media(question, resolve_frames_as(settings))
    text = processor.apply_chat_template(
        chat_messages(request, media), tokenize=False, add_generation_prompt=True
    )
    return {"prompt": text, **_media_inputs(media)}


def _media_inputs(media: Media) -> dict[str, Any]:
    if media.video is not None:
        metadata = {**(media.video_metadata or {}), "do_sample_frames": False}
        return {
            "multi_modal_data": {"video": [(media.video, metadata)]},
            "mm_processor_kwargs": {"do_sample_frames": False},
        }
    if media.images:
        return {"multi_modal_data": {"image": list(media.images)}}
    return {}


def sampling_arguments(question: Question, settings: ModelSettings) -> dict[str, Any]:
    """Return the arguments of ``vllm.SamplingParams``; ``structured_outputs`` as plain fields."""
    arguments: dict[str, Any] = {
        "temperature": settings.temperature or 0.0,
        "max_tokens": reply_limit(settings),
        # Some models mark their reasoning with special tokens.
        "skip_special_tokens": False,
    }
    if settings.seed is not None:
        arguments["seed"] = settings.seed + question.draw
    if settings.output is Output.LOGPROBS:
        arguments["logprobs"] = _TOP_LOGPROBS
    if settings.output is Output.CHOICE:
        arguments["structured_outputs"] = {"choice": list(question.request.letters)}
    return arguments


def read_output(
    output: Any, question: Question, settings: ModelSettings, opened_reasoning: str
) -> Answer:
    """Return the answer in one ``vllm.RequestOutput``.

    Args:
        output: what the engine made of the question.
        question: what was asked.
        settings: how it was made to answer.
        opened_reasoning: the reasoning block that the chat template opens in the prompt.

    Raises:
        AskRejected: letters are scored, and none is among the likeliest tokens.
    """
    completion = output.outputs[0]
    usage = Usage(len(output.prompt_token_ids), len(completion.token_ids))
    if settings.output is not Output.LOGPROBS:
        finish_reason = _FINISH_REASONS.get(completion.finish_reason or "", FinishReason.OTHER)
        return Answer(opened_reasoning + completion.text, finish_reason, usage)
    letters = question.request.letters
    likeliest: Mapping[int, Any] = completion.logprobs[0]
    probabilities = letter_probabilities(
        ((each.decoded_token or "", each.logprob) for each in likeliest.values()), letters
    )
    if probabilities is None:
        raise AskRejected(
            "no_letter_tokens",
            f"none of the {len(likeliest)} likeliest tokens is one of the letters "
            f"{', '.join(letters)}; choose output text or choice",
        )
    best = letters[probabilities.index(max(probabilities))]
    return Answer(best, FinishReason.STOP, usage, probabilities)


def explain_failure(error: Exception) -> AskError:
    """Say what an exception of the engine means for a question."""
    said = " ".join(str(error).split())[:300]
    if type(error).__name__ == "EngineDeadError":
        return AskInterrupted("engine_dead", f"vLLM's engine has ended: {said}")
    if any(words in said for words in _TOO_LONG):
        return AskRejected(
            "context_length",
            f"the question is too long for the model ({said}); show it fewer frames (max_frames) "
            "or smaller ones (processor)",
        )
    return AskRejected(
        "model_failed", f"vLLM fails on this question: {type(error).__name__}: {said}"
    )
