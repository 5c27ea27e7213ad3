"""What judges say beside what people say of the same answers.

People grade a sample of the distinct pairs of question with reference, and answer. Pairs may be
drawn with unequal probability: with the inverse of it as the weight of each, shares are those of
all pairs that could have been drawn.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Floats, Resampling
from video_oasis.analysis.grades.estimates import (
    NO_ESTIMATE,
    Cell,
    Estimate,
    average,
    estimate,
    estimate_shares,
    estimate_signed,
    measure_pooled,
    replicate_signed,
    split_signed,
)
from video_oasis.analysis.grades.grid import GradeGrid
from video_oasis.analysis.grades.ranks import correlate_ranks
from video_oasis.analysis.grades.raters import (
    estimate_kappa,
    expect_same,
    list_rater_parts,
    read_rater_agreement,
)
from video_oasis.analysis.grades.verdicts import Verdicts, list_verdicts
from video_oasis.errors import SchemaError
from video_oasis.kappa import share_agreeing
from video_oasis.schema import MAX_GRADE

_TYPES: Final = {"pair": pl.String, "reviewer": pl.String, "correct": pl.Boolean}


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """What people graded, and how far they agree among each other.

    Attributes:
        n_reviewers: people with an opinion of any pair.
        n_pairs: pairs of the grade table that any of them has an opinion of.
        n_unknown: pairs with an opinion that are no answer of a model in it; left out.
        n_ties: pairs that as many accept as reject: undecided, and in no comparison with judges.
        n_shared: pairs with two opinions or more; the next two are over these.
        same: weighted mean of the share of two people that agree.
        kappa: Fleiss', with what chance makes likely from all opinions together; empty where
            everyone always says the same.
    """

    n_reviewers: int
    n_pairs: int
    n_unknown: int
    n_ties: int
    n_shared: int
    same: Estimate
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class JudgeBesidePeople:
    """One judge beside the majority of people, over the pairs that both decide.

    Attributes:
        judge: the judge.
        n_pairs: the pairs.
        n_videos: the videos they lie with.
        n_right: those that people accept.
        n_wrong: those that people reject.
        same: share of which the judge says the same as people.
        kappa: Cohen's, with the judge's and people's own shares of accepted answers.
        false_accepts: of those that people reject, the share that the judge accepts.
        false_rejects: of those that people accept, the share that the judge rejects.
        judge_accuracy: share that the judge accepts.
        people_accuracy: share that people accept.
        difference: judge_accuracy - people_accuracy.
        score_correlation: Spearman's correlation of the judge's score with people's mean score,
            over the pairs with both.
    """

    judge: str
    n_pairs: int
    n_videos: int
    n_right: int
    n_wrong: int
    same: Estimate
    kappa: Estimate
    false_accepts: Estimate
    false_rejects: Estimate
    judge_accuracy: Estimate
    people_accuracy: Estimate
    difference: Estimate
    score_correlation: Estimate


@dataclass(frozen=True, slots=True)
class PeopleAccuracyRow:
    """One model's accuracy by people, and one judge's accuracy of it corrected by people.

    Attributes:
        diagnostic: what the model was shown.
        model: the model that answered.
        judge: the judge.
        n_decided: answers that people decide.
        people: weighted share of them that people accept.
        n_shared: answers that people decide and the judge graded.
        judged: share that the judge accepts, of all answers it graded.
        corrected: judged, plus the weighted mean over the shared answers of what people say less
            what the judge says; within 0 and 1. It is as right as people are, however the judge
            errs, and the closer the judge is to people the surer.
    """

    diagnostic: str
    model: str
    judge: str
    n_decided: int
    people: Estimate
    n_shared: int
    judged: Estimate
    corrected: Estimate


@dataclass(frozen=True, slots=True)
class PeopleComparison:
    """What people's grades say of the judges.

    Attributes:
        agreement: of people among each other.
        judges: each judge that graded any pair that people decide.
        models: each model under each diagnostic by each of these judges, if people decide any of
            its answers.
    """

    agreement: PeopleAgreement
    judges: tuple[JudgeBesidePeople, ...]
    models: tuple[PeopleAccuracyRow, ...]


def compare_with_people(
    grid: GradeGrid, people: pl.DataFrame, *, resampling: Resampling | None = None
) -> PeopleComparison:
    """Compare judges with people.

    Args:
        grid: the judges' grades.
        people: one row for each pair and reviewer: ``pair``, ``reviewer``, ``correct`` (null for
            no opinion, which leaves the row out), ``score`` (0 to ``MAX_GRADE`` or null) and
            optionally ``weight``, the inverse of the probability that the pair was drawn.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: a column is absent, one reviewer graded a pair twice, or the weights of a pair
            differ or are not above 0.
    """
    resampling = resampling or Resampling()
    opinions = _read_opinions(people)
    verdicts = list_verdicts(grid)
    known = verdicts.samples.select("pair").join(
        opinions.group_by("pair").agg(
            n=pl.len(),
            n_yes=pl.col("correct").sum(),
            score=pl.col("score").mean(),
            weight=pl.col("weight").first(),
        ),
        on="pair",
        how="left",
        maintain_order="left",
    )
    decided = known.select(
        "pair",
        "weight",
        "score",
        correct=pl.when(pl.col("n_yes") * 2 != pl.col("n")).then(
            (pl.col("n_yes") * 2 > pl.col("n")).cast(pl.Float64)
        ),
    )
    return PeopleComparison(
        agreement=_measure_people(verdicts, known, opinions, resampling),
        judges=_compare(grid, verdicts, decided, resampling),
        models=_correct(grid, decided, resampling),
    )


def _read_opinions(people: pl.DataFrame) -> pl.DataFrame:
    absent = sorted({*_TYPES, "score"} - set(people.columns))
    if absent:
        raise SchemaError(f"people's grades: no column {', '.join(absent)}; found {people.columns}")
    weight = pl.col("weight") if "weight" in people.columns else pl.lit(1.0)
    opinions = people.select(
        *(pl.col(name).cast(kind) for name, kind in _TYPES.items()),
        pl.col("score").cast(pl.Float64),
        weight.cast(pl.Float64).alias("weight"),
    ).filter(pl.col("correct").is_not_null())
    broken = opinions.filter(
        pl.struct("pair", "reviewer").is_duplicated()
        | pl.col("weight").is_null()
        | ~(pl.col("weight") > 0)
        | (pl.col("weight").n_unique().over("pair") > 1)
        | ~pl.col("score").is_between(0, MAX_GRADE)
    )
    if broken.height:
        raise SchemaError(
            f"people's grades: pair {broken['pair'][0]!r} has {broken.head(2).to_dicts()}; "
            f"expected one row for each reviewer, a score from 0 to {MAX_GRADE} or none, and one "
            f"weight above 0"
        )
    return opinions


def _measure_people(
    verdicts: Verdicts, known: pl.DataFrame, opinions: pl.DataFrame, resampling: Resampling
) -> PeopleAgreement:
    n = known["n"].fill_null(0).to_numpy()
    n_yes = known["n_yes"].fill_null(0).to_numpy().astype(np.int64)
    shared = n > 1
    weights = np.where(shared, known["weight"].fill_null(0).to_numpy(), 0)[:, None]
    same = np.zeros((len(n), 1))
    same[shared, 0] = share_agreeing(np.column_stack([n_yes, n - n_yes])[shared])
    cell = measure_pooled(
        verdicts,
        {
            "same": (weights * same, weights),
            "yes": (weights * n_yes[:, None], weights * n[:, None]),
        },
        resampling,
    )
    kappa = NO_ESTIMATE
    if cell is not None:
        yes = cell["yes"]
        kappa = estimate_kappa(
            cell["same"],
            expect_same(yes.values, yes.values),
            expect_same(yes.replicates, yes.replicates),
        )[0]
    return PeopleAgreement(
        n_reviewers=opinions["reviewer"].n_unique(),
        n_pairs=int((n > 0).sum()),
        n_unknown=opinions.join(known, on="pair", how="anti")["pair"].n_unique(),
        n_ties=int(((n > 0) & (2 * n_yes == n)).sum()),
        n_shared=int(shared.sum()),
        same=NO_ESTIMATE if cell is None else estimate_shares(cell["same"])[0],
        kappa=kappa,
    )


def _compare(
    grid: GradeGrid, verdicts: Verdicts, decided: pl.DataFrame, resampling: Resampling
) -> tuple[JudgeBesidePeople, ...]:
    ours = verdicts.correct
    theirs = np.broadcast_to(decided["correct"].fill_null(np.nan).to_numpy()[:, None], ours.shape)
    weight = np.broadcast_to(decided["weight"].fill_null(0).to_numpy()[:, None], ours.shape)
    both = ~np.isnan(ours + theirs)
    weights = np.where(both, weight, 0)
    wrong, right = weights * (theirs == 0), weights * (theirs == 1)
    cell = measure_pooled(
        verdicts,
        {
            **list_rater_parts(ours, theirs, weight),
            **split_signed(np.where(both, ours - theirs, 0), weights, name="difference"),
            "false_accepts": (wrong * (ours == 1), wrong),
            "false_rejects": (right * (ours == 0), right),
        },
        resampling,
    )
    if cell is None:
        return ()
    agreement = read_rater_agreement(cell)
    difference = estimate_signed(cell, "difference")
    estimates = {name: estimate_shares(shares) for name, shares in cell.shares.items()}
    people_score = decided["score"].fill_null(np.nan).to_numpy()
    videos = (
        verdicts.samples.select(pl.struct("benchmark", "video").rank("dense"))
        .to_series()
        .to_numpy()
    )

    def correlate(j: int) -> Estimate:
        scored = both[:, j] & ~np.isnan(people_score)
        return correlate_ranks(
            verdicts.score[scored, j],
            people_score[scored],
            videos[scored],
            resampling=resampling,
            name=grid.judges[j].name,
            weights=weights[scored, j],
        )

    return tuple(
        JudgeBesidePeople(
            judge=judge.name,
            n_pairs=int(both[:, j].sum()),
            n_videos=int(cell["same"].n_videos[j]),
            n_right=int((right[:, j] > 0).sum()),
            n_wrong=int((wrong[:, j] > 0).sum()),
            same=agreement[j].same,
            kappa=agreement[j].kappa,
            false_accepts=estimates["false_accepts"][j],
            false_rejects=estimates["false_rejects"][j],
            judge_accuracy=estimates["first_yes"][j],
            people_accuracy=estimates["second_yes"][j],
            difference=difference[j],
            score_correlation=correlate(j),
        )
        for j, judge in enumerate(grid.judges)
        if both[:, j].any()
    )


def _correct(
    grid: GradeGrid, decided: pl.DataFrame, resampling: Resampling
) -> tuple[PeopleAccuracyRow, ...]:
    people, weight = _place(grid, decided)
    n_answerers, n_judges = grid.correct.shape[1], grid.correct.shape[3]
    judged, graded = average(grid.correct, axis=2)
    has_people = ~np.isnan(people)
    weights = np.where(has_people, weight, 0)
    difference = people[..., None] - grid.correct
    shared = ~np.isnan(difference)
    shared_weights = np.where(shared, weights[..., None], 0)
    sums = shared_weights * np.nan_to_num(difference)
    flat = (len(grid.samples), n_answerers * n_judges)

    def add(values: Floats) -> Floats:
        total: Floats = values.sum(axis=2).reshape(flat)
        return total

    counted = add(shared_weights)
    cell = measure_pooled(
        grid,
        {
            "people": ((weights * np.nan_to_num(people)).sum(axis=2), weights.sum(axis=2)),
            "judged": (judged.reshape(flat), graded.reshape(flat)),
            "difference_above": (add(np.maximum(sums, 0)), counted),
            "difference_below": (add(np.maximum(-sums, 0)), counted),
        },
        resampling,
    )
    if cell is None:
        return ()
    by_people, by_judge = estimate_shares(cell["people"]), estimate_shares(cell["judged"])
    corrected = _add_difference(cell)
    n_decided = has_people.sum(axis=(0, 2))
    n_shared = shared.sum(axis=(0, 2))
    return tuple(
        PeopleAccuracyRow(
            diagnostic=answerer.diagnostic,
            model=answerer.model,
            judge=judge.name,
            n_decided=int(n_decided[k]),
            people=by_people[k],
            n_shared=int(n_shared[k, j]),
            judged=by_judge[k * n_judges + j],
            corrected=corrected[k * n_judges + j],
        )
        for k, answerer in enumerate(grid.answerers)
        for j, judge in enumerate(grid.judges)
        if n_shared[k, j]
    )


def _add_difference(cell: Cell) -> list[Estimate]:
    judged = cell["judged"]
    difference, replicates = replicate_signed(cell, "difference")
    return estimate(
        np.clip(judged.values + difference, 0, 1),
        np.clip(judged.spread(1) + replicates, 0, 1),
        judged.can_resample & cell["difference_above"].can_resample,
        judged.confidence,
    )


def _place(grid: GradeGrid, decided: pl.DataFrame) -> tuple[Floats, Floats]:
    """Return people's verdict of each answer, NaN where none, and its weight, S x A x D."""
    shape = grid.correct.shape[:3]
    people, weight = np.full(shape, np.nan), np.zeros(shape)
    answers = (
        grid.answers.select("at_sample", "at_answerer", "at_draw", "pair")
        .unique()
        .join(decided.filter(pl.col("correct").is_not_null()), on="pair")
    )
    at = tuple(answers.select("at_sample", "at_answerer", "at_draw").to_numpy().astype(int).T)
    people[at] = answers["correct"].to_numpy()
    weight[at] = answers["weight"].to_numpy()
    return people, weight
