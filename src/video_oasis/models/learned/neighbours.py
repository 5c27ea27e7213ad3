"""Let similar choices of similar questions vote."""

from typing import Final

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.preprocessing import normalize

from video_oasis.models.learned.choice_table import ChoiceTable, Indices
from video_oasis.models.learned.cues import Family
from video_oasis.models.learned.learner import Prediction
from video_oasis.models.learned.text import list_phrases, split_words

ANY_QUESTION: Final = 0.1
SAME_TASK: Final = 0.5
LIKE_QUESTION: Final = 1.0
LIKE_PICTURES: Final = 4.0
"""A vote's weight grows from ``ANY_QUESTION`` by these: the third times the questions' cosine, the
last, for each family of what is seen, times a power of the cosine of that."""
PICTURE_SHARPNESS: Final = 2.0
"""Power of the cosine of what is seen in a vote's weight."""
CHOICE_SHARPNESS: Final = 2.0
"""Power of the choices' cosine in a vote's weight."""
PRIOR_VOTES: Final = 0.2
"""Weight of the prior, in expected right votes of full weight."""
_ROWS_AT_ONCE: Final = 512
_SHARES: Final = {
    Family.WORDS: 1.0,
    Family.CONTEXT_WORDS: 0.4,
    Family.CONTEXT_PHRASES: 0.4,
    Family.CONTEXT_NEAR: 0.4,
}
"""The families in which choices are compared, and how long their parts are."""


def score_neighbours(table: ChoiceTable, fold_of_row: Indices, held_out: int) -> Prediction:
    """Score the held-out rows by weighted votes of the training rows (see ``Learner``).

    A training row votes for a row as much as the two choices resemble each other (cosine of TF-IDF
    over words and pairs of words, and over how they are found in a transcript or captions), more if
    the questions or what is seen do or the task is the same. The score is the log ratio of right
    votes to those expected by chance. Word frequencies are taken from the texts of all folds,
    targets from the training folds only.
    """
    choices = _weigh_wording(table)
    questions = TfidfTransformer().fit_transform(
        CountVectorizer(
            analyzer=lambda text: list_phrases(split_words(text)) or [""], dtype=np.float64
        ).fit_transform(table.questions)
    )
    seen = _weigh_seen(table)
    training = np.flatnonzero(fold_of_row != held_out)
    training_choices = choices[training].T.tocsc()
    trials, trial_of_training = np.unique(table.trial_of_row[training], return_inverse=True)
    training_questions = questions[trials].T.tocsc()
    training_seen = [of_family[trials].T.tocsc() for of_family in seen]
    weights_of_rows = table.weight_of_trial[table.trial_of_row]
    outcomes = np.stack(
        [weights_of_rows * table.right, weights_of_rows * table.chance_of_row], axis=1
    )[training]
    held = np.flatnonzero(fold_of_row == held_out)
    scores = []
    for rows in np.split(held, range(_ROWS_AT_ONCE, len(held), _ROWS_AT_ONCE)):
        asked, trial_of_vote = np.unique(table.trial_of_row[rows], return_inverse=True)
        weights = ANY_QUESTION + LIKE_QUESTION * (questions[asked] @ training_questions).toarray()
        weights += SAME_TASK * np.equal.outer(
            table.task_of_trial[asked], table.task_of_trial[trials]
        )
        for of_family, training_of_family in zip(seen, training_seen, strict=True):
            likeness = (of_family[asked] @ training_of_family).toarray()
            weights += LIKE_PICTURES * likeness**PICTURE_SHARPNESS
        votes = (choices[rows] @ training_choices).tocoo()
        votes.data **= CHOICE_SHARPNESS
        votes.data *= weights[trial_of_vote[votes.row], trial_of_training[votes.col]]
        right, expected = (votes.tocsr() @ outcomes + PRIOR_VOTES).T
        scores.append(np.log(right / expected))
    return Prediction(np.concatenate(scores), sparse.csr_array((len(held), table.cues.shape[1])))


def _weigh_wording(table: ChoiceTable) -> sparse.csr_array:
    """Return rows × cues that choices are compared by, each family's part of a set length or 0."""
    columns = {family: table.families[family] for family in _SHARES if family in table.families}
    weighed = [
        _SHARES[family] * TfidfTransformer().fit_transform(table.cues[:, of_family])
        for family, of_family in columns.items()
        if of_family.start < of_family.stop
    ]
    nothing = sparse.csr_array((table.cues.shape[0], 1))
    rows: sparse.csr_array = sparse.hstack([*weighed, nothing], format="csr")
    return rows


def _weigh_seen(table: ChoiceTable) -> list[sparse.csr_array]:
    """Return, for each family of what is seen, trials × tokens, rows of length 1 or 0.

    A token counts for the more the rarer it is, and for nothing if it is true of all trials.
    """
    weighed = []
    for family in sorted({family for seen in table.seen for family in seen}):
        column_of: dict[str, int] = {}
        rows = [seen.get(family, ()) for seen in table.seen]
        columns = [column_of.setdefault(token, len(column_of)) for row in rows for token in row]
        tokens = sparse.csr_array(
            (np.ones(len(columns)), columns, np.cumsum([0, *map(len, rows)])),
            shape=(len(rows), max(1, len(column_of))),
        )
        rarity = np.log(len(rows) / np.maximum(1, tokens.count_nonzero(axis=0)))
        weighed.append(normalize(tokens.multiply(rarity).tocsr()))
    return weighed
