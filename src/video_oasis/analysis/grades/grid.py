"""The grade table checked, and arranged as dense arrays."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import polars as pl

from video_oasis.analysis.bootstrap import Floats
from video_oasis.analysis.grid import SAMPLE_KEY
from video_oasis.errors import SchemaError
from video_oasis.schema import GRADE_TABLE_COLUMNS, MAX_GRADE, GradeStatus, Probe, Status

PROBES: Final = tuple(probe for probe in Probe if probe is not Probe.NONE)
BLIND: Final = "blind"
"""The diagnostic that shows the question alone."""

_TYPES: Final = {name: getattr(pl, kind)() for name, kind in GRADE_TABLE_COLUMNS.items()}
_SAMPLE_ORDER: Final = ("benchmark", "task", "video", "sample_id")
_NEVER_NULL: Final = [
    name
    for name in GRADE_TABLE_COLUMNS
    if name not in {"pair", "reference", "answer", "reason", "correct", "score"}
]
_ANSWER_KEY: Final = (*SAMPLE_KEY, "diagnostic", "model", "draw", "probe", "judge")


@dataclass(frozen=True, slots=True)
class Answerer:
    """One model under one diagnostic."""

    diagnostic: str
    model: str
    family: str


@dataclass(frozen=True, slots=True)
class Judge:
    """One judge.

    Attributes:
        name: its name.
        is_model: whether it is a model rather than a rule, whose verdict follows from its score.
        family: empty for a rule, and for a model whose family is not known.
    """

    name: str
    is_model: bool
    family: str


@dataclass(frozen=True, slots=True, eq=False)
class GradeGrid:
    """The grade table: S samples, A answerers, D draws, J judges.

    Attributes:
        samples: benchmark, task, video and sample id, S rows sorted by these.
        answerers: in the order in which the table first names them.
        judges: likewise.
        answers: the table's rows of models' answers, in the order of the samples, with where they
            stand in the arrays: ``at_sample``, ``at_answerer``, ``at_draw``, ``at_judge``.
        probes: its rows of probes likewise, with ``at_sample``, ``at_probe``, ``at_judge``.
        correct: 1 where the judge accepts the answer, 0 where not, NaN where it gives no grade;
            S x A x D x J.
        score: the score as a share of the highest, likewise.
        accepted: share of the judge's grades of a probe that accept it, S x ``PROBES`` x J; NaN
            where there are none.
    """

    samples: pl.DataFrame
    answerers: tuple[Answerer, ...]
    judges: tuple[Judge, ...]
    answers: pl.DataFrame
    probes: pl.DataFrame
    correct: Floats
    score: Floats
    accepted: Floats


def arrange_grades(table: pl.DataFrame) -> GradeGrid:
    """Arrange a grade table.

    Args:
        table: the columns of ``schema.GRADE_TABLE_COLUMNS``, rows in any order; that of judges and
            models is kept.

    Raises:
        SchemaError: a column is absent, a row breaks the table's rules, one answer was given twice
            to one judge, or the rows of one sample, model or judge differ in what belongs to it.
    """
    absent = sorted(_TYPES.keys() - set(table.columns))
    if absent:
        raise SchemaError(f"grade table: no column {', '.join(absent)}; found {table.columns}")
    table = table.select(pl.col(name).cast(kind) for name, kind in _TYPES.items())
    _check_rows(table)
    samples = table.select(_SAMPLE_ORDER).unique().sort(_SAMPLE_ORDER)
    _require_one(samples, SAMPLE_KEY)
    is_probe = pl.col("probe") != Probe.NONE.value
    answerers = (
        table.filter(~is_probe)
        .select("diagnostic", "model", "model_family")
        .unique(maintain_order=True)
    )
    _require_one(answerers.select("model", "model_family").unique(), ("model",))
    judges = table.select("judge", "judge_is_model", "judge_family").unique(maintain_order=True)
    _require_one(judges, ("judge",))

    placed = table.join(
        samples.select(SAMPLE_KEY).with_row_index("at_sample"), on=SAMPLE_KEY, how="left"
    ).join(judges.select("judge").with_row_index("at_judge"), on="judge", how="left")
    answers = (
        placed.filter(~is_probe)
        .join(
            answerers.select("diagnostic", "model").with_row_index("at_answerer"),
            on=("diagnostic", "model"),
            how="left",
        )
        .with_columns(at_draw=pl.col("draw").rank("dense") - 1)
        .sort("at_sample", "at_answerer", "at_draw", "at_judge")
    )
    probes = (
        placed.filter(is_probe)
        .with_columns(
            at_probe=pl.col("probe").replace_strict(
                {probe.value: number for number, probe in enumerate(PROBES)},
                return_dtype=pl.Int64,
            )
        )
        .sort("at_sample", "at_probe", "at_judge", "draw")
    )
    n_draws = answers["at_draw"].n_unique()
    shape = (samples.height, answerers.height, n_draws, judges.height)
    return GradeGrid(
        samples=samples,
        answerers=tuple(Answerer(*names) for names in answerers.iter_rows()),
        judges=tuple(Judge(*described) for described in judges.iter_rows()),
        answers=answers,
        probes=probes,
        correct=_place(answers, pl.col("correct"), shape),
        score=_place(answers, pl.col("score") / MAX_GRADE, shape),
        accepted=_average_probes(probes, (samples.height, len(PROBES), judges.height)),
    )


def _check_rows(table: pl.DataFrame) -> None:
    graded = pl.col("status") == GradeStatus.OK.value
    answered = pl.col("answer_status") == Status.OK.value
    broken = table.filter(
        pl.any_horizontal(pl.col(_NEVER_NULL).is_null())
        | (~pl.col("judge_is_model") & (pl.col("judge_family") != ""))
        | (answered & pl.col("pair").is_null())
        | ~pl.col("status").is_in([status.value for status in GradeStatus])
        | ~pl.col("answer_status").is_in([status.value for status in Status])
        | ~pl.col("probe").is_in([probe.value for probe in Probe])
        | (graded != pl.col("correct").is_not_null())
        | (graded != pl.col("score").is_not_null())
        | (answered != pl.col("answer").is_not_null())
        | (graded & ~answered)
        | ~pl.col("score").is_between(0, MAX_GRADE)
    )
    if broken.height:
        shown = (
            *("judge", "judge_is_model", "judge_family"),
            *("status", "answer_status", "probe", "correct", "score"),
        )
        raise SchemaError(
            f"grade table: {_name(broken)} has {broken.select(shown).row(0, named=True)}; expected "
            f"names, no family of a judge that is no model, known statuses and probes, an answer "
            f"if and only if its status is 'ok', and if and only if the grade's is 'ok', which "
            f"needs an answer, correct and a score from 0 to {MAX_GRADE}"
        )
    repeated = table.filter(pl.struct(_ANSWER_KEY).is_duplicated())
    if repeated.height:
        raise SchemaError(
            f"grade table: {_name(repeated)} has two rows of "
            f"{repeated.select(_ANSWER_KEY).row(0, named=True)}; expected one"
        )


def _require_one(listed: pl.DataFrame, key: tuple[str, ...]) -> None:
    repeated = listed.filter(pl.struct(key).is_duplicated()).sort(key)
    if repeated.height:
        raise SchemaError(
            f"grade table: rows of one {' and '.join(key)} differ: "
            f"{repeated.head(2).to_dicts()}; expected one of each"
        )


def _place(answers: pl.DataFrame, values: pl.Expr, shape: tuple[int, ...]) -> Floats:
    array = np.full(shape, np.nan)
    at = answers.select("at_sample", "at_answerer", "at_draw", "at_judge").to_numpy().astype(int)
    array[tuple(at.T)] = answers.select(values.cast(pl.Float64)).to_series().to_numpy()
    return array


def _average_probes(probes: pl.DataFrame, shape: tuple[int, ...]) -> Floats:
    array = np.full(shape, np.nan)
    means = probes.group_by("at_sample", "at_probe", "at_judge").agg(
        pl.col("correct").cast(pl.Float64).mean()
    )
    at = means.select("at_sample", "at_probe", "at_judge").to_numpy().astype(int)
    array[tuple(at.T)] = means["correct"].to_numpy()
    return array


def _name(rows: pl.DataFrame) -> str:
    return f"{rows['benchmark'][0]} sample {rows['sample_id'][0]!r}"
