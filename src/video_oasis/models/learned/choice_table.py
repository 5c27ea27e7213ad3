"""Lay out the choices of many trials as rows, and their cues as columns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy import sparse

from video_oasis.models.learned.cues import Family, list_cues
from video_oasis.schema import Trial

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]


@dataclass(frozen=True)
class ChoiceTable:
    """The trials of one benchmark, one row for each shown choice.

    Attributes:
        trial_of_row: index of the trial a row belongs to; rows of a trial stand together, as shown.
        n_choices: number of choices of each trial.
        right: 1.0 in rows whose choice is right, else 0.0; choices of equal text are equally right.
        questions: the question of each trial.
        tasks: names of the tasks.
        task_of_trial: index into ``tasks``.
        cues: rows × cues, 1 where the cue holds; the columns of a family stand together.
        cue_names: wording of each column.
        families: the columns of each family.
    """

    trial_of_row: Indices
    n_choices: Indices
    right: Floats
    questions: Sequence[str]
    tasks: Sequence[str]
    task_of_trial: Indices
    cues: sparse.csr_array
    cue_names: Sequence[str]
    families: Mapping[Family, slice]

    @property
    def first_row(self) -> Indices:
        """The first row of each trial."""
        return np.cumsum(self.n_choices) - self.n_choices

    @property
    def task_of_row(self) -> Indices:
        """Index into ``tasks`` of each row's trial."""
        return self.task_of_trial[self.trial_of_row]

    @property
    def chance_of_row(self) -> Floats:
        """How often each row would be right if every choice of its trial were as likely."""
        return (np.add.reduceat(self.right, self.first_row) / self.n_choices)[self.trial_of_row]


def split_by_task(cues: sparse.csr_array, task_of_row: Indices) -> tuple[sparse.csr_array, Indices]:
    """Tell cues apart by task.

    Returns:
        A matrix with one column for each (task, cue) pair that occurs, and the column in ``cues``
        that each of its columns stems from.
    """
    entries = cues.tocoo()
    pair = task_of_row[entries.row] * cues.shape[1] + entries.col
    pairs, column = np.unique(pair, return_inverse=True)
    matrix = sparse.csr_array(
        (entries.data, (entries.row, column)), shape=(cues.shape[0], len(pairs))
    )
    return matrix, pairs % max(1, cues.shape[1])


def lay_out(trials: Sequence[Trial]) -> ChoiceTable:
    """Build the table of the trials of one benchmark."""
    columns: dict[Family, dict[str, int]] = {family: {} for family in Family}
    entries: dict[Family, list[int]] = {family: [] for family in Family}
    row_ends: dict[Family, list[int]] = {family: [0] for family in Family}
    for trial in trials:
        for cues in list_cues(trial):
            for family in Family:
                column_of = columns[family]
                entries[family] += [
                    column_of.setdefault(cue, len(column_of)) for cue in cues[family]
                ]
                row_ends[family].append(len(entries[family]))
    n_choices = np.array([len(trial.order) for trial in trials], dtype=np.intp)
    tasks, task_of_trial = np.unique([trial.sample.task for trial in trials], return_inverse=True)
    n_rows = int(n_choices.sum())
    blocks = [
        sparse.csr_array(
            (np.ones(len(entries[family])), entries[family], row_ends[family]),
            shape=(n_rows, len(columns[family])),
        )
        for family in Family
    ]
    edges = np.cumsum([0, *(block.shape[1] for block in blocks)]).tolist()
    return ChoiceTable(
        trial_of_row=np.repeat(np.arange(len(trials)), n_choices),
        n_choices=n_choices,
        right=np.array(
            [trial.sample.is_correct(choice) for trial in trials for choice in trial.order],
            dtype=np.float64,
        ),
        questions=[trial.sample.question for trial in trials],
        tasks=tasks.tolist(),
        task_of_trial=task_of_trial,
        cues=sparse.hstack(blocks, format="csr"),
        cue_names=[name for family in Family for name in columns[family]],
        families={
            family: slice(start, stop)
            for family, (start, stop) in zip(Family, pairwise(edges), strict=True)
        },
    )
