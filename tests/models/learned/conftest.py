"""Fixtures of the tests of learned models."""

import hashlib
import io
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from PIL import Image

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.media.frames import ReadPicture
from video_oasis.models.learned import open_model
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Answer, Frame, Request, Sample, Trial, Video

MakeSample = Callable[..., Sample]
AskAll = Callable[[str, Sequence[Sample]], float]
Frames = tuple[Frame, ...]


class Album:
    """Painted pictures as a frame store would give them."""

    def __init__(self) -> None:
        self._jpegs: dict[str, bytes] = {}
        self._draw = np.random.default_rng(0)
        self.n_read = 0

    def add(self, image: Image.Image, *, noise: int = 0) -> str:
        """Keep a picture, grainier with more noise, and return its digest."""
        grain = self._draw.integers(-noise, noise + 1, (image.height, image.width, 3))
        pixels = (np.asarray(image, np.int16) + grain).clip(0, 255).astype(np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=85)
        digest = hashlib.sha256(file.getvalue()).hexdigest()[:40]
        self._jpegs[digest] = file.getvalue()
        return digest

    def film(self, images: Sequence[Image.Image], *, noise: int = 0) -> Frames:
        """Keep pictures as the frames of a video, a second apart."""
        return tuple(
            Frame(self.add(image, noise=noise), float(second))
            for second, image in enumerate(images)
        )

    def read(self, digest: str) -> bytes:
        """Return a picture's JPEG."""
        self.n_read += 1
        return self._jpegs[digest]


@pytest.fixture(scope="session")
def album() -> Album:
    """Give an album for painted pictures."""
    return Album()


@pytest.fixture(scope="session")
def show() -> Callable[..., Trial]:
    """Make the trial that shows frames or context with a sample's question."""

    def make(
        sample: Sample, frames: Frames = (), *, context: str = "", as_bag: bool = False
    ) -> Trial:
        letters = tuple("ABCDEFGH"[: len(sample.choices)])
        return Trial(
            sample=sample,
            diagnostic="made",
            part=0,
            request=Request(
                system="",
                text=f"{context}\n{sample.question}\n{sample.choices}",
                letters=letters,
                frames=frames,
                choices=sample.choices if as_bag else (),
            ),
            order=tuple(range(len(sample.choices))),
            context=context,
        )

    return make


@pytest.fixture(scope="session")
def count_right(
    album: Album, is_right: Callable[[Trial, Answer], bool]
) -> Callable[[str, Sequence[Trial]], int]:
    """Ask a learned model and return how many of its answers are right."""

    def count(name: str, trials: Sequence[Trial]) -> int:
        answers = open_model(name, ModelSettings()).answer_all(trials, album.read).answers
        return sum(map(is_right, trials, answers))

    return count


NO_PICTURES: ReadPicture = dict[str, bytes]().__getitem__


@pytest.fixture(scope="session")
def make_sample() -> MakeSample:
    """Make a sample from the few things a test cares about."""

    def make(
        number: int,
        choices: Sequence[str],
        target: int,
        *,
        question: str = "What happens?",
        video: str = "",
        task: str = "task",
        benchmark: str = "made",
    ) -> Sample:
        return Sample(
            id=f"s{number:05d}",
            benchmark=benchmark,
            video=Video(path=video or f"v{number}.mp4"),
            question=question,
            choices=tuple(choices),
            target=target,
            task=task,
        )

    return make


@pytest.fixture(scope="session")
def blind_trials() -> Callable[[Sequence[Sample]], list[Trial]]:
    """Make the blind trials of samples."""
    return lambda samples: [
        trial for sample in samples for trial in DIAGNOSTICS["blind"].trials(sample, Evidence())
    ]


@pytest.fixture(scope="session")
def is_right() -> Callable[[Trial, Answer], bool]:
    """Tell whether an answer's letter is that of a right choice."""
    return lambda trial, answer: trial.sample.is_correct(
        trial.order[trial.request.letters.index(answer.text)]
    )


@pytest.fixture(scope="session")
def accuracy(
    blind_trials: Callable[[Sequence[Sample]], list[Trial]],
    is_right: Callable[[Trial, Answer], bool],
) -> AskAll:
    """Ask a learned model blind and return the share of right answers."""

    def ask(name: str, samples: Sequence[Sample]) -> float:
        trials = blind_trials(samples)
        answers = open_model(name, ModelSettings()).answer_all(trials, NO_PICTURES).answers
        return sum(map(is_right, trials, answers)) / len(trials)

    return ask
