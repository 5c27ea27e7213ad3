"""CLIP, EVA-CLIP, SigLIP and others in the form of the open_clip library.

A model is named by a folder with an ``open_clip_config.json`` beside its weights, or as
``ARCHITECTURE:TAG`` by one of the library's released weights, or as ``ARCHITECTURE:FILE``.
``sources`` says which weights that is, ``encoder`` embeds.
"""

from typing import TYPE_CHECKING

from video_oasis.embeddings.encoders.interface import EncoderSettings

if TYPE_CHECKING:
    from video_oasis.embeddings.encoders.open_clip.encoder import OpenClipEncoder


def open_encoder(name: str, settings: EncoderSettings) -> "OpenClipEncoder":
    """Return the encoder of that name, without loading anything.

    Args:
        name: path of a folder, ``ARCHITECTURE:TAG`` or ``ARCHITECTURE:FILE``.
        settings: how to run it.
    """
    from video_oasis.embeddings.encoders.open_clip.encoder import OpenClipEncoder  # noqa: PLC0415

    return OpenClipEncoder(name, settings)
