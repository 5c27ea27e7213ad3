"""Models of the CLIP family, which match frames with texts and have no notion of time.

A model is named ``clip/ENCODER``, the encoder as ``video_oasis.embeddings.encoders`` names it.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.models.interface import Backend
from video_oasis.models.settings import ModelSettings

if TYPE_CHECKING:
    from video_oasis.models.clip.model import ClipModel


def open_model(name: str, settings: ModelSettings) -> "ClipModel":
    """Return the model of that name, without loading anything.

    Raises:
        SettingsError: the name does not suit its encoder, or there is no such number format.
        UnknownNameError: there is no such kind of encoder.
    """
    from video_oasis.embeddings.encoders import open_encoder
    from video_oasis.embeddings.encoders.interface import EncoderSettings
    from video_oasis.models.clip.model import ClipModel

    encoder = open_encoder(
        name,
        EncoderSettings(
            dtype="float32" if settings.dtype == "auto" else settings.dtype,
            device=settings.device_map,
            revision=settings.revision,
        ),
    )
    return ClipModel(encoder, settings)


BACKEND: Final = Backend(
    {
        "open_clip/ARCH:WEIGHTS": "an OpenCLIP model with weights by name or from a file",
        "transformers/NAME": "a CLIP or SigLIP model of transformers, by name or from a folder",
    },
    frozenset(
        {"aggregation", "features", "dtype", "device_map", "revision", "max_frames", "batch_size"}
    ),
    open_model,
)
"""Bag-of-Frames on the CLIP family (arXiv 2603.29616, section 3.2)."""
