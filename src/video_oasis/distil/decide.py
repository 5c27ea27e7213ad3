"""Decides of every sample whether it is kept: pure functions over the answers."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import polars as pl

from video_oasis.analysis.consensus import UNION, decide_verdicts
from video_oasis.analysis.grid import AnswerGrid
from video_oasis.judgements.judgement import DROPS, Decision
from video_oasis.judgements.rulings import Rulings
from video_oasis.judgements.standing import Ruling
from video_oasis.schema import Sample

UNTESTED: Final = "untested"
"""Reason of a sample that no test applies to."""
SHORTCUT: Final = "shortcut:"
"""How the reasons begin that tests give to drop a sample."""
RESTORED: Final = "restored"
"""Reason of a sample that frames out of order suffice for, or could, and people restored."""
JUDGED: Final = "judged:"
"""How reasons begin that people gave."""
JUDGED_UNDECIDED: Final = f"{JUDGED}undecided"
"""Reason of a sample that people have opinions of which decide nothing."""
_SHUFFLE: Final = "shuffle"
"""The test that a restored sample is no shortcut in."""


class Fate(StrEnum):
    """What becomes of a sample."""

    KEPT = "kept"
    """No test shows it to be a shortcut."""
    DROPPED = "dropped"
    """At least one test does, or people judged it defective."""
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
            ``shortcut:TEST`` or ``unknown:TEST``; ``untested`` where no test applies. What people
            decided: ``restored``, in the place of the test that no longer counts;
            ``judged:DECISION`` for every reason given to drop it; ``judged:undecided``.
        votes: how many models are right, by test.
        corrected_target: index of the right choice where people corrected the published one, which
            the votes then count by; else None.
    """

    benchmark: str
    sample_id: str
    task: str
    video: str
    fate: Fate
    reasons: tuple[str, ...]
    votes: Mapping[str, int]
    corrected_target: int | None = None


def distil(
    samples: Iterable[Sample], grid: AnswerGrid, threshold: int, rulings: Rulings | None = None
) -> tuple[DistilledSample, ...]:
    """Decide about every sample, in the order given.

    Args:
        samples: all samples of the audit.
        grid: the answers under the tests whose verdicts count, and no other diagnostic's.
        threshold: a sample is a shortcut in a test if at least so many of its models are right.
        rulings: what people's judgements come to; None for none. The grid must be of the answers
            scored by its corrections.

    Raises:
        SchemaError: the threshold is below 1, or a diagnostic makes several requests of a sample.
    """
    rulings = rulings or Rulings()
    of_tests = (
        decide_verdicts(grid, threshold)
        .filter(pl.col("test") != UNION)
        .group_by("benchmark", "sample_id", maintain_order=True)
        .agg("test", "votes", "shortcut")
    )
    decided = {
        (benchmark, sample_id): (
            dict(zip(tests, votes, strict=True)),
            dict(zip(tests, shortcuts, strict=True)),
        )
        for benchmark, sample_id, tests, votes, shortcuts in of_tests.iter_rows()
    }
    distilled = []
    for sample in samples:
        key = (sample.benchmark, sample.id)
        votes, verdicts = decided.get(key, ({}, {}))
        fate, reasons = _decide(verdicts, rulings.by_sample.get(key))
        distilled.append(
            DistilledSample(
                benchmark=sample.benchmark,
                sample_id=sample.id,
                task=sample.task,
                video=sample.video.path,
                fate=fate,
                reasons=reasons,
                votes=votes,
                corrected_target=rulings.corrections.get(key),
            )
        )
    return tuple(distilled)


def _decide(
    verdicts: Mapping[str, bool | None], ruling: Ruling | None
) -> tuple[Fate, tuple[str, ...]]:
    """Decide from the verdict of each test that applies (None if it is not known) and a ruling."""
    reasons: list[str] = [] if verdicts else [UNTESTED]
    fate = Fate.KEPT if verdicts else Fate.UNDECIDED
    for test, shortcut in verdicts.items():
        if shortcut is False:
            continue
        if test == _SHUFFLE and ruling is not None and ruling.decision is Decision.RESTORE:
            reasons.append(RESTORED)
            continue
        reasons.append(f"unknown:{test}" if shortcut is None else f"{SHORTCUT}{test}")
        if fate is not Fate.DROPPED:
            fate = Fate.UNDECIDED if shortcut is None else Fate.DROPPED
    if ruling is not None and ruling.decision in DROPS:
        fate = Fate.DROPPED
        reasons += [f"{JUDGED}{decision.value}" for decision in ruling.reasons]
    elif ruling is not None and ruling.decision is None and ruling.opinions:
        reasons.append(JUDGED_UNDECIDED)
    return fate, tuple(reasons)
