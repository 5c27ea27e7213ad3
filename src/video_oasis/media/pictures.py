"""Turns a decoded frame into the JPEG that is kept: upright, scaled, in true colours."""

import io
import struct
from collections.abc import Mapping
from typing import Final, cast

import av
import numpy as np
from av.buffer import Buffer
from av.sidedata.sidedata import Type as SideDataType
from av.video.reformatter import ColorRange, Interpolation
from PIL import Image, ImageOps

from video_oasis.media.sampling import PictureSettings

_UPRIGHT: Final = {
    (1, 0, 0, 1): None,
    (0, 1, -1, 0): Image.Transpose.ROTATE_270,
    (-1, 0, 0, -1): Image.Transpose.ROTATE_180,
    (0, -1, 1, 0): Image.Transpose.ROTATE_90,
    (-1, 0, 0, 1): Image.Transpose.FLIP_LEFT_RIGHT,
    (1, 0, 0, -1): Image.Transpose.FLIP_TOP_BOTTOM,
    (0, 1, 1, 0): Image.Transpose.TRANSPOSE,
    (0, -1, -1, 0): Image.Transpose.TRANSVERSE,
}
"""The four linear terms of a display matrix, by sign, to the step that shows the frame upright."""


def upright_step(frame: av.VideoFrame) -> Image.Transpose | None:
    """Return the turn or flip that the frame's display matrix asks for, None for none.

    All frames of a video share it, so one of them need be asked. A matrix that is not made of
    quarter turns and flips counts as none, as players show it.
    """
    # A frame whose side data was looked at is part of a reference cycle and would keep the
    # decoder's buffers until the garbage collector comes by; a thumbnail has none to keep.
    thumbnail = frame.reformat(width=2, height=2, format="gray", threads=1)
    # PyAV's stubs call this a mapping of text, and it is one of types of side data.
    side_data = cast("Mapping[SideDataType, Buffer]", thumbnail.side_data)
    matrix = side_data.get(SideDataType.DISPLAYMATRIX)
    if matrix is None:
        return None
    terms = struct.unpack("=9i", bytes(matrix))
    a, b, c, d = ((term > 0) - (term < 0) for term in (terms[0], terms[1], terms[3], terms[4]))
    return _UPRIGHT.get((a, b, c, d))


def frame_to_jpeg(
    frame: av.VideoFrame, settings: PictureSettings, upright: Image.Transpose | None
) -> bytes:
    """Turn a decoded frame upright, scale it and write it as a JPEG.

    The frame's own matrix and range decide the colours; where it states none, BT.601 and limited
    range, as FFmpeg and the decoders built on it take it.

    Args:
        frame: as the decoder gave it.
        settings: size and quality.
        upright: the turn or flip that shows the video's frames upright.
    """
    width, height = settings.fit(frame.width, frame.height)
    scaled = frame.reformat(
        width=width,
        height=height,
        format="rgb0",
        interpolation=Interpolation.BICUBIC,
        dst_color_range=ColorRange.JPEG,
        threads=1,
    )
    # Four bytes a pixel: FFmpeg has a fast and a more exact way to them than to three, and Pillow
    # reads them where they lie.
    plane = scaled.planes[0]
    image = Image.frombuffer(
        "RGBX",
        (width, height),
        np.frombuffer(memoryview(plane), np.uint8),
        "raw",
        "RGBX",
        plane.line_size,
        1,
    )
    return _to_jpeg(image if upright is None else image.transpose(upright), settings)


def image_to_jpeg(image: Image.Image, settings: PictureSettings) -> bytes:
    """Turn an opened image upright by its EXIF orientation, scale it and write it as a JPEG."""
    upright = ImageOps.exif_transpose(image).convert("RGB")
    size = settings.fit(upright.width, upright.height)
    if size != upright.size:
        upright = upright.resize(size, Image.Resampling.BICUBIC)
    return _to_jpeg(upright, settings)


def _to_jpeg(image: Image.Image, settings: PictureSettings) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=settings.jpeg_quality)
    return buffer.getvalue()
