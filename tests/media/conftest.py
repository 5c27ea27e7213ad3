"""Real video files made with PyAV for the media tests; each picture shows its frame's number."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

Picture = npt.NDArray[np.uint8]

WIDTH, HEIGHT = 64, 48


def _paint(number: int, width: int, height: int) -> Picture:
    """Paint the bits of a number as a 4 × 2 grid of black and white blocks, with some colour."""
    bits = [(number >> bit) & 1 for bit in range(8)]
    grid = np.array(bits, np.uint8).reshape(2, 4) * 200 + 20
    luma = np.kron(grid, np.ones((height // 2, width // 4), np.uint8))
    return np.stack([luma, luma, np.full_like(luma, 90)], axis=-1)


def _read_number(picture: Picture) -> int:
    height, width, _ = picture.shape
    centres = [
        (height * (2 * row + 1) // 4, width * (2 * column + 1) // 8)
        for row in range(2)
        for column in range(4)
    ]
    return sum((int(picture[y, x, 0]) > 120) << bit for bit, (y, x) in enumerate(centres))


@pytest.fixture(scope="session")
def read_number() -> Callable[[Path], int]:
    """Read the frame's number back from a picture file."""

    def read(path: Path) -> int:
        with Image.open(path) as image:
            return _read_number(np.asarray(image.convert("RGB")))

    return read


@pytest.fixture(scope="session")
def paint() -> Callable[[int, int, int], Picture]:
    """Give the painter of numbered pictures."""
    return _paint


MakeClip = Callable[..., Path]


@pytest.fixture(scope="session")
def make_clip(tmp_path_factory: pytest.TempPathFactory) -> MakeClip:
    """Encode a clip of numbered pictures; the same request gives the same file again."""
    folder = tmp_path_factory.mktemp("clips")
    made: dict[str, Path] = {}

    def make(
        name: str,
        *,
        codec: str = "libx264",
        n: int = 60,
        first: int = 0,
        size: tuple[int, int] = (WIDTH, HEIGHT),
        options: Mapping[str, str] | None = None,
        pixel_format: str = "yuv420p",
        container_options: Mapping[str, str] | None = None,
        ticks: Sequence[int] | None = None,
        ticks_per_second: int = 25,
        turn_degrees: int = 0,
    ) -> Path:
        if name in made:
            return made[name]
        path = folder / name
        base = Fraction(1, ticks_per_second)
        with av.open(str(path), "w", options=dict(container_options or {})) as container:
            stream: Any = container.add_stream(codec, rate=25, options=dict(options or {}))
            stream.width, stream.height = size
            stream.pix_fmt = pixel_format
            stream.codec_context.time_base = base
            if turn_degrees:
                stream.set_display_rotation(turn_degrees)
            for number in range(n):
                frame = av.VideoFrame.from_ndarray(_paint(first + number, *size))
                frame.pts = ticks[number] if ticks else number
                frame.time_base = base
                container.mux(stream.encode(frame))
            container.mux(stream.encode(None))
        made[name] = path
        return path

    return make


@pytest.fixture(scope="session")
def clips(make_clip: MakeClip) -> Mapping[str, Path]:
    """One clip of each kind of coding that frame accuracy depends on."""
    x265 = "log-level=none:keyint=20:bframes=4"
    return {
        "h264": make_clip("h264.mp4", options={"bf": "3", "g": "16"}),
        "h264 open groups": make_clip(
            "open.mp4", options={"x264-params": "open-gop=1:bframes=5:b-adapt=0:keyint=15"}
        ),
        "h264 intra refresh": make_clip(
            "refresh.mp4",
            size=(128, 96),
            options={"x264-params": "intra-refresh=1:keyint=30"},
        ),
        "h264 one group": make_clip("one.mkv", options={"g": "500", "bf": "3"}),
        "h264 interlaced": make_clip("tff.mp4", options={"x264-params": "tff=1:keyint=20"}),
        "h264 10 bits": make_clip("h264-10.mp4", options={"g": "16"}, pixel_format="yuv420p10le"),
        "h264 flv": make_clip("h264.flv", options={"g": "16"}),
        "h264 ts": make_clip("h264.ts", options={"g": "16", "bf": "3"}),
        "h264 avi": make_clip("h264.avi", options={"g": "16", "bf": "3"}),
        "h264 without times": make_clip("h264.h264", options={"g": "16", "bf": "3"}),
        "h264 negative times": make_clip(
            "negative.mp4",
            options={"g": "12", "bf": "2"},
            ticks=range(-10, 50),
            container_options={"avoid_negative_ts": "disabled"},
        ),
        "hevc": make_clip("hevc.mp4", codec="libx265", options={"x265-params": x265}),
        "hevc closed 10 bits": make_clip(
            "hevc-10.mkv",
            codec="libx265",
            options={"x265-params": f"{x265}:open-gop=0"},
            pixel_format="yuv420p10le",
        ),
        "hevc temporal layers": make_clip(
            "layers.mp4", codec="libx265", options={"x265-params": f"{x265}:temporal-layers=3"}
        ),
        "hevc ts": make_clip("hevc.ts", codec="libx265", options={"x265-params": x265}),
        "av1": make_clip("av1.mkv", codec="libsvtav1", options={"g": "20", "preset": "12"}),
        "vp9": make_clip(
            "vp9.webm", codec="libvpx-vp9", options={"g": "20", "deadline": "realtime"}
        ),
        "mpeg4": make_clip("mpeg4.mp4", codec="mpeg4", options={"g": "15", "bf": "2"}),
        "mpeg2 ts": make_clip("mpeg2.ts", codec="mpeg2video", options={"g": "15", "bf": "2"}),
        "variable rate": make_clip(
            "variable.mp4",
            options={"bf": "3", "g": "16"},
            ticks=[40 * i + (700 if i >= 20 else 0) + 7 * (i % 3) for i in range(60)],
            ticks_per_second=1000,
        ),
    }


@pytest.fixture
def fifo(tmp_path: Path) -> Iterator[Path]:
    """Make a named pipe that nobody writes to."""
    import os

    path = tmp_path / "pipe.mp4"
    os.mkfifo(path)
    yield path
    path.unlink()
