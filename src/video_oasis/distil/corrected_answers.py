"""Arranges a run's answers as they score where people corrected the published answer."""

from collections.abc import Iterable

import polars as pl

from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.judgements.corrections import correct_table
from video_oasis.judgements.rulings import Rulings
from video_oasis.schema import Sample


def arrange_corrected(
    grid: AnswerGrid, table: pl.DataFrame, samples: Iterable[Sample], rulings: Rulings
) -> AnswerGrid:
    """Return the answers scored by corrected targets; the same grid if nothing is corrected.

    Args:
        grid: the answers as published targets score them.
        table: the long table that it arranges.
        samples: the samples.
        rulings: what people's judgements come to.
    """
    if not rulings.corrections:
        return grid
    by_key = {(sample.benchmark, sample.id): sample for sample in samples}
    return arrange(correct_table(table, by_key, rulings.corrections))
