"""How far the models' answers support each sample's published label."""

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import divide
from video_oasis.analysis.dependence import REFERENCE
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid


def score_label_quality(grid: AnswerGrid, *, diagnostic: str = REFERENCE) -> pl.DataFrame:
    """Score each label by the models that give it as their answer, weighted by how good they are.

    Models stand in for annotators: of all that answered a sample, those that are right elsewhere
    count for more (the idea of CROWDLAB, arXiv 2210.06812, at its simplest). The score is the
    summed accuracy of the models whose answer is the label over the summed accuracy of all models
    that answered; a model's accuracy is its own over every sample it answered. Near 0, the good
    models agree that the label is wrong, or the sample is hard: a reviewer looks there first.

    Args:
        grid: the answers.
        diagnostic: whose answers count, those of the first draw.

    Returns:
        ``benchmark, sample_id, n_models`` (models that answered) and ``label_quality`` (0 to 1;
        null where no model answered, or only models that are never right), in the order of the
        grid.
    """
    slots = grid.tests.get(diagnostic, slice(0, 0))
    answered, right = grid.is_settled[slots], grid.is_right[slots]
    weight = np.nan_to_num(
        divide(np.count_nonzero(right, axis=1), np.count_nonzero(answered, axis=1))
    )
    return grid.samples.select(SAMPLE_KEY).with_columns(
        n_models=pl.Series(np.count_nonzero(answered, axis=0), dtype=pl.Int64),
        label_quality=pl.Series(divide(weight @ right, weight @ answered)).fill_nan(None),
    )
