"""Models that embed pictures and texts in one space.

An encoder is named ``BACKEND/REST``: the backend is a member of this family, one file in this
folder, and it reads the rest of the name and the settings. ``interface`` says what an encoder is,
``torch_batches`` holds what those that run on PyTorch share. Another package adds a backend by an
entry point in the group ``video_oasis.encoders``.
"""

from typing import Final

from video_oasis.embeddings.encoders.interface import Encoder, EncoderSettings, OpenEncoder
from video_oasis.errors import SettingsError
from video_oasis.registry import Registry

ENCODERS: Final[Registry[OpenEncoder]] = Registry(
    "encoder backend",
    {
        "open_clip": "video_oasis.embeddings.encoders.open_clip:open_encoder",
        "transformers": "video_oasis.embeddings.encoders.transformers:open_encoder",
    },
    group="video_oasis.encoders",
)


def open_encoder(spec: str, settings: EncoderSettings | None = None) -> Encoder:
    """Return the encoder that a name such as ``open_clip/ViT-B-32:laion2b_s34b_b79k`` stands for.

    Args:
        spec: ``BACKEND/REST``.
        settings: how to run it; None for the defaults.

    Raises:
        SettingsError: the name has no backend part, or does not suit its backend.
        UnknownNameError: there is no such backend.
    """
    backend, _, rest = spec.partition("/")
    if not rest:
        raise SettingsError(
            f"encoder {spec!r}: expected BACKEND/NAME, such as "
            f"transformers/openai/clip-vit-large-patch14; backends: {', '.join(ENCODERS)}"
        )
    return ENCODERS[backend](rest, settings or EncoderSettings())
