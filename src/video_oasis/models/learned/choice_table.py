"""Lay out the choices of many trials as rows, and their cues as columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy import sparse

from video_oasis.media.frames import ReadPicture
from video_oasis.models.learned.context_cues import list_context_cues
from video_oasis.models.learned.cues import Cues, Family, list_cues
from video_oasis.models.learned.frame_cues import Tokens, cross_tokens, list_tokens
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
        sample_of_trial: number of each trial's sample, in order of appearance from 0.
        cues: rows × cues, 1 where the cue holds; the columns of a family stand together.
        cue_names: wording of each column.
        families: the columns of each family that applies to any choice.
        seen: what is seen of the pictures that each trial shows.
    """

    trial_of_row: Indices
    n_choices: Indices
    right: Floats
    questions: Sequence[str]
    tasks: Sequence[str]
    task_of_trial: Indices
    sample_of_trial: Indices
    cues: sparse.csr_array
    cue_names: Sequence[str]
    families: Mapping[Family, slice]
    seen: Sequence[Tokens]

    @property
    def first_row(self) -> Indices:
        """The first row of each trial."""
        return np.cumsum(self.n_choices) - self.n_choices

    @property
    def weight_of_trial(self) -> Floats:
        """What each trial counts for in a fit: those of one sample count for one together.

        They share question, choices and target, so that as many samples would be far more to go by.
        """
        return (1 / np.bincount(self.sample_of_trial))[self.sample_of_trial]

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


def lay_out(trials: Sequence[Trial], read_picture: ReadPicture) -> ChoiceTable:
    """Build the table of the trials of one benchmark.

    Args:
        trials: the trials.
        read_picture: gives the pictures of their requests.

    Raises:
        MediaError: a picture is not there any more.
    """
    tokens = [list_tokens(trial.request, read_picture) for trial in trials]
    n_choices = np.array([len(trial.order) for trial in trials], dtype=np.intp)
    tasks, task_of_trial = np.unique([trial.sample.task for trial in trials], return_inverse=True)
    samples: dict[str, int] = {}
    cues, cue_names, families = _encode(
        {**text, **context, **frames}
        for trial, of_context, seen in zip(trials, list_context_cues(trials), tokens, strict=True)
        for text, context, frames in zip(
            list_cues(trial), of_context, cross_tokens(seen, trial), strict=True
        )
    )
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
        sample_of_trial=np.array(
            [samples.setdefault(trial.sample.id, len(samples)) for trial in trials], dtype=np.intp
        ),
        cues=cues,
        cue_names=cue_names,
        families=families,
        seen=tokens,
    )


def _encode(
    cues_of_rows: Iterable[Cues],
) -> tuple[sparse.csr_array, Sequence[str], Mapping[Family, slice]]:
    """Give every cue a column; return the matrix, the columns' cues and each family's columns."""
    columns: dict[Family, dict[str, int]] = {family: {} for family in Family}
    entries: dict[Family, list[int]] = {family: [] for family in Family}
    row_ends: dict[Family, list[int]] = {family: [0] for family in Family}
    applying: set[Family] = set()
    for cues in cues_of_rows:
        applying.update(cues)
        for family in Family:
            column_of = columns[family]
            entries[family] += [
                column_of.setdefault(cue, len(column_of)) for cue in cues.get(family, ())
            ]
            row_ends[family].append(len(entries[family]))
    families = [family for family in Family if family in applying]
    blocks = [
        sparse.csr_array(
            (np.ones(len(entries[family])), entries[family], row_ends[family]),
            shape=(len(row_ends[family]) - 1, len(columns[family])),
        )
        for family in families
    ]
    edges = np.cumsum([0, *(block.shape[1] for block in blocks)]).tolist()
    return (
        sparse.hstack(blocks, format="csr"),
        [name for family in families for name in columns[family]],
        {
            family: slice(start, stop)
            for family, (start, stop) in zip(families, pairwise(edges), strict=True)
        },
    )
