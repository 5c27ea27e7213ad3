"""One row for each sample and test: who answered it, and how far its text leans to the answer."""

import polars as pl

from video_oasis.analysis.bias import score_bias
from video_oasis.analysis.consensus import count_votes
from video_oasis.analysis.grid import AnswerGrid

_KEY = ("benchmark", "sample_id")


def list_samples(grid: AnswerGrid, *, bias_diagnostic: str = "blind") -> pl.DataFrame:
    """List every sample under every test, the most biased first.

    Args:
        grid: the answers; diagnostics that make several requests of one sample must be left out.
        bias_diagnostic: the diagnostic whose probabilities are bias scores.

    Returns:
        ``benchmark, task, sample_id, video, test, n_models, votes`` (models that are right),
        ``n_missing`` (models that answers to come can still make right), ``bias, chance, rank`` as
        in ``score_bias``; the last three are null for samples that no model scored.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    bias = score_bias(grid, diagnostic=bias_diagnostic).select(*_KEY, "bias", "chance", "rank")
    return (
        count_votes(grid)
        .join(bias, on=_KEY, how="left")
        .select(
            "benchmark",
            "task",
            "sample_id",
            "video",
            "test",
            "n_models",
            "votes",
            "n_missing",
            "bias",
            "chance",
            "rank",
        )
        .sort("benchmark", "test", "rank", "sample_id", nulls_last=True)
    )
