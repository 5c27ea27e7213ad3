"""Turns a question into chat messages, with its frames as arrays and their times."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from video_oasis.errors import AskRejected
from video_oasis.models.settings import FramesAs
from video_oasis.schema import Frame, Request

TICKS_PER_SECOND: Final = 1000
"""Processors count a frame's time in whole frames of the source video; these are milliseconds."""


@dataclass(frozen=True, slots=True)
class Question:
    """One request as it is asked.

    Attributes:
        request: what to show the model.
        draw: which of several independent answers this is, from 0.
        pictures: the request's frames as JPEG, in the order to show them.
    """

    request: Request
    draw: int
    pictures: tuple[bytes, ...]


@dataclass(frozen=True)
class Media:
    """The frames of a question as a processor takes them: images, or one video, or nothing.

    Attributes:
        images: RGB images in the order to show them.
        video: the frames of the video, of shape (frames, height, width, 3), as bytes of RGB.
        video_metadata: the times of the video's frames, in the fields of transformers'
            ``VideoMetadata``; None without a video.
    """

    images: tuple[Image.Image, ...] = ()
    video: NDArray[np.uint8] | None = None
    video_metadata: Mapping[str, Any] | None = None


def decode_media(question: Question, frames_as: FramesAs) -> Media:
    """Decode a question's frames; a single frame is an image however several are shown.

    Raises:
        AskRejected: kind ``mixed_frame_sizes``: frames of different sizes cannot be one video.
    """
    images = tuple(Image.open(BytesIO(picture)).convert("RGB") for picture in question.pictures)
    if len(images) < 2 or frames_as is FramesAs.IMAGES:
        return Media(images=images)
    sizes = sorted({image.size for image in images})
    if len(sizes) > 1:
        shown = ", ".join(f"{width}×{height}" for width, height in sizes[:3])
        raise AskRejected(
            "mixed_frame_sizes",
            f"the frames have {len(sizes)} sizes ({shown}), and a video has one; show them to "
            "this model as images (frames_as images)",
        )
    return Media(
        video=np.stack([np.asarray(image) for image in images]),
        video_metadata=video_metadata(question.request.frames),
    )


def video_metadata(frames: Sequence[Frame]) -> dict[str, Any]:
    """Return the times of a video's frames in the fields of transformers' ``VideoMetadata``.

    A processor reads two things from them: each frame's time (``frames_indices`` over ``fps``),
    and the mean rate (number of frames over ``total_num_frames``, times ``fps``). Both come out as
    the frames' own seconds say; nothing else about the source video is told.

    Args:
        frames: at least two, in order of their times.
    """
    ticks = [round(frame.seconds * TICKS_PER_SECOND) for frame in frames]
    mean_step = (ticks[-1] - ticks[0]) / (len(ticks) - 1)
    return {
        "total_num_frames": max(len(ticks), round(mean_step * len(ticks))),
        "fps": float(TICKS_PER_SECOND),
        "frames_indices": ticks,
        "duration": ticks[-1] / TICKS_PER_SECOND,
    }


def chat_messages(request: Request, media: Media) -> list[dict[str, Any]]:
    """Return a conversation that asks the request, frames first, as chat templates take it."""
    content: list[dict[str, Any]] = [{"type": "image", "image": image} for image in media.images]
    if media.video is not None:
        content.append({"type": "video", "video": media.video})
    content.append({"type": "text", "text": request.text})
    messages = [{"role": "user", "content": content}]
    if request.system:
        system = [{"type": "text", "text": request.system}]
        messages.insert(0, {"role": "system", "content": system})
    return messages
