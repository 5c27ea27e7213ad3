"""Settings of asked models: what changes their answers, and how hard to ask."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from video_oasis.embeddings.aggregation import Aggregation
from video_oasis.errors import SettingsError

DEFAULT_MAX_TOKENS: Final = 1024
"""Longest reply unless the settings say otherwise: room for a model that reasons first."""

DEFAULT_CONCURRENCY: Final = 16
"""Requests under way at once where a server or an engine makes batches of them."""


class Output(StrEnum):
    """How a model is made to answer."""

    TEXT = "text"
    """Free text, from which the choice is read; what the benchmarks' own protocols do."""
    JSON = "json"
    """A JSON object held to a schema: its one field is one of the letters, or its fields are those
    that the request names."""
    CHOICE = "choice"
    """vLLM's structured outputs: one of the letters and nothing else."""
    LOGPROBS = "logprobs"
    """One token, and the letter whose log-probability is highest; gives all letters' too."""


class FramesAs(StrEnum):
    """How several frames reach a model."""

    IMAGES = "images"
    """As images one after the other."""
    VIDEO = "video"
    """As one video with times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSettings:
    """How to ask a model; each backend reads those of these that concern it.

    Attributes:
        output: how it is made to answer; part of the model's identity.
        temperature: sampling temperature, None to leave it to the server; part of the identity.
        max_tokens: longest reply in tokens, None for the backend's default; part of the identity.
        seed: sampling seed sent to the server, None for none; part of the identity.
        revision: the weights' revision as the user states it; part of the identity.
        max_frames: the most frames it takes at once, evenly thinned before any reordering; 0 for a
            model that takes text only, None for no limit; changes what it is shown.
        frames_as: how several frames reach it, None for what suits the backend; part of the
            identity.
        processor: options of the model's own image and video processor, such as ``max_pixels``;
            part of the identity.
        template: options of the model's chat template, such as ``enable_thinking`` of models that
            can answer at once or reason first; part of the identity.
        aggregation: how a model that matches makes one score of several frames; part of the
            identity.
        features: a folder of feature files that stand in for embedding pictures; their contents are
            part of the identity.
        dtype: number format of weights run in process, ``auto`` for the one they are kept in; part
            of the identity.
        device_map: where weights run in process are put.
        batch_size: what a model run in process takes at once, None for what suits the backend.
        arguments: what a program of the user's own is given; part of the identity.
        concurrency: requests under way at once, None for what suits the backend.
        timeout_seconds: how long one call may take.
        max_retries: how often a call is tried again after a passing fault.
        api_key_env: name of the environment variable that holds the key.
    """

    output: Output = Output.TEXT
    temperature: float | None = 0.0
    max_tokens: int | None = None
    seed: int | None = None
    revision: str = ""
    max_frames: int | None = None
    frames_as: FramesAs | None = None
    processor: Mapping[str, Any] = field(default_factory=dict)
    template: Mapping[str, Any] = field(default_factory=dict)
    aggregation: Aggregation = Aggregation.MEAN
    features: str = ""
    dtype: str = "auto"
    device_map: str = "auto"
    batch_size: int | None = None
    arguments: tuple[str, ...] = ()
    concurrency: int | None = None
    timeout_seconds: float = 120.0
    max_retries: int = 5
    api_key_env: str = "OPENAI_API_KEY"

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: one is out of range.
        """
        lowest = {
            "temperature": 0,
            "max_tokens": 1,
            "max_frames": 0,
            "batch_size": 1,
            "concurrency": 1,
            "max_retries": 0,
        }
        for name, least in lowest.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise SettingsError(f"{name} is {value}; expected {least} or more")
        if not self.timeout_seconds > 0:
            raise SettingsError(f"timeout_seconds is {self.timeout_seconds}; expected more than 0")


def reply_limit(settings: ModelSettings) -> int:
    """Return the longest reply to ask for, in tokens."""
    if settings.output is Output.LOGPROBS:
        return 1
    return DEFAULT_MAX_TOKENS if settings.max_tokens is None else settings.max_tokens
