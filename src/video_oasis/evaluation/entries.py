"""Makes the entries of a leaderboard from the answers about a set."""

from collections.abc import Collection
from dataclasses import fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow, measure_accuracy
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.frames import read_rows
from video_oasis.analysis.grid import arrange
from video_oasis.errors import SettingsError
from video_oasis.evaluation.contenders import Gathered
from video_oasis.evaluation.sets import EvaluatedSet
from video_oasis.hashing import content_id
from video_oasis.leaderboard.entry import SHARE_DIGITS, Entry, Score
from video_oasis.report.evaluation.document import Contender
from video_oasis.report.numbers import write_several

_ANSWER = (
    "benchmark",
    "sample_id",
    "part",
    "rotation",
    "draw",
    "request",
    "status",
    "prediction",
)


def make_entries(
    gathered: Gathered, evaluated: EvaluatedSet, *, models: Collection[str]
) -> tuple[Entry, ...]:
    """Make one entry for each contender that is one of these models.

    Every entry is made by the same resamples, so that anyone gets the same intervals.

    Raises:
        SettingsError: answers of a contender are missing, or it was asked about a part of the set.
    """
    rows = read_rows(
        AccuracyRow, measure_accuracy(arrange(evaluated.table), resampling=Resampling())
    )
    return tuple(
        _make_entry(contender, evaluated, [row for row in rows if row.model == contender.label])
        for contender in gathered.contenders
        if contender.model in models
    )


def _make_entry(contender: Contender, evaluated: EvaluatedSet, rows: list[AccuracyRow]) -> Entry:
    by_level = {row.level: row for row in rows}
    record = evaluated.record
    pooled = by_level.get(Level.POOLED.value)
    if pooled is None or pooled.n_missing or pooled.n_samples < record.n_samples:
        n_missing = 0 if pooled is None else pooled.n_missing
        n_samples = 0 if pooled is None else pooled.n_samples
        raise SettingsError(
            f"{contender.label}: asked about {n_samples} of the {record.n_samples} samples of "
            f"{record.name}, with {write_several(n_missing, 'answer')} missing; an entry needs "
            f"all, so ask the rest with 'oasis run'"
        )
    answers = (
        evaluated.table.filter(pl.col("model") == contender.label).select(_ANSWER).sort(_ANSWER)
    )
    mean = by_level[Level.MACRO.value].accuracy
    return Entry(
        model=contender.model,
        model_ids=contender.ids,
        description=contender.description,
        protocol=contender.protocol,
        max_frames=contender.max_frames,
        # Of a folder only its own name: where it lies means nothing to others.
        set_name=Path(record.name).resolve().name,
        set_id=record.id,
        answers=content_id("read1", [list(row) for row in answers.iter_rows()]),
        overall=_score(pooled),
        mean_of_benchmarks=_round(mean),
        benchmarks={row.benchmark: _score(row) for row in rows if row.level == Level.BENCHMARK},
        version=version("video-oasis"),
    )


def _score(row: AccuracyRow) -> Score:
    values: dict[str, Any] = {each.name: getattr(row, each.name) for each in fields(Score)}
    return Score(**{name: _round(value) for name, value in values.items()})


def _round(value: Any) -> Any:
    return round(value, SHARE_DIGITS) if isinstance(value, float) else value
