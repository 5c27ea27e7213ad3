"""Writes painted frames as an H.264 video, with a track of speech if there is one."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import numpy as np
import numpy.typing as npt

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.render import Picture

_OPTIONS: Final = {"preset": "veryfast", "crf": "17", "g": "16", "bf": "0"}
_SAMPLES_PER_PACKET: Final = 1024

Sound = npt.NDArray[np.int16]
"""Samples of one channel."""


def encode(
    frames: Sequence[Picture],
    fps: int,
    file: Path,
    *,
    sound: Sound | None = None,
    sound_rate: int = 16_000,
) -> None:
    """Write a video.

    The encoder uses one thread, so that equal frames give an equal file with the same version of
    the encoder; another version may write other bytes.

    Args:
        frames: the pictures, all of one size, its sides even.
        fps: frames a second.
        file: where to; its ending says which container.
        sound: what is heard; None for no track.
        sound_rate: samples a second.

    Raises:
        SchemaError: there are no frames.
        OSError: the file cannot be written.
    """
    if not frames:
        raise SchemaError(f"{file}: a video of no frames; expected at least 1")
    height, width, _ = frames[0].shape
    with av.open(str(file), "w") as container:
        stream = container.add_stream("libx264", rate=fps, options=_OPTIONS)
        stream.width, stream.height = width, height
        stream.pix_fmt = "yuv420p"
        stream.codec_context.thread_count = 1
        if sound is None:
            track = None
        else:
            track = container.add_stream("aac", rate=sound_rate)
            track.layout = "mono"
        for picture in frames:
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
        container.mux(stream.encode(None))
        if track is not None and sound is not None:
            for start in range(0, len(sound), _SAMPLES_PER_PACKET):
                part = sound[start : start + _SAMPLES_PER_PACKET]
                frame = av.AudioFrame.from_ndarray(part[None, :], format="s16", layout="mono")
                frame.sample_rate = sound_rate
                frame.pts = start
                frame.time_base = Fraction(1, sound_rate)
                container.mux(track.encode(frame))
            container.mux(track.encode(None))
