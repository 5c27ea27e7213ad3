"""Learn how cues combine: extremely randomised trees over each family's record of being right."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import sparse
from sklearn.ensemble import ExtraTreesClassifier

from video_oasis.models.learned.choice_table import ChoiceTable, Floats, Indices, split_by_task
from video_oasis.models.learned.learner import Prediction

N_TREES: Final = 100
MIN_ROWS_PER_LEAF: Final = 5
PRIOR_ROWS: Final = 1.0
"""Weight of the prior of a cue's record, in expected right rows."""
_LOWEST_PROBABILITY: Final = 1e-6


@dataclass(frozen=True)
class _Record:
    """How well one family's cues did in training, in one scope, as seen from each row.

    Attributes:
        values: for each row, the sum of its cues' log-odds over the root of their number.
        shares: rows × cues, what part of a row's value each of its cues answers for.
    """

    values: Floats
    shares: sparse.csr_array


def score_forest(table: ChoiceTable, fold_of_row: Indices, held_out: int) -> Prediction:
    """Score the held-out rows by the trees' mean probability of being right (see ``Learner``).

    A row's features are, for each family of cues, how much oftener than chance its cues were right,
    over the benchmark and within its task. For a training row that record is taken from the other
    training folds only, so the trees see records as unsure as those they are asked about. With
    fewer than three folds there is nothing to nest and all choices come out equal.
    """
    training = fold_of_row != held_out
    records = _take_records(table, fold_of_row, held_out)
    features = np.stack([record.values for record in records], axis=1)
    means = np.add.reduceat(features, table.first_row) / table.n_choices[:, None]
    features = (features - means[table.trial_of_row]).astype(np.float32)
    n_held = int((~training).sum())
    right = table.right[training]
    if right.min() == right.max():
        return Prediction(np.zeros(n_held), sparse.csr_array((n_held, table.cues.shape[1])))
    forest = ExtraTreesClassifier(N_TREES, min_samples_leaf=MIN_ROWS_PER_LEAF, random_state=0).fit(
        features[training], right, table.weight_of_trial[table.trial_of_row[training]]
    )
    probabilities, contributions = _explain(forest, features[~training])
    evidence = sum(
        (
            sparse.diags_array(contribution) @ record.shares
            for contribution, record in zip(contributions.T, records, strict=True)
        ),
        start=sparse.csr_array((n_held, table.cues.shape[1])),
    )
    return Prediction(np.log(np.maximum(probabilities, _LOWEST_PROBABILITY)), evidence.tocsr())


def _take_records(table: ChoiceTable, fold_of_row: Indices, held_out: int) -> list[_Record]:
    records = []
    for columns in table.families.values():
        family = table.cues[:, columns]
        whole = np.arange(columns.start, columns.stop)
        by_task, cue_by_task = split_by_task(family, table.task_of_row)
        for matrix, cue in ((family, whole), (by_task, whole[cue_by_task])):
            log_odds = _nest_log_odds(matrix, table, fold_of_row, held_out)
            n_cues = np.maximum(1, np.diff(matrix.indptr))
            size = abs(log_odds)
            total = size.sum(axis=1)
            merge = sparse.csr_array(
                (np.ones(len(cue)), (np.arange(len(cue)), cue)),
                shape=(len(cue), table.cues.shape[1]),
            )
            held = fold_of_row == held_out
            share = sparse.diags_array(1 / np.where(total > 0, total, 1)[held]) @ size[held] @ merge
            records.append(_Record(log_odds.sum(axis=1) / np.sqrt(n_cues), share))
    return records


def _nest_log_odds(
    matrix: sparse.csr_array, table: ChoiceTable, fold_of_row: Indices, held_out: int
) -> sparse.csr_array:
    """Replace each 1 by the cue's log ratio of right rows to those expected by chance.

    Rows of the held-out fold see the record of all training folds, rows of a training fold that of
    the other training folds.
    """
    training_folds = [fold for fold in np.unique(fold_of_row) if fold != held_out]
    weights = table.weight_of_trial[table.trial_of_row]
    outcomes = np.stack([weights * table.right, weights * table.chance_of_row], axis=1)
    by_fold = {
        fold: matrix[fold_of_row == fold].T @ outcomes[fold_of_row == fold]
        for fold in training_folds
    }
    whole = sum(by_fold.values(), start=np.zeros((matrix.shape[1], 2)))
    data = np.zeros(matrix.nnz)
    fold_of_entry = np.repeat(fold_of_row, np.diff(matrix.indptr))
    for fold in (*training_folds, held_out):
        right, expected = (whole - by_fold.get(fold, 0.0)).T
        log_odds = np.log((right + PRIOR_ROWS) / (expected + PRIOR_ROWS))
        entries = fold_of_entry == fold
        data[entries] = log_odds[matrix.indices[entries]]
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def _explain(forest: ExtraTreesClassifier, features: np.ndarray) -> tuple[Floats, Floats]:
    """Return each row's mean probability of being right and what each feature adds to it.

    On its way down a tree a row's probability changes at every split; each change is put down to
    the feature split on (Saabas's decomposition), so base rate and contributions add up.
    """
    n_rows, n_features = features.shape
    contributions = np.zeros((n_rows, n_features))
    base = 0.0
    for tree in (estimator.tree_ for estimator in forest.estimators_):
        probability = tree.value[:, 0, 1]
        parents = np.flatnonzero(tree.children_left >= 0)
        children = np.concatenate([tree.children_left[parents], tree.children_right[parents]])
        parents = np.tile(parents, 2)
        changes = sparse.csr_array(
            (probability[children] - probability[parents], (children, tree.feature[parents])),
            shape=(tree.node_count, n_features),
        )
        contributions += (tree.decision_path(features) @ changes).toarray()
        base += probability[0]
    contributions /= N_TREES
    return base / N_TREES + contributions.sum(axis=1), contributions
