"""What encoders that run on PyTorch share: the device, what they can read, and batches."""

import threading
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Final, TypeVar

import numpy as np
import torch
from PIL import Image

from video_oasis.embeddings.vectors import Vectors, unit_rows
from video_oasis.errors import ModelUnavailable, SchemaError

T = TypeVar("T")

TEXTS_AT_ONCE: Final = 64
"""Texts that go through a model together."""

LOADING: Final = threading.Lock()
"""Held while weights are loaded: libraries change settings of the whole process meanwhile."""


def choose_device(model: str, device: str) -> torch.device:
    """Return the device of that name, or the best there is for ``auto``.

    Raises:
        ModelUnavailable: there is no such device here.
    """
    if device == "auto":
        best = torch.accelerator.current_accelerator(check_available=True)
        return best or torch.device("cpu")
    try:
        return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError) as error:
        raise ModelUnavailable(
            f"model {model}: device is {device!r}, and PyTorch {torch.__version__} finds no such "
            "device here; choose another (cpu, or auto for the best there is)"
        ) from error


def open_picture(jpeg: bytes) -> Image.Image:
    """Return a JPEG's pixels as an RGB image.

    Raises:
        SchemaError: it is no picture.
    """
    try:
        return Image.open(BytesIO(jpeg)).convert("RGB")
    except OSError as error:
        raise SchemaError(f"a picture of {len(jpeg)} bytes is no JPEG: {error}") from error


def embed_in_batches(
    model: str,
    items: Sequence[T],
    batch: int,
    embed: Callable[[Sequence[T]], torch.Tensor],
) -> Vectors:
    """Embed items some at a time, and scale what comes to length one.

    Args:
        model: the encoder's full name, for messages.
        items: one or more.
        batch: how many at a time.
        embed: gives [n, d] of n items.

    Raises:
        ModelUnavailable: the model fails, as for want of memory, or gives no sound vectors.
        SchemaError: there is nothing to embed.
    """
    if not items or batch < 1:
        raise SchemaError(
            f"model {model}: {len(items)} things to embed, {batch} at a time; expected one or more"
        )
    try:
        with torch.inference_mode():
            rows = [
                embed(items[start : start + batch]).float().cpu().numpy()
                for start in range(0, len(items), batch)
            ]
    except RuntimeError as error:
        said = " ".join(str(error).split())[:300]
        raise ModelUnavailable(
            f"model {model}: it fails on {batch} at a time ({said}); where memory is short, choose "
            "a smaller batch"
        ) from error
    try:
        return unit_rows(np.concatenate(rows), f"model {model}")
    except SchemaError as error:
        raise ModelUnavailable(
            f"{error}; with dtype float16 numbers may have become too large, so try float32, else "
            "the weights are damaged"
        ) from error
