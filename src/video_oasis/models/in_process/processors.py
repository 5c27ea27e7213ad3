"""Loads the processor of a model: what turns chat messages and frames into its inputs."""

from typing import Any

import transformers

from video_oasis.errors import ModelUnavailable
from video_oasis.models.in_process.identity import resolve_frames_as
from video_oasis.models.in_process.options import check_processor_options
from video_oasis.models.in_process.reasoning import check_reasoning, opened_reasoning
from video_oasis.models.settings import FramesAs, ModelSettings
from video_oasis.weights import Weights


def load_processor(model: str, weights: Weights, settings: ModelSettings) -> tuple[Any, str]:
    """Load a transformers processor that suits the settings.

    Args:
        model: the model's full name, for messages.
        weights: what it belongs to.
        settings: how frames are shown, and the processor's options.

    Returns:
        The processor, and the reasoning block that its chat template opens in the prompt.

    Raises:
        ModelUnavailable: it cannot be loaded, takes no images, takes no video where videos are
            shown, has no chat template, or one that starts with reasoning where the first token is
            to be a letter.
        SettingsError: it does not know an option.
    """
    try:
        processor = transformers.AutoProcessor.from_pretrained(
            weights.source, revision=weights.commit, trust_remote_code=False
        )
    except Exception as error:
        raise unreadable(model, "processor", error) from error
    if getattr(processor, "image_processor", None) is None:
        raise ModelUnavailable(
            f"model {model}: it has no image processor, only a {type(processor).__name__}; its "
            "folder lacks preprocessor_config.json"
        )
    template = processor.chat_template
    if template is None or (isinstance(template, dict) and "default" not in template):
        raise ModelUnavailable(
            f"model {model}: its processor has no chat template (chat_template.jinja); a model "
            "that was not trained to chat cannot be asked"
        )
    shows_several = settings.max_frames is None or settings.max_frames > 1
    takes_video = getattr(processor, "video_processor", None) is not None
    if shows_several and resolve_frames_as(settings) is FramesAs.VIDEO and not takes_video:
        raise ModelUnavailable(
            f"model {model}: its processor takes images and no video; set frames_as to images"
        )
    check_processor_options(model, processor, settings.processor)
    try:
        opened = opened_reasoning(processor)
    except Exception as error:
        raise unreadable(model, "chat template", error) from error
    check_reasoning(model, opened, settings.output)
    if processor.tokenizer.pad_token is None:
        # Batches need one, and what it is does not matter: padding is masked.
        processor.tokenizer.pad_token = processor.tokenizer.eos_token
    return processor, opened


def unreadable(model: str, part: str, error: Exception) -> ModelUnavailable:
    """Say that a part of a model cannot be loaded; a damaged or unknown one can raise anything."""
    said = " ".join(str(error).split())[:600]
    return ModelUnavailable(
        f"model {model}: its {part} cannot be loaded: {type(error).__name__}: {said}"
    )
