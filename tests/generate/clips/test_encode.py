"""Written videos hold the frames and the sound they were given, the same every time."""

import hashlib
from pathlib import Path

import av
import numpy as np
import pytest

from video_oasis.errors import SchemaError
from video_oasis.generate.clips.encode import encode
from video_oasis.generate.clips.render import render
from video_oasis.generate.clips.rolling import FPS, N_FRAMES, make_rolling_world

FRAMES = render(make_rolling_world(0, 4, n_things=6))


def decode(file: Path) -> list[np.ndarray]:
    with av.open(str(file)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def test_the_file_is_the_same_every_time_and_so_are_its_frames(tmp_path: Path) -> None:
    digests = []
    for name in ("one.mp4", "two.mp4"):
        encode(FRAMES, FPS, tmp_path / name)
        pixels = b"".join(frame.tobytes() for frame in decode(tmp_path / name))
        digests.append(hashlib.sha256(pixels).hexdigest())
    assert digests[0] == digests[1]
    assert (tmp_path / "one.mp4").read_bytes() == (tmp_path / "two.mp4").read_bytes()


def test_decoded_frames_look_like_the_painted_ones(tmp_path: Path) -> None:
    encode(FRAMES, FPS, tmp_path / "clip.mp4")
    decoded = decode(tmp_path / "clip.mp4")
    assert len(decoded) == N_FRAMES
    for painted, shown in zip(FRAMES, decoded, strict=True):
        assert abs(painted.astype(int) - shown.astype(int)).mean() < 3


def test_sound_is_a_track_beside_the_pictures(tmp_path: Path) -> None:
    seconds = np.arange(5 * 16_000) / 16_000
    tone = (12_000 * np.sin(2 * np.pi * 440 * seconds)).astype(np.int16)
    encode(FRAMES, FPS, tmp_path / "clip.mp4", sound=tone)
    with av.open(str(tmp_path / "clip.mp4")) as container:
        parts = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
    heard = np.concatenate(parts)
    spectrum = abs(np.fft.rfft(heard[: 4 * 16_000]))
    assert np.argmax(spectrum) / 4 == pytest.approx(440, abs=1)
    assert len(heard) / 16_000 == pytest.approx(5, abs=0.2)
    encode(FRAMES, FPS, tmp_path / "silent.mp4")
    with av.open(str(tmp_path / "silent.mp4")) as container:
        assert not container.streams.audio


def test_a_video_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SchemaError, match="a video of no frames"):
        encode([], 8, tmp_path / "clip.mp4")
