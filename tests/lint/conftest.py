"""Makers of samples and open questions with only what a test cares about spelt out."""

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from video_oasis.schema import OpenQuestion, Sample, Video


@pytest.fixture
def make_sample() -> Callable[..., Sample]:
    numbers = itertools.count(1)

    def make(
        *choices: str,
        question: str = "What happens?",
        target: int = 0,
        video: Video | str | None = None,
        task: str = "task",
        sample_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> Sample:
        number = next(numbers)
        if video is None:
            video = f"video{number}.mp4"
        return Sample(
            id=sample_id or f"s{number:04}",
            benchmark="bench",
            video=Video(video) if isinstance(video, str) else video,
            question=question,
            choices=choices or ("cat", "dog"),
            target=target,
            task=task,
            metadata=metadata or {},
        )

    return make


@pytest.fixture
def make_open_question() -> Callable[..., OpenQuestion]:
    def make(
        question: str,
        reference: str,
        *,
        question_id: str = "o1",
        video: str = "v.mp4",
        task: str = "task",
    ) -> OpenQuestion:
        return OpenQuestion(question_id, "bench", Video(video), question, reference, task)

    return make
