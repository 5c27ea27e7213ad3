"""What judges say of answers that are known to be right or wrong, and what that says of accuracy.

A judge's accuracy of a model is the share it accepts: of the right answers as many as its
sensitivity, of the wrong ones as many as it is not specific. Rogan and Gladen (1978) solve that for
the share of right answers. The error rates are those on the probes, so the corrected accuracy is
an estimate that holds only as far as the judge errs as often on a model's right answers as on bare
references, and on its wrong answers as on references of other questions. It is made for judges that
are models only: a rule that compares with the reference accepts every bare one, however often it
rejects right answers in other words.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.grades.estimates import (
    NO_ESTIMATE,
    Cell,
    Estimate,
    average,
    estimate,
    estimate_shares,
    measure_shares,
)
from video_oasis.analysis.grades.grid import PROBES, GradeGrid
from video_oasis.schema import GradeStatus, Probe

_COUNTS: Final = {
    "n": pl.len(),
    "n_graded": (pl.col("status") == GradeStatus.OK.value).sum(),
    "n_invalid": (pl.col("status") == GradeStatus.INVALID.value).sum(),
    "n_failed": (pl.col("status") == GradeStatus.ERROR.value).sum(),
    "n_missing": (pl.col("status") == GradeStatus.MISSING.value).sum(),
}


@dataclass(frozen=True, slots=True)
class ProbeRow:
    """What one judge says of one kind of probe.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        judge: the judge.
        probe: a ``Probe``.
        is_right: whether a judge that can be trusted accepts it.
        n: probes; the sum of the next four.
        n_graded: those with a grade.
        n_invalid: those whose grade has status invalid.
        n_failed: those with status error.
        n_missing: those with status missing.
        accepted: share of the graded that it accepts.
    """

    level: str
    benchmark: str
    judge: str
    probe: str
    is_right: bool
    n: int
    n_graded: int
    n_invalid: int
    n_failed: int
    n_missing: int
    accepted: Estimate


@dataclass(frozen=True, slots=True)
class CaughtRow:
    """One probe of which a judge says the wrong thing.

    Attributes:
        judge: the judge.
        probe: a ``Probe``.
        benchmark: the benchmark.
        sample_id: the sample.
        pair: question, reference and answer.
        reference: the sample's reference.
        answer: what the judge was given as the answer.
        score: the score it gave.
    """

    judge: str
    probe: str
    benchmark: str
    sample_id: str
    pair: str
    reference: str
    answer: str
    score: float


@dataclass(frozen=True, slots=True)
class TrustRow:
    """How well one judge tells right answers from wrong ones.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        judge: the judge.
        sensitivity: share it accepts of the questions' own references.
        specificity: share it rejects of the references of other questions.
        youden: sensitivity + specificity - 1, Youden's J: 1 for a judge without fault, 0 for one
            that does not look.
    """

    level: str
    benchmark: str
    judge: str
    sensitivity: Estimate
    specificity: Estimate
    youden: Estimate


@dataclass(frozen=True, slots=True)
class CorrectedAccuracyRow:
    """One model's accuracy corrected for the error rates on the probes of one judge.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        diagnostic: what the model was shown.
        model: the model that answered.
        judge: the judge, a model.
        accuracy: share that the judge accepts.
        corrected: (accuracy + specificity - 1) / (sensitivity + specificity - 1), within 0 and 1,
            an estimate that holds only if the probes are like real answers; the interval takes in
            how well the error rates are known. Empty where the interval of Youden's J holds 0, or
            there is none.
    """

    level: str
    benchmark: str
    diagnostic: str
    model: str
    judge: str
    accuracy: Estimate
    corrected: Estimate


@dataclass(frozen=True, slots=True)
class Traps:
    """What the probes say of all judges.

    Attributes:
        probes: for each benchmark and pooled, by judge and probe.
        caught: every probe of which a judge says the wrong thing.
        trust: of each judge with both kinds of bare probe graded.
        corrected: every model's accuracy by each of these judges that is a model.
    """

    probes: tuple[ProbeRow, ...]
    caught: tuple[CaughtRow, ...]
    trust: tuple[TrustRow, ...]
    corrected: tuple[CorrectedAccuracyRow, ...]


def measure_traps(grid: GradeGrid, *, resampling: Resampling | None = None) -> Traps:
    """Measure every judge on every probe, and correct the accuracies by those that are models."""
    correct, graded = average(grid.correct, axis=2)
    flat = (len(grid.samples), len(grid.answerers) * len(grid.judges))
    asked = (~np.isnan(grid.accepted)).astype(np.float64)
    accepted = np.nan_to_num(grid.accepted)
    parts = {
        "correct": (correct.reshape(flat), graded.reshape(flat)),
        **{
            probe.value: (accepted[:, number], asked[:, number])
            for number, probe in enumerate(PROBES)
        },
    }
    probes: list[ProbeRow] = []
    trust: list[TrustRow] = []
    corrected: list[CorrectedAccuracyRow] = []
    for cell in measure_shares(grid, parts, resampling or Resampling()):
        if cell.level is not Level.TASK:
            probes += _count_probes(grid, cell)
            of_judges = _judge(grid, cell)
            trust += of_judges.values()
            corrected += _correct(grid, cell, of_judges)
    return Traps(
        probes=tuple(probes),
        caught=_list_caught(grid),
        trust=tuple(trust),
        corrected=tuple(corrected),
    )


def _count_probes(grid: GradeGrid, cell: Cell) -> list[ProbeRow]:
    in_cell = (
        grid.probes.filter(pl.col("benchmark") == cell.benchmark)
        if cell.level is Level.BENCHMARK
        else grid.probes
    )
    counts = {
        (row["at_judge"], row["at_probe"]): {name: row[name] for name in _COUNTS}
        for row in in_cell.group_by("at_judge", "at_probe").agg(**_COUNTS).iter_rows(named=True)
    }
    accepted = {probe: estimate_shares(cell[probe.value]) for probe in PROBES}
    return [
        ProbeRow(
            level=cell.level.value,
            benchmark=cell.benchmark,
            judge=judge.name,
            probe=probe.value,
            is_right=probe.is_right,
            **counts[j, number],
            accepted=accepted[probe][j],
        )
        for j, judge in enumerate(grid.judges)
        for number, probe in enumerate(PROBES)
        if (j, number) in counts
    ]


def _list_caught(grid: GradeGrid) -> tuple[CaughtRow, ...]:
    is_right = pl.col("probe").is_in([probe.value for probe in PROBES if probe.is_right])
    caught = grid.probes.filter(pl.col("correct") != is_right).sort(
        "at_judge", "at_probe", "at_sample", maintain_order=True
    )
    names = list(CaughtRow.__dataclass_fields__)
    return tuple(CaughtRow(*row) for row in caught.select(names).iter_rows())


def _spread_rates(cell: Cell) -> tuple[Floats, Floats]:
    """Return replicates of what is accepted of right and of wrong probes, J x resamples."""
    # Whatever is apart by seed is independent where resampling cannot see any spread.
    return cell[Probe.ECHO.value].spread(1), cell[Probe.SWAPPED.value].spread(2)


def _judge(grid: GradeGrid, cell: Cell) -> dict[int, TrustRow]:
    right, wrong = cell[Probe.ECHO.value], cell[Probe.SWAPPED.value]
    of_right, of_wrong = _spread_rates(cell)
    youden = estimate(
        right.values - wrong.values,
        of_right - of_wrong,
        right.can_resample & wrong.can_resample,
        right.confidence,
    )
    sensitivity, false_accepts = estimate_shares(right), estimate_shares(wrong)
    return {
        j: TrustRow(
            level=cell.level.value,
            benchmark=cell.benchmark,
            judge=judge.name,
            sensitivity=sensitivity[j],
            specificity=_take_from_one(false_accepts[j]),
            youden=youden[j],
        )
        for j, judge in enumerate(grid.judges)
        if youden[j].value is not None
    }


def _take_from_one(share: Estimate) -> Estimate:
    value, low, high = (
        None if number is None else 1 - number for number in (share.value, share.high, share.low)
    )
    return Estimate(value, low, high)


def _correct(
    grid: GradeGrid, cell: Cell, of_judges: dict[int, TrustRow]
) -> list[CorrectedAccuracyRow]:
    shares = cell["correct"]
    accuracy = estimate_shares(shares)
    n_judges = len(grid.judges)
    of_right, of_wrong = _spread_rates(cell)
    judge = np.arange(len(shares.values)) % n_judges
    corrected = estimate(
        solve_accuracy(
            shares.values,
            cell[Probe.ECHO.value].values[judge],
            cell[Probe.SWAPPED.value].values[judge],
        ),
        solve_accuracy(shares.spread(3), of_right[judge], of_wrong[judge]),
        shares.can_resample,
        shares.confidence,
    )
    return [
        CorrectedAccuracyRow(
            level=cell.level.value,
            benchmark=cell.benchmark,
            diagnostic=answerer.diagnostic,
            model=answerer.model,
            judge=trust.judge,
            accuracy=accuracy[k * n_judges + j],
            corrected=corrected[k * n_judges + j] if _tells_apart(trust.youden) else NO_ESTIMATE,
        )
        for k, answerer in enumerate(grid.answerers)
        for j, trust in of_judges.items()
        if grid.judges[j].is_model and accuracy[k * n_judges + j].value is not None
    ]


def solve_accuracy(accepted: Floats, right_accepted: Floats, wrong_accepted: Floats) -> Floats:
    """Return the share of right answers, within 0 and 1, that makes a judge accept so many.

    Args:
        accepted: share of all answers that the judge accepts.
        right_accepted: share of the right ones that it accepts, its sensitivity.
        wrong_accepted: share of the wrong ones that it accepts, 1 - its specificity.

    Returns:
        The estimate of Rogan and Gladen; NaN where the judge accepts right answers no more often
        than wrong ones.
    """
    youden = right_accepted - wrong_accepted
    return np.clip(
        np.divide(
            accepted - wrong_accepted, youden, out=np.full_like(accepted, np.nan), where=youden > 0
        ),
        0,
        1,
    )


def _tells_apart(youden: Estimate) -> bool:
    return youden.low is not None and youden.low > 0
