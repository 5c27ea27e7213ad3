"""Learn a weight for every cue: a conditional logit with a ridge penalty."""

from typing import Final

import numpy as np
from scipy import optimize, sparse

from video_oasis.models.learned.choice_table import ChoiceTable, Floats, Indices, split_by_task
from video_oasis.models.learned.cues import Family
from video_oasis.models.learned.learner import Prediction

RIDGE: Final = 2.0
MIN_ROWS: Final = 2
"""Cues true of fewer rows than this, as trials count, carry nothing over to another fold."""
_ROUNDING: Final = 1e-9

CUE_SCALES: Final = {
    Family.POSITION: 1.0,
    Family.IDENTITY: 1.0,
    Family.WORDS: 0.35,
    Family.ENDS: 0.5,
    Family.FORM: 0.5,
    Family.LENGTH: 0.5,
    Family.NUMBER: 1.0,
    Family.LIKENESS: 0.5,
    Family.OVERLAP: 0.5,
    Family.SINGULAR_WORDS: 0.35,
    Family.QUESTION: 1.0,
    Family.QUESTION_POSITION: 1.0,
    Family.QUESTION_WORDS: 0.3,
    Family.OPTION_SET: 1.0,
    Family.CONTEXT_WORDS: 0.7,
    Family.CONTEXT_PHRASES: 1.0,
    Family.CONTEXT_NEAR: 0.7,
    Family.SEEN_COLOURS: 0.7,
    Family.SEEN_COLOURS_WORDS: 0.35,
    Family.SEEN_LIGHT: 0.35,
    Family.SEEN_LAYOUT: 0.35,
    Family.SEEN_CHANGE: 0.5,
    Family.SHOWN_TREND: 0.5,
    Family.SHOWN_TREND_WORDS: 0.35,
    Family.SHOWN_MOTION: 0.7,
    Family.SHOWN_MOTION_WORDS: 0.35,
}
"""Families of which many cues hold at once count for less each, or long options would outweigh."""


def score_logistic(table: ChoiceTable, fold_of_row: Indices, held_out: int) -> Prediction:
    """Score the held-out rows by a sum of cue weights (see ``Learner``).

    Every cue has one weight for the benchmark and one for each task, so a task departs from the
    whole only as far as its samples bear out. The probability of a choice is the softmax of the
    scores within its trial (McFadden's conditional logit), fitted by penalised likelihood.
    """
    scale = np.empty(table.cues.shape[1])
    for family, columns in table.families.items():
        scale[columns] = CUE_SCALES[family]
    by_task, cue_by_task = split_by_task(table.cues, table.task_of_row)
    design = sparse.hstack([table.cues, by_task], format="csr")
    cue = np.concatenate([np.arange(table.cues.shape[1]), cue_by_task])
    training = fold_of_row != held_out
    weight_of_row = table.weight_of_trial[table.trial_of_row]
    n_rows = weight_of_row[training] @ design[training]
    kept = np.flatnonzero(n_rows >= MIN_ROWS - _ROUNDING)
    design, cue = design[:, kept].multiply(scale[cue[kept]]).tocsr(), cue[kept]
    trials, n_choices = np.unique(table.trial_of_row[training], return_counts=True)
    weights = _fit(
        design[training], table.right[training], n_choices, table.weight_of_trial[trials]
    )
    held = design[~training]
    merge = sparse.csr_array(
        (weights, (np.arange(len(cue)), cue)), shape=(len(cue), table.cues.shape[1])
    )
    return Prediction(scores=held @ weights, evidence=(held @ merge).tocsr())


def _fit(
    design: sparse.csr_array, right: Floats, n_choices: Indices, weight_of_trial: Floats
) -> Floats:
    """Maximise the penalised likelihood; equally right choices share their trial's likelihood."""
    first_row = np.cumsum(n_choices) - n_choices
    trial = np.repeat(np.arange(len(n_choices)), n_choices)
    weight_of_row = weight_of_trial[trial]
    share = weight_of_row * right / np.add.reduceat(right, first_row)[trial]
    transposed = design.T.tocsr()

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = design @ weights
        highest = np.maximum.reduceat(scores, first_row)
        exponentials = np.exp(scores - highest[trial])
        totals = np.add.reduceat(exponentials, first_row)
        value = (
            (weight_of_trial * np.log(totals)).sum()
            + (weight_of_trial * highest).sum()
            - share @ scores
        )
        gradient = transposed @ (weight_of_row * exponentials / totals[trial] - share)
        return value + RIDGE / 2 * weights @ weights, gradient + RIDGE * weights

    found = optimize.minimize(
        loss,
        np.zeros(design.shape[1]),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 100, "ftol": 1e-5},
    )
    weights: Floats = found.x
    return weights
