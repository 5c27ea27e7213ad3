"""Decides of every sample whether it is kept: pure functions over the answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

import polars as pl

from video_oasis.analysis.consensus import UNION, decide_verdicts
from video_oasis.analysis.grid import AnswerGrid
from video_oasis.schema import Sample

UNTESTED: Final = "untested"
"""Reason of a sample that no test applies to."""


class Fate(StrEnum):
    """What becomes of a sample."""

    KEPT = "kept"
    """No test shows it to be a shortcut."""
    DROPPED = "dropped"
    """At least one test does."""
    UNDECIDED = "undecided"
    """Answers are missing that could show it to be one, or no test applies; it is not kept."""


@dataclass(frozen=True, slots=True)
class DistilledSample:
    """One sample and what was decided about it.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        task: its task.
        video: its video.
        fate: whether it is kept.
        reasons: the tests that show it to be a shortcut, or whose missing answers could, each as
            ``shortcut:TEST`` or ``unknown:TEST``; ``untested`` where no test applies.
        votes: how many models are right, by test.
    """

    benchmark: str
    sample_id: str
    task: str
    video: str
    fate: Fate
    reasons: tuple[str, ...]
    votes: Mapping[str, int]


def distil(
    samples: Iterable[Sample], grid: AnswerGrid, threshold: int
) -> tuple[DistilledSample, ...]:
    """Decide about every sample, in the order given.

    Args:
        samples: all samples of the audit.
        grid: the answers under the tests whose verdicts count, and no other diagnostic's.
        threshold: a sample is a shortcut in a test if at least so many of its models are right.

    Raises:
        SchemaError: the threshold is below 1, or a diagnostic makes several requests of a sample.
    """
    key = ["benchmark", "sample_id"]
    of_tests = (
        decide_verdicts(grid, threshold)
        .filter(pl.col("test") != UNION)
        .with_columns(
            reason=pl.when(pl.col("shortcut").is_null())
            .then(pl.format("unknown:{}", "test"))
            .when(pl.col("shortcut"))
            .then(pl.format("shortcut:{}", "test"))
        )
        .group_by(key, maintain_order=True)
        .agg(
            reasons=pl.col("reason").drop_nulls(),
            is_shortcut=pl.col("shortcut").any(),
            is_unknown=pl.col("shortcut").is_null().any(),
            tests=pl.col("test"),
            votes=pl.col("votes"),
        )
    )
    decided = {(row["benchmark"], row["sample_id"]): row for row in of_tests.iter_rows(named=True)}
    return tuple(_decide(sample, decided.get((sample.benchmark, sample.id))) for sample in samples)


def _decide(sample: Sample, decided: Mapping[str, Any] | None) -> DistilledSample:
    fate, reasons, votes = Fate.UNDECIDED, (UNTESTED,), {}
    if decided is not None:
        fate = Fate.UNDECIDED if decided["is_unknown"] else Fate.KEPT
        if decided["is_shortcut"]:
            fate = Fate.DROPPED
        reasons = tuple(decided["reasons"])
        votes = dict(zip(decided["tests"], decided["votes"], strict=True))
    return DistilledSample(
        benchmark=sample.benchmark,
        sample_id=sample.id,
        task=sample.task,
        video=sample.video.path,
        fate=fate,
        reasons=reasons,
        votes=votes,
    )
