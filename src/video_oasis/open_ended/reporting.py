"""Makes the report on judges of a run from what is stored of it."""

from collections.abc import Mapping
from importlib.metadata import version

import polars as pl

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades.summary import summarise_grades
from video_oasis.audit import OpenAudit, PreparedAudit
from video_oasis.config import plain_settings
from video_oasis.judges import JUDGES
from video_oasis.open_ended.families import name_families
from video_oasis.open_ended.judges import OpenJudges
from video_oasis.open_ended.settings import JudgingSettings
from video_oasis.report.open_ended.document import JudgeRecord, JudgeReport, StatusCount
from video_oasis.reporting import count_excluded, list_lacking, record_models, record_rows
from video_oasis.schema import Probe
from video_oasis.store import make_model_id


def find_families(
    settings: JudgingSettings, opened: OpenAudit, judges: OpenJudges
) -> dict[str, str]:
    """Say which family each answering model and each judge that is a model is of.

    Raises:
        SettingsError: the settings state one for a model that there is none of.
    """
    answerers = dict(
        zip(opened.models, (each.model for each in settings.audit.models), strict=True)
    )
    return name_families(
        answerers | {name: judges.given[name] for name in judges.models}, settings.families
    )


def make_report(
    settings: JudgingSettings,
    prepared: PreparedAudit,
    judges: OpenJudges,
    families: Mapping[str, str],
    table: pl.DataFrame,
    people: pl.DataFrame | None,
) -> JudgeReport:
    """Make the report.

    Args:
        settings: the settings of the run.
        prepared: the planned asking of the questions.
        judges: the judges.
        families: the family of each model.
        table: the grade table.
        people: people's grades, as ``analysis.grades.people`` takes them; None where there are
            none.
    """
    return JudgeReport(
        version=version("video-oasis"),
        settings=plain_settings(settings.audit) | {"n_probes": settings.n_probes},
        rows=tuple(map(record_rows, prepared.benchmarks)),
        models=record_models(prepared.assignments),
        families={name: family for name, family in families.items() if family},
        judges=tuple(_record(name, judges, families) for name in judges.given),
        statuses=_count_statuses(table),
        summary=summarise_grades(
            table,
            people=people,
            resampling=Resampling(n_resamples=settings.audit.n_resamples),
        ),
        lacking=list_lacking(prepared.assignments),
        excluded=count_excluded(prepared.assignments),
    )


def _record(name: str, judges: OpenJudges, families: Mapping[str, str]) -> JudgeRecord:
    given = judges.given[name]
    if name not in judges.models:
        rule = JUDGES[given.partition("/")[0]].rule
        return JudgeRecord(name, given, family="", rule=rule, description={}, id="")
    description = judges.models[name].describe()
    return JudgeRecord(
        name,
        given,
        family=families[name],
        rule="",
        description=description,
        id=make_model_id(description),
    )


def _count_statuses(table: pl.DataFrame) -> tuple[StatusCount, ...]:
    """Count answers by model, once whatever the number of judges, and grades by judge."""
    answers = table.filter(
        (pl.col("probe") == Probe.NONE.value) & (pl.col("judge") == pl.col("judge").first())
    ).select(
        pl.col("model").alias("who"),
        pl.lit("answers").alias("what"),
        pl.col("answer_status").alias("status"),
        pl.when(pl.col("answer_status") == "ok")
        .then(pl.lit(""))
        .otherwise(pl.col("reason").str.strip_prefix("answer_"))
        .alias("reason"),
    )
    grades = table.filter(pl.col("answer_status") == "ok").select(
        pl.col("judge").alias("who"), pl.lit("grades").alias("what"), "status", "reason"
    )
    counted = (
        pl.concat([answers, grades])
        .group_by("who", "what", "status", "reason", maintain_order=True)
        .len("n")
    )
    return tuple(StatusCount(**row) for row in counted.iter_rows(named=True))
