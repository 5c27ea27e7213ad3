"""What a learner is to the cross-validation."""

from dataclasses import dataclass
from typing import Protocol

from scipy import sparse

from video_oasis.models.learned.choice_table import ChoiceTable, Floats, Indices


@dataclass(frozen=True)
class Prediction:
    """What a fit says of the rows of the held-out fold.

    Attributes:
        scores: one for each row, on a natural-log scale: the softmax over a trial's rows gives
            probabilities.
        evidence: rows × cues, how far each cue of the table moved each row's score (up if
            positive); empty where the learner cannot tell.
    """

    scores: Floats
    evidence: sparse.csr_array


class Learner(Protocol):
    """Learns from some folds which choices are right and scores those of another."""

    def __call__(self, table: ChoiceTable, fold_of_row: Indices, held_out: int) -> Prediction:
        """Score the rows of one fold from a fit on the rows of all others.

        Args:
            table: all rows; the targets of the held-out fold are not looked at.
            fold_of_row: the fold of each row; the folds of training rows may serve to nest.
            held_out: the fold to score. There is at least one other fold.
        """
        ...
