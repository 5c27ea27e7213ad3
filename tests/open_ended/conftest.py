"""Open questions for the tests."""

from collections.abc import Callable

import pytest

from video_oasis.schema import OpenQuestion, Video


@pytest.fixture
def ask_about() -> Callable[..., OpenQuestion]:
    """Make an open question."""

    def make(
        number: int, question: str, reference: str, *, task: str = "what", benchmark: str = "open"
    ) -> OpenQuestion:
        return OpenQuestion(
            f"q{number}", benchmark, Video(f"v{number}.mp4"), question, reference, task
        )

    return make
