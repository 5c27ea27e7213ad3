"""Decides from the votes so far which questions can still change whether a sample is a shortcut.

The rules are those of ``analysis.consensus``. An answer that is not to be had is neither right nor
wrong: it keeps its test within reach, as it does under the full plan.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]


class Vote(IntEnum):
    """What is known of one model's answer to one sample under one test."""

    LACKING = 0
    """No answer is to be had: the model is not asked, asking failed, or the reply says nothing."""
    OPEN = 1
    """It has not been asked yet."""
    RIGHT = 2
    """It is right."""
    WRONG = 3
    """It is wrong."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes of K slots, each one model under one test, on S samples.

    Attributes:
        votes: a ``Vote`` each, K x S.
        tests: the slots of each test, in the order the tests are to be asked.
        threshold: the number of right models that makes a sample a shortcut.
    """

    votes: NDArray[np.int8]
    tests: tuple[slice, ...]
    threshold: int

    @property
    def n_right(self) -> NDArray[np.int64]:
        """Right votes, tests x S."""
        return self._count(Vote.RIGHT)

    @property
    def reach(self) -> NDArray[np.int64]:
        """Right votes if every answer that is not known were right, tests x S."""
        sizes = np.array([[slots.stop - slots.start] for slots in self.tests], np.int64)
        return sizes - self._count(Vote.WRONG)

    def _count(self, vote: Vote) -> NDArray[np.int64]:
        cast = self.votes == vote
        counts = [np.count_nonzero(cast[slots], axis=0) for slots in self.tests]
        return np.array(counts, np.int64).reshape(len(self.tests), self.votes.shape[1])

    def spread(self, by_test: Mask) -> Mask:
        """Give every slot the mark of its test: tests x S to K x S."""
        marks = np.zeros(self.votes.shape, np.bool_)
        for marked, slots in zip(by_test, self.tests, strict=True):
            marks[slots] = marked
        return marks


def find_shortcuts(tally: Tally) -> Mask:
    """Return which of the S samples are shortcuts whatever the answers to come."""
    most: NDArray[np.int64] = tally.n_right.max(axis=0, initial=0)
    return most >= tally.threshold


def find_out_of_reach(tally: Tally) -> Mask:
    """Return the slots whose test can make no shortcut of the sample any more, K x S."""
    return tally.spread(tally.reach < tally.threshold)


def find_needed(tally: Tally) -> Mask:
    """Return the open questions that may still have to be asked, K x S."""
    is_open: Mask = tally.votes == Vote.OPEN
    return is_open & ~find_shortcuts(tally) & ~find_out_of_reach(tally)


def choose_round(tally: Tally, turns: NDArray[np.int64]) -> Mask:
    """Choose the questions to ask next, all at the same time.

    Each sample is asked under the first test that is undecided, and there so many models as it
    takes at least to decide it: a round asks nothing that asking one by one would not. What a
    sample is asked depends on its own answers alone, so a run that was stopped anywhere goes on to
    the same questions.

    Args:
        tally: the votes.
        turns: which of a test's models begins, S numbers that are taken modulo the number of
            models. With random ones all models are busy in every round.

    Returns:
        The questions, K x S; none if nothing is left to ask.
    """
    needed = find_needed(tally)
    n_right, reach = tally.n_right, tally.reach
    chosen = np.zeros_like(needed)
    waiting = np.ones(needed.shape[1], np.bool_)
    for number, slots in enumerate(tally.tests):
        n_models = slots.stop - slots.start
        here = needed[slots] & waiting
        n_to_shortcut = tally.threshold - n_right[number]
        n_to_close = reach[number] - tally.threshold + 1
        turn = (np.arange(n_models)[:, None] - turns) % n_models
        queue = np.where(here, turn, n_models)
        place = queue.argsort(axis=0, kind="stable").argsort(axis=0)
        chosen[slots] = here & (place < np.minimum(n_to_shortcut, n_to_close))
        waiting &= ~here.any(axis=0)
    return chosen
