"""Counts what people made of the samples that the checks put before them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from video_oasis.judgements.judgement import CHECKS, DROPS, Decision
from video_oasis.judgements.rulings import Rulings
from video_oasis.schema import SampleKey

OUTSIDE: Final = "outside"
"""Name of the row of the samples that were judged outside every queue."""
ALL_CHECKS: Final = "all"
"""Name of the row that counts every sample once, whatever it was judged under."""


@dataclass(frozen=True, slots=True)
class RefinementRow:
    """What people made of the samples of one benchmark under one check.

    A sample counts under a check if a standing judgement of it was made there, and counts there as
    what all its judgements come to.

    Attributes:
        benchmark: the benchmark; empty for all of several.
        check: the check, ``outside`` any, or ``all`` of them, each sample once.
        n_queued: samples that the check puts before a person.
        n_open: those of them that nobody judged, under this check or another.
        n_judged: samples with a standing judgement made here; each is one of those dropped,
            restored, corrected, kept, undecided or skipped.
        n_dropped: judged defective; the sum of the next five.
        n_wrong_label: dropped; the published answer is wrong.
        n_ambiguous: dropped; no one answer is meant.
        n_several_right: dropped; more than one choice is right.
        n_broken_video: dropped; the video cannot be watched.
        n_other: dropped for another reason.
        n_restored: the order of events matters.
        n_corrected: another choice is right.
        n_kept: nothing is wrong with them.
        n_undecided: the opinions do not decide by the rule.
        n_skipped: looked at, without an opinion.
        n_conflicts: samples of whatever outcome on which opinions differ.
    """

    benchmark: str
    check: str
    n_queued: int
    n_open: int
    n_judged: int
    n_dropped: int
    n_wrong_label: int
    n_ambiguous: int
    n_several_right: int
    n_broken_video: int
    n_other: int
    n_restored: int
    n_corrected: int
    n_kept: int
    n_undecided: int
    n_skipped: int
    n_conflicts: int


def count_refinement(
    queue: Mapping[str, Collection[SampleKey]], rulings: Rulings
) -> tuple[RefinementRow, ...]:
    """Count for each benchmark, and for all if there are several, check by check.

    Args:
        queue: the samples that each check puts before a person.
        rulings: what the judgements come to.

    Returns:
        The rows that count anything; none without judgements.
    """
    if not rulings.standing:
        return ()
    judged: dict[str, set[SampleKey]] = {check: set() for check in (*CHECKS, OUTSIDE)}
    for each in rulings.standing:
        judged[each.check or OUTSIDE].add(each.key)
    queued = {check: set(queue.get(check, ())) for check in judged}
    judged[ALL_CHECKS] = set(rulings.by_sample)
    queued[ALL_CHECKS] = set().union(*queued.values())
    benchmarks = sorted({benchmark for benchmark, _ in judged[ALL_CHECKS] | queued[ALL_CHECKS]})
    places = [*benchmarks, ""] if len(benchmarks) > 1 else benchmarks
    rows = (
        _count(
            place,
            check,
            {key for key in queued[check] if place in ("", key[0])},
            {key for key in judged[check] if place in ("", key[0])},
            rulings,
        )
        for place in places
        for check in judged
    )
    return tuple(row for row in rows if row.n_queued or row.n_judged)


def _count(
    benchmark: str,
    check: str,
    queued: Collection[SampleKey],
    judged: Collection[SampleKey],
    rulings: Rulings,
) -> RefinementRow:
    of_judged = [rulings.by_sample[key] for key in judged]

    def count(*decisions: Decision) -> int:
        return sum(ruling.decision in decisions for ruling in of_judged)

    return RefinementRow(
        benchmark=benchmark,
        check=check,
        n_queued=len(queued),
        n_open=sum(key not in rulings.by_sample for key in queued),
        n_judged=len(judged),
        n_dropped=count(*DROPS),
        n_wrong_label=count(Decision.WRONG_LABEL),
        n_ambiguous=count(Decision.AMBIGUOUS),
        n_several_right=count(Decision.SEVERAL_RIGHT),
        n_broken_video=count(Decision.BROKEN_VIDEO),
        n_other=count(Decision.OTHER),
        n_restored=count(Decision.RESTORE),
        n_corrected=count(Decision.CORRECT),
        n_kept=count(Decision.KEEP),
        n_undecided=sum(ruling.decision is None and bool(ruling.opinions) for ruling in of_judged),
        n_skipped=sum(not ruling.opinions for ruling in of_judged),
        n_conflicts=sum(ruling.is_conflict for ruling in of_judged),
    )
