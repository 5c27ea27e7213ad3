"""Let similar choices of similar questions vote."""

from typing import Final

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from video_oasis.models.learned.choice_table import ChoiceTable, Indices
from video_oasis.models.learned.cues import Family
from video_oasis.models.learned.learner import Prediction
from video_oasis.models.learned.text import list_phrases, split_words

ANY_QUESTION: Final = 0.1
SAME_TASK: Final = 0.5
LIKE_QUESTION: Final = 1.0
"""A vote's weight grows from ``ANY_QUESTION`` by these, the last times the questions' cosine."""
CHOICE_SHARPNESS: Final = 2.0
"""Power of the choices' cosine in a vote's weight."""
PRIOR_VOTES: Final = 0.2
"""Weight of the prior, in expected right votes of full weight."""
_ROWS_AT_ONCE: Final = 512


def score_neighbours(table: ChoiceTable, fold_of_row: Indices, held_out: int) -> Prediction:
    """Score the held-out rows by weighted votes of the training rows (see ``Learner``).

    A training row votes for a row as much as the two choices resemble each other (cosine of TF-IDF
    over words and pairs of words), more if the questions do or the task is the same. The score is
    the log ratio of right votes to those expected by chance. Word frequencies are taken from the
    texts of all folds, targets from the training folds only.
    """
    choices = TfidfTransformer().fit_transform(table.cues[:, table.families[Family.WORDS]])
    questions = TfidfTransformer().fit_transform(
        CountVectorizer(
            analyzer=lambda text: list_phrases(split_words(text)) or [""], dtype=np.float64
        ).fit_transform(table.questions)
    )
    training = np.flatnonzero(fold_of_row != held_out)
    training_choices = choices[training].T.tocsc()
    trials, trial_of_training = np.unique(table.trial_of_row[training], return_inverse=True)
    training_questions = questions[trials].T.tocsc()
    outcomes = np.stack([table.right, table.chance_of_row], axis=1)[training]
    held = np.flatnonzero(fold_of_row == held_out)
    scores = []
    for rows in np.split(held, range(_ROWS_AT_ONCE, len(held), _ROWS_AT_ONCE)):
        asked, trial_of_vote = np.unique(table.trial_of_row[rows], return_inverse=True)
        weights = ANY_QUESTION + LIKE_QUESTION * (questions[asked] @ training_questions).toarray()
        weights += SAME_TASK * np.equal.outer(
            table.task_of_trial[asked], table.task_of_trial[trials]
        )
        votes = (choices[rows] @ training_choices).tocoo()
        votes.data **= CHOICE_SHARPNESS
        votes.data *= weights[trial_of_vote[votes.row], trial_of_training[votes.col]]
        right, expected = (votes.tocsr() @ outcomes + PRIOR_VOTES).T
        scores.append(np.log(right / expected))
    return Prediction(np.concatenate(scores), sparse.csr_array((len(held), table.cues.shape[1])))
