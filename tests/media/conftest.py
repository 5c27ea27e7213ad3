"""One clip of each kind of coding, and files that are none."""

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

MakeClip = Callable[..., Path]


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
    path = tmp_path / "pipe.mp4"
    os.mkfifo(path)
    yield path
    path.unlink()
