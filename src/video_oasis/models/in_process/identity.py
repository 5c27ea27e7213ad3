"""Describes a model in process by everything that changes its answers."""

from collections.abc import Mapping
from typing import Any

from video_oasis.models.settings import FramesAs, ModelSettings, reply_limit
from video_oasis.weights import Weights


def describe_model(
    backend: str, weights: Weights, settings: ModelSettings, versions: Mapping[str, str]
) -> dict[str, Any]:
    """Return the weights, the settings that change answers, and the versions of the libraries.

    Args:
        backend: name of the backend.
        weights: what is run.
        settings: how it is asked.
        versions: versions of the libraries that prepare the frames and run the weights.
    """
    return {
        "backend": backend,
        "model": weights.name,
        "revision": weights.revision,
        "dtype": settings.dtype,
        "frames_as": resolve_frames_as(settings).value,
        "processor": dict(settings.processor),
        "output": settings.output.value,
        "temperature": settings.temperature or 0.0,
        "max_tokens": reply_limit(settings),
        "seed": settings.seed,
        "versions": dict(versions),
    }


def resolve_frames_as(settings: ModelSettings) -> FramesAs:
    """Return how several frames are shown: as a video unless the settings say otherwise."""
    return settings.frames_as or FramesAs.VIDEO
