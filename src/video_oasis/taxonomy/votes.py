"""Turns a panel's votes about samples into categories."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from video_oasis.errors import SettingsError
from video_oasis.schema import SampleKey, Status

_MAY_STILL_COME: Final = frozenset({Status.ERROR, Status.MISSING})


@dataclass(frozen=True, slots=True)
class Vote:
    """What one model says about one sample.

    Attributes:
        model: the model.
        category: the category it names; None unless the status is ok.
        status: what became of the question.
        reason: a constant word for why there is no category; empty if there is one.
    """

    model: str
    category: str | None
    status: Status
    reason: str = ""


class Outcome(StrEnum):
    """How a sample came to its category, or why it has none."""

    ACCEPTED = "accepted"
    """Enough models of the panel name it."""
    DECIDED = "decided"
    """A person chose it."""
    SPLIT = "split"
    """Too few models agree, whatever is still to come: for a person to decide."""
    INCOMPLETE = "incomplete"
    """Answers are missing or failed that could still make it accepted."""


@dataclass(frozen=True, slots=True)
class AssignedSample:
    """One sample and its category.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        task: its task.
        category: its category; None if it has none.
        outcome: how it came to it, or why not.
        votes: the panel's votes, in the panel's order.
    """

    benchmark: str
    sample_id: str
    task: str
    category: str | None
    outcome: Outcome
    votes: tuple[Vote, ...]

    @property
    def key(self) -> SampleKey:
        """Benchmark and sample id."""
        return self.benchmark, self.sample_id


def choose_majority(threshold: int | None, n_models: int) -> int:
    """Return how many models must agree: as given, or the smallest majority.

    Raises:
        SettingsError: two categories could both have so many votes, or none can.
    """
    least = n_models // 2 + 1
    if threshold is None:
        return least
    if not least <= threshold <= n_models:
        raise SettingsError(
            f"threshold is {threshold} of {n_models} models; expected {least} to {n_models}, so "
            f"that no more than one category can be accepted"
        )
    return threshold


def scale_threshold(threshold: int, n_models: int, n_others: int) -> int:
    """Return the threshold that asks as much of a panel of another size.

    Args:
        threshold: that of the panel.
        n_models: the models of the panel.
        n_others: the models of the other.
    """
    return max(-(-threshold * n_others // n_models), n_others // 2 + 1)


def decide(votes: Sequence[Vote], threshold: int) -> tuple[str | None, Outcome]:
    """Decide about one sample.

    Args:
        votes: the panel's votes; more than half of them must be needed.
        threshold: so many must agree.
    """
    counts = Counter(vote.category for vote in votes if vote.category is not None)
    category, n_votes = counts.most_common(1)[0] if counts else (None, 0)
    if n_votes >= threshold:
        return category, Outcome.ACCEPTED
    n_to_come = sum(vote.status in _MAY_STILL_COME for vote in votes)
    return None, Outcome.INCOMPLETE if n_votes + n_to_come >= threshold else Outcome.SPLIT


def only_of(votes: Iterable[Vote], models: Sequence[str]) -> tuple[Vote, ...]:
    """Return the votes of some models, in their order."""
    by_model = {vote.model: vote for vote in votes}
    return tuple(by_model[model] for model in models)
