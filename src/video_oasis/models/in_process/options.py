"""Checks the settings of a model in process, before and after its processor is there."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from video_oasis.errors import SettingsError
from video_oasis.models.settings import ModelSettings, Output

DTYPES: Final = ("auto", "bfloat16", "float16", "float32")

_PARTS: Final = {"images_kwargs": "image_processor", "videos_kwargs": "video_processor"}
_OURS: Final = frozenset(
    {"do_sample_frames", "fps", "num_frames", "video_metadata", "return_metadata", "return_tensors"}
)


def check_settings(model: str, settings: ModelSettings, outputs: tuple[Output, ...]) -> None:
    """Check what can be checked before anything is loaded.

    Args:
        model: the model's full name, for messages.
        settings: how to ask it.
        outputs: the ways in which its backend can make it answer.

    Raises:
        SettingsError: a setting has a value that the backend cannot follow.
    """
    if settings.output not in outputs:
        raise SettingsError(
            f"model {model}: output is {settings.output.value}; this backend knows "
            f"{', '.join(output.value for output in outputs)}"
        )
    if settings.output is Output.LOGPROBS and settings.max_tokens not in (None, 1):
        raise SettingsError(
            f"model {model}: output logprobs reads one token, and max_tokens is "
            f"{settings.max_tokens}; leave max_tokens out"
        )
    if settings.dtype not in DTYPES:
        raise SettingsError(
            f"model {model}: dtype is {settings.dtype!r}; expected one of {', '.join(DTYPES)}"
        )
    for _, name in _named_options(settings.processor):
        if name in _OURS:
            raise SettingsError(
                f"model {model}: processor option {name} is set from the frames of each question; "
                "leave it out, and choose the frames with the audit's own settings"
            )


def check_processor_options(model: str, processor: Any, options: Mapping[str, Any]) -> None:
    """Check that a processor knows every option; it would ignore one that it does not.

    Args:
        model: the model's full name, for messages.
        processor: a transformers processor.
        options: the options, flat or below ``images_kwargs`` and ``videos_kwargs``.

    Raises:
        SettingsError: it does not know one.
    """
    known = {
        part: set(getattr(processor, attribute).valid_kwargs.__annotations__) - _OURS
        for part, attribute in _PARTS.items()
        if getattr(processor, attribute, None) is not None
    }
    for part, name in _named_options(options):
        there = known.get(part, set()) if part else set().union(*known.values())
        if name not in there:
            raise SettingsError(
                f"model {model}: its processor has no option {name}; it has "
                f"{', '.join(sorted(there)) or 'none'}"
            )


def _named_options(options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Give each option's name with the part it is for, empty for every part that knows it."""
    for name, value in options.items():
        if name in _PARTS and isinstance(value, Mapping):
            yield from ((name, below) for below in value)
        else:
            yield "", name
