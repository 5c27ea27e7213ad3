"""What a report is made from: everything one audit found, as plain frozen data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import polars as pl

from video_oasis.analysis.summary import AuditSummary


@dataclass(frozen=True, slots=True)
class BenchmarkRows:
    """What became of the rows of one benchmark's files.

    Attributes:
        benchmark: the benchmark.
        group: its group.
        path: where its files lie.
        n_rows: rows of the files.
        n_samples: multiple-choice questions among them.
        n_audited: samples of this audit; fewer than ``n_samples`` where it has a limit.
        n_open_questions: questions without choices.
        bad_rows: the rows left out because they cannot be read, each in one line.
    """

    benchmark: str
    group: str
    path: str
    n_rows: int
    n_samples: int
    n_audited: int
    n_open_questions: int
    bad_rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """What a model is.

    Attributes:
        name: the name it is shown under.
        description: all that its id is made from, but for the samples a fitted model saw.
        ids: its ids; a fitted model has one for each benchmark and diagnostic.
    """

    name: str
    description: Mapping[str, Any]
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelFinding:
    """A feature by which a fitted model tells right choices from wrong ones.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic it was fitted under.
        task: the task.
        model: the model.
        feature: the feature in words.
        effect: how far it moves the model, comparable within one model and task.
    """

    benchmark: str
    diagnostic: str
    task: str
    model: str
    feature: str
    effect: float


@dataclass(frozen=True, slots=True)
class LackingVideo:
    """A video that lacks what some diagnostic shows of it.

    Attributes:
        benchmark: the benchmark.
        path: the video as the benchmark names it.
        reason: what is lacking and a constant word for why, such as ``video_truncated``.
        message: what was found and what to do.
        n_samples: samples concerned.
    """

    benchmark: str
    path: str
    reason: str
    message: str
    n_samples: int


@dataclass(frozen=True, slots=True)
class ExcludedCount:
    """Samples that one model was not asked under one diagnostic, as it says nothing about them.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        reason: a constant word for why.
        n_samples: how many.
    """

    benchmark: str
    diagnostic: str
    model: str
    reason: str
    n_samples: int


@dataclass(frozen=True, slots=True)
class CutCount:
    """Samples whose text a model is shown, or reads, only in part, because it is too long.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        n_samples: how many.
    """

    benchmark: str
    diagnostic: str
    model: str
    n_samples: int


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Everything a report shows.

    Attributes:
        version: version of this program.
        settings: the settings of the audit as resolved.
        rows: what became of the rows of each benchmark.
        models: the models.
        summary: the numbers.
        findings: what fitted models learned, strongest first within a model and task.
        samples: every sample under every diagnostic that asks once about it, with the columns of
            ``analysis.samples``.
        lacking: the videos that lack what a diagnostic shows of them.
        excluded: the samples that a diagnostic says nothing about.
        cut: the samples whose text is shown only in part.
        skipped: for each model the diagnostics it was not asked, as it cannot take what they show.
    """

    version: str
    settings: Mapping[str, Any]
    rows: tuple[BenchmarkRows, ...]
    models: tuple[ModelRecord, ...]
    summary: AuditSummary
    findings: tuple[ModelFinding, ...]
    samples: pl.DataFrame
    lacking: tuple[LackingVideo, ...]
    excluded: tuple[ExcludedCount, ...]
    cut: tuple[CutCount, ...]
    skipped: Mapping[str, tuple[str, ...]]

    def to_plain(self) -> dict[str, Any]:
        """Return all but the samples as nested dicts, lists and numbers that JSON can carry."""
        return {
            "version": self.version,
            "settings": dict(self.settings),
            "rows": [asdict(rows) for rows in self.rows],
            "models": [asdict(model) for model in self.models],
            "summary": self.summary.to_plain(),
            "findings": [asdict(finding) for finding in self.findings],
            "lacking": [asdict(video) for video in self.lacking],
            "excluded": [asdict(count) for count in self.excluded],
            "cut": [asdict(count) for count in self.cut],
            "skipped": {model: list(names) for model, names in self.skipped.items()},
        }
