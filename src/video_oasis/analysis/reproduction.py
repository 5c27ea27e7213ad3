"""Compares accuracies with the scores that others published for the same models.

An official score and ours are over the same questions, so an honest reproduction differs by less
than questions drawn anew would: an official score inside our interval shows little, one outside is
beyond what the choice of questions could explain.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level


@dataclass(frozen=True, slots=True)
class OfficialScore:
    """A published accuracy.

    Attributes:
        model: the model, as it is called here.
        benchmark: the benchmark, as it is called here.
        score: the accuracy, from 0 to 1.
        source: where it is published.
    """

    model: str
    benchmark: str
    score: float
    source: str


@dataclass(frozen=True, slots=True)
class ReproductionRow:
    """A published accuracy and ours.

    Attributes:
        model: the model.
        benchmark: the benchmark.
        source: where the official score is published.
        official: the official score.
        n: our samples of the benchmark; 0 where the model was not asked about it.
        n_scored: answers of ours with status ok.
        ours: our accuracy; null if nothing is scored.
        ours_low: lower end of its interval; null with fewer than two videos.
        ours_high: its upper end.
        difference: ours - official.
        difference_low: lower end of its interval, the official score taken as exact.
        difference_high: its upper end.
        is_inside: whether the official score lies within our interval; null without one.
    """

    model: str
    benchmark: str
    source: str
    official: float
    n: int
    n_scored: int
    ours: float | None
    ours_low: float | None
    ours_high: float | None
    difference: float | None
    difference_low: float | None
    difference_high: float | None
    is_inside: bool | None


def compare_with_official(
    accuracy: Iterable[AccuracyRow], scores: Sequence[OfficialScore]
) -> tuple[ReproductionRow, ...]:
    """Compare our accuracy on whole benchmarks with official scores, in the order of these.

    Args:
        accuracy: our accuracies on the original samples, of any levels.
        scores: the official scores; those of models or benchmarks that we lack are kept as such.
    """
    ours = {
        (row.model, row.benchmark): row for row in accuracy if row.level == Level.BENCHMARK.value
    }
    return tuple(_compare(score, ours.get((score.model, score.benchmark))) for score in scores)


def _compare(score: OfficialScore, row: AccuracyRow | None) -> ReproductionRow:
    ours, low, high = (
        (None, None, None) if row is None else (row.accuracy, row.accuracy_low, row.accuracy_high)
    )
    return ReproductionRow(
        model=score.model,
        benchmark=score.benchmark,
        source=score.source,
        official=score.score,
        n=0 if row is None else row.n_samples,
        n_scored=0 if row is None else row.n_scored,
        ours=ours,
        ours_low=low,
        ours_high=high,
        difference=_subtract(ours, score.score),
        difference_low=_subtract(low, score.score),
        difference_high=_subtract(high, score.score),
        is_inside=None if low is None or high is None else low <= score.score <= high,
    )


def _subtract(ours: float | None, official: float) -> float | None:
    return None if ours is None else ours - official
