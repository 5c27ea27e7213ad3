"""How far two judges agree about single answers."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import polars as pl
from scipy.stats import kendalltau

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.grades.estimates import Estimate, measure_pooled
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.analysis.grades.ranks import correlate_ranks
from video_oasis.analysis.grades.raters import list_rater_parts, read_rater_agreement
from video_oasis.analysis.grades.verdicts import list_verdicts


@dataclass(frozen=True, slots=True)
class JudgeAgreementRow:
    """Agreement of two judges over the distinct pairs of models' answers that both graded.

    Attributes:
        first: the first judge.
        second: the second judge.
        n_pairs: the pairs of question with reference, and answer.
        n_videos: the videos they lie with.
        same: share that both accept or both reject.
        kappa: Cohen's, with each judge's own share of accepted answers; empty where both always say
            the same one thing.
        spearman: rank correlation of the scores; empty where a judge always gives the same.
        kendall: Kendall's tau-b of the scores, likewise.
    """

    first: str
    second: str
    n_pairs: int
    n_videos: int
    same: Estimate
    kappa: Estimate
    spearman: Estimate
    kendall: float | None


def measure_judge_agreement(
    grid: GradeGrid, *, resampling: Resampling | None = None
) -> tuple[JudgeAgreementRow, ...]:
    """Measure the agreement of every two judges that graded any pair both."""
    resampling = resampling or Resampling()
    verdicts = list_verdicts(grid)
    couples = list(combinations(range(len(grid.judges)), 2))
    if not couples:
        return ()
    first, second = (list(numbers) for numbers in zip(*couples, strict=True))
    cell = measure_pooled(
        verdicts,
        list_rater_parts(
            verdicts.correct[:, first],
            verdicts.correct[:, second],
            np.ones((len(verdicts.correct), len(couples))),
        ),
        resampling,
    )
    if cell is None:
        return ()
    videos = (
        verdicts.samples.select(pl.struct("benchmark", "video").rank("dense"))
        .to_series()
        .to_numpy()
    )
    agreement = read_rater_agreement(cell)
    rows = []
    for number, (one, other) in enumerate(couples):
        both = ~np.isnan(verdicts.score[:, one] + verdicts.score[:, other])
        if not both.any():
            continue
        ours, theirs = verdicts.score[both, one], verdicts.score[both, other]
        names = (grid.judges[one].name, grid.judges[other].name)
        rows.append(
            JudgeAgreementRow(
                *names,
                n_pairs=int(both.sum()),
                n_videos=int(cell["same"].n_videos[number]),
                same=agreement[number].same,
                kappa=agreement[number].kappa,
                spearman=correlate_ranks(
                    ours, theirs, videos[both], resampling=resampling, name="\n".join(names)
                ),
                kendall=_correlate_order(ours, theirs),
            )
        )
    return tuple(rows)


def _correlate_order(first: Floats, second: Floats) -> float | None:
    tau = float(kendalltau(first, second).statistic)
    return None if np.isnan(tau) else tau
