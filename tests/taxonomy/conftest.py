"""Fixtures for hand-made votes."""

from collections.abc import Callable, Mapping

import pytest

from video_oasis.schema import Status
from video_oasis.taxonomy.votes import Vote

Votes = dict[tuple[str, str], tuple[Vote, ...]]

UNREAD = {"?": Status.UNPARSED, "!": Status.ERROR, ".": Status.MISSING, "-": Status.REFUSED}


@pytest.fixture
def cast() -> Callable[[str, str], tuple[Vote, ...]]:
    """Make votes of the models named by letters: ``cast("abc", "XX?")``; ``?!.-`` are no votes."""

    def make(models: str, votes: str) -> tuple[Vote, ...]:
        return tuple(
            Vote(model, None, UNREAD[vote], "why")
            if vote in UNREAD
            else Vote(model, vote, Status.OK)
            for model, vote in zip(models, votes, strict=True)
        )

    return make


@pytest.fixture
def cast_all(
    cast: Callable[[str, str], tuple[Vote, ...]],
) -> Callable[[str, Mapping[str, str]], Votes]:
    """Make the votes about several samples of one benchmark, by sample id."""

    def make(models: str, votes: Mapping[str, str]) -> Votes:
        return {("bench", sample): cast(models, letters) for sample, letters in votes.items()}

    return make
