"""Runs whose answers are written by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from video_oasis.audit import LoadedBenchmark, PreparedAudit
from video_oasis.benchmarks.interface import Contents
from video_oasis.config import AuditSettings, BenchmarkEntry, GrounderEntry
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.evaluation.runs import AnsweredRun
from video_oasis.plan import Assignment
from video_oasis.schema import LONG_TABLE_COLUMNS, Answer, Request, Sample
from video_oasis.trials import Trials

MakeRun = Callable[..., AnsweredRun]
Write = Callable[..., Path]


def _say_nothing(_request: Request, _draw: int) -> Answer:
    return Answer("")


@pytest.fixture
def make_run(scripted_model: Any) -> MakeRun:
    """Make a run from samples and what each model picked under one diagnostic."""

    def make(
        name: str,
        samples: Sequence[Sample],
        picks: Mapping[str, Sequence[int]],
        *,
        max_frames: int = 128,
        temperature: float = 0.0,
        diagnostic: str = "standard",
        grounder: str = "",
    ) -> AnsweredRun:
        settings = AuditSettings(
            diagnostics=(diagnostic,),
            frames=FrameSettings(max_frames=max_frames),
            grounder=GrounderEntry(grounder) if grounder else None,
        )
        benchmark = samples[0].benchmark
        contents = Contents(benchmark, "general", tuple(samples), (), ())
        loaded = LoadedBenchmark(BenchmarkEntry(Path("x")), contents, tuple(samples), {}, None)
        assignments = tuple(
            Assignment(
                benchmark=benchmark,
                diagnostic=diagnostic,
                model=scripted_model(_say_nothing, name=model),
                model_name=model,
                model_id=f"model1-{model}-{temperature}",
                description={"name": model, "temperature": temperature},
                trials=Trials(()),
                n_draws=1,
            )
            for model in picks
        )
        rows = [
            {
                "benchmark": benchmark,
                "sample_id": sample.id,
                "video": sample.video.path,
                "task": sample.task,
                "diagnostic": diagnostic,
                "part": 0,
                "rotation": 0,
                "model": model,
                "draw": 0,
                "request": "request",
                "status": "ok",
                "reason": "",
                "prediction": pick,
                "correct": sample.is_correct(pick),
                "target_probability": None,
                "n_choices": len(sample.choices),
            }
            for model, its in picks.items()
            for sample, pick in zip(samples, its, strict=True)
        ]
        schema = {name: getattr(pl, kind) for name, kind in LONG_TABLE_COLUMNS.items()}
        return AnsweredRun(
            name=name,
            audit=PreparedAudit(settings, (loaded,), assignments, {}),
            assignments=assignments,
            table=pl.DataFrame(rows, schema=schema),
            durations_seconds={(benchmark, sample.id): 30.0 for sample in samples},
        )

    return make


@pytest.fixture
def four(make_sample: Callable[..., Sample]) -> list[Sample]:
    """Four samples whose right choice is 1."""
    return [make_sample(id=f"s{number}") for number in range(4)]


@pytest.fixture
def write_set(tmp_path: Path) -> Write:
    """Write a distilled set with these corrected targets by sample; the rest has none."""

    def write(
        name: str,
        kept: dict[str, int | None],
        dropped: dict[str, int | None],
        *,
        reasons: dict[str, list[str]] | None = None,
        **origin: Any,
    ) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        for fate, its in {"kept": kept, "dropped": dropped, "undecided": {}}.items():
            rows = [
                {
                    "benchmark": "bench",
                    "sample_id": sample,
                    "corrected_target": target,
                    "reasons": (reasons or {}).get(sample, []),
                }
                for sample, target in its.items()
            ]
            (folder / f"{fate}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        (folder / "origin.json").write_text(json.dumps(origin))
        return folder

    return write
