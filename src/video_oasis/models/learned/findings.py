"""Sum up, over a benchmark, what gave the right choices away in each task."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy import sparse

from video_oasis.models.interface import Finding
from video_oasis.models.learned.choice_table import ChoiceTable

MAX_PER_TASK: Final = 10
MIN_STANDARD_ERRORS: Final = 2.5
_MIN_SHARE: Final = 0.01
"""Effects below this share of the task's greatest are not worth naming."""
_ROUNDING: Final = 1e-9
"""The evidence of a cue that holds of every option of a trial cancels out up to this."""


def find_giveaways(benchmark: str, table: ChoiceTable, evidence: sparse.csr_array) -> list[Finding]:
    """Name the cues that moved out-of-fold scores toward the right choices, strongest first.

    A cue's effect in a task is its evidence for the right choice minus its mean evidence for all
    choices, averaged over all samples of the task. A cue that speaks against the choices it is true
    of is named with ``not:`` before it. Only effects at least 2.5 standard errors above zero are
    named, ten to a task at most, and none in a task in which all evidence together does not favour
    the right choices as surely: among thousands of cues some always seem to help.

    Args:
        benchmark: name to put into the findings.
        table: the choices.
        evidence: rows × cues, from fits that did not see the row (see ``Prediction``).
    """
    n_right = np.add.reduceat(table.right, table.first_row)[table.trial_of_row]
    advantage = sparse.csr_array(
        (
            (table.right / n_right - 1 / table.n_choices[table.trial_of_row])
            * table.weight_of_trial[table.trial_of_row],
            (table.sample_of_trial[table.trial_of_row], np.arange(len(table.right))),
        )
    )
    gains_by_side = {
        "": advantage @ evidence.maximum(0),
        "not: ": advantage @ evidence.minimum(0),
    }
    whole_gains = sparse.csr_array(sum(gains_by_side.values()).sum(axis=1)[:, None])
    _, first_trial = np.unique(table.sample_of_trial, return_index=True)
    task_of_sample = table.task_of_trial[first_trial]
    findings = []
    for index, task in enumerate(table.tasks):
        of_sample = task_of_sample == index
        if not _sure_effects(whole_gains[of_sample]):
            continue
        of_task = [
            Finding(benchmark, task, f"{side}{table.cue_names[cue]}", effect)
            for side, gains in gains_by_side.items()
            for cue, effect in _sure_effects(gains[of_sample])
        ]
        of_task.sort(key=lambda finding: (-finding.effect, finding.feature))
        findings += [
            finding
            for finding in of_task[:MAX_PER_TASK]
            if finding.effect >= _MIN_SHARE * of_task[0].effect
        ]
    return findings


def _sure_effects(gains: sparse.csr_array) -> Sequence[tuple[int, float]]:
    """Return columns and means of those whose mean is well above zero (samples × cues)."""
    n_samples = gains.shape[0]
    mean = gains.sum(axis=0) / n_samples
    mean_square = gains.power(2).sum(axis=0) / n_samples
    standard_error = np.sqrt(np.maximum(0, mean_square - mean**2) / n_samples)
    sure = np.flatnonzero((mean > _ROUNDING) & (mean >= MIN_STANDARD_ERRORS * standard_error))
    return [(int(cue), float(mean[cue])) for cue in sure]
