"""A set of 600 questions as it is laid out, and a small one as it is written."""

from collections.abc import Sequence

import pytest

from video_oasis.generate.planted.layout import Clip, Question, lay_out
from video_oasis.generate.planted.write import PlantedPaths, write_planted


@pytest.fixture(scope="session")
def clips() -> tuple[Clip, ...]:
    """Lay out a set of the usual size."""
    return lay_out(600, 0)


@pytest.fixture(scope="session")
def questions(clips: Sequence[Clip]) -> tuple[Question, ...]:
    """Give all questions of that set."""
    return tuple(question for clip in clips for question in clip.questions)


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> PlantedPaths:
    """Write the smallest set."""
    return write_planted(tmp_path_factory.mktemp("planted"), 60, 7)
