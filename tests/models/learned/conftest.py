"""Fixtures of the tests of learned models."""

from collections.abc import Callable, Sequence

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.models.learned import open_model
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Answer, Sample, Trial, Video

MakeSample = Callable[..., Sample]
AskAll = Callable[[str, Sequence[Sample]], float]


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
        answers = open_model(name, ModelSettings()).answer_all(trials).answers
        return sum(map(is_right, trials, answers)) / len(trials)

    return ask
