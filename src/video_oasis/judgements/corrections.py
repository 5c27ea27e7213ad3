"""Applies corrected answers to a long table."""

from collections.abc import Mapping

import polars as pl

from video_oasis.judgements.judgement import Decision
from video_oasis.judgements.standing import Ruling
from video_oasis.schema import Sample, SampleKey

_KEY = ["benchmark", "sample_id"]


def list_corrections(
    rulings: Mapping[SampleKey, Ruling], samples: Mapping[SampleKey, Sample]
) -> dict[SampleKey, int]:
    """List the samples whose right choice is decided to be another than the published one.

    Args:
        rulings: what was decided about samples.
        samples: the samples; rulings about others are passed over.

    Returns:
        The index of the right choice by sample.
    """
    return {
        key: ruling.choice
        for key, ruling in rulings.items()
        if ruling.decision is Decision.CORRECT
        and ruling.choice is not None
        and key in samples
        and not samples[key].is_correct(ruling.choice)
    }


def correct_table(
    table: pl.DataFrame, samples: Mapping[SampleKey, Sample], corrections: Mapping[SampleKey, int]
) -> pl.DataFrame:
    """Return a long table that scores the answers against corrected choices.

    An answer is right if the choice picked has the text of the corrected one. The probability that
    a model gave the right choice is not in the table for any but the published one, so it becomes
    null for corrected samples. All other rows stay as they are, in their order.

    Args:
        table: the long table.
        samples: the corrected samples at least.
        corrections: the index of the right choice by sample.
    """
    rows = [
        (*key, prediction, text == samples[key].choices[target])
        for key, target in corrections.items()
        for prediction, text in enumerate(samples[key].choices)
    ]
    types = [table.schema[name] for name in (*_KEY, "prediction")]
    marks = pl.DataFrame(
        rows,
        schema={
            "benchmark": pl.String,
            "sample_id": pl.String,
            "prediction": types[2],
            "is_right": pl.Boolean,
        },
        orient="row",
    ).cast({"benchmark": types[0], "sample_id": types[1]})
    corrected = marks.select(*_KEY, is_corrected=pl.lit(value=True)).unique()
    return (
        table.join(marks, on=[*_KEY, "prediction"], how="left", maintain_order="left")
        .join(corrected, on=_KEY, how="left", maintain_order="left")
        .with_columns(
            correct=pl.when("is_corrected").then("is_right").otherwise("correct"),
            target_probability=pl.when(pl.col("is_corrected").is_null()).then("target_probability"),
        )
        .select(table.columns)
    )
