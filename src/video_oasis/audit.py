"""One audit from settings to report: load, plan, ask, tabulate, summarise."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grid import arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Benchmark, Contents
from video_oasis.benchmarks.loading import load, read_contents
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, plain_settings
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.errors import SettingsError
from video_oasis.hashing import content_id
from video_oasis.models import open_model
from video_oasis.models.interface import Model
from video_oasis.plan import Assignment, make_plan
from video_oasis.report.document import AuditReport, BenchmarkRows, ModelFinding, ModelRecord
from video_oasis.schema import Sample
from video_oasis.store import Store
from video_oasis.table import make_long_table


@dataclass(frozen=True, slots=True)
class LoadedBenchmark:
    """A benchmark as an audit uses it.

    Attributes:
        entry: how the settings name it.
        contents: all its rows.
        samples: the samples of the audit, in published order.
        guessed: what was guessed of the columns of a user's own file.
    """

    entry: BenchmarkEntry
    contents: Contents
    samples: tuple[Sample, ...]
    guessed: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PreparedAudit:
    """An audit whose files are read and whose questions are planned.

    Attributes:
        settings: the settings.
        benchmarks: the benchmarks.
        assignments: the plan.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    assignments: tuple[Assignment, ...]


def read_entry(entry: BenchmarkEntry) -> tuple[Contents, Mapping[str, str]]:
    """Read all rows of a benchmark, whatever is wrong with them.

    Returns:
        The rows, and what was guessed of the columns of a user's own file.

    Raises:
        BenchmarkError: a file cannot be read at all.
    """
    benchmark, guessed = _open_benchmark(entry)
    return read_contents(benchmark, entry.path), guessed


def prepare(settings: AuditSettings) -> PreparedAudit:
    """Load the benchmarks and plan what has to be asked; nothing is asked or written.

    Raises:
        UserError: something in the settings or the files is wrong.
    """
    if not settings.benchmarks:
        raise SettingsError(
            "no benchmark to audit; give NAME=PATH for a known one or the PATH of your own file"
        )
    diagnostics = [DIAGNOSTICS[name] for name in settings.diagnostics]
    models = _open_models(settings.models)
    benchmarks = tuple(_load(entry, settings) for entry in settings.benchmarks)
    names = [loaded.contents.benchmark for loaded in benchmarks]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(
                f"two benchmarks are called {name!r}; give one of them another name in its mapping"
            )
    return PreparedAudit(
        settings=settings,
        benchmarks=benchmarks,
        assignments=make_plan(
            [sample for loaded in benchmarks for sample in loaded.samples],
            diagnostics,
            models,
            n_draws=settings.n_draws,
        ),
    )


def make_report(audit: PreparedAudit, store: Store) -> AuditReport:
    """Make a report from the answers there are; what is missing is counted as missing."""
    table = make_long_table(audit.assignments, store)
    summary = summarise(
        table,
        groups={loaded.contents.benchmark: loaded.contents.group for loaded in audit.benchmarks},
        resampling=Resampling(n_resamples=audit.settings.n_resamples),
    )
    return AuditReport(
        version=version("video-oasis"),
        settings=plain_settings(audit.settings),
        rows=tuple(_record_rows(loaded) for loaded in audit.benchmarks),
        models=_record_models(audit.assignments),
        summary=summary,
        findings=_collect_findings(audit.assignments, store),
        samples=list_samples(arrange(table).only(summary.tests)),
    )


def _open_benchmark(entry: BenchmarkEntry) -> tuple[Benchmark, Mapping[str, str]]:
    if entry.name:
        return BENCHMARKS[entry.name], {}
    own = own_benchmark(entry.path, entry.columns)
    return own.benchmark, own.guessed


def _open_models(entries: tuple[ModelEntry, ...]) -> dict[str, Model]:
    models: dict[str, Model] = {}
    for entry in entries:
        model = open_model(entry.model, entry.settings)
        name = entry.name or model.name
        if name in models:
            raise SettingsError(
                f"two models are called {name!r}; give one of them another name in a settings "
                f'file: name = "..." under [[models]]'
            )
        models[name] = model
    return models


def _load(entry: BenchmarkEntry, settings: AuditSettings) -> LoadedBenchmark:
    benchmark, guessed = _open_benchmark(entry)
    contents = load(benchmark, entry.path, skip_bad=settings.skip_bad)
    return LoadedBenchmark(
        entry=entry,
        contents=contents,
        samples=_choose(contents.samples, settings.limit),
        guessed=guessed,
    )


def _choose(samples: tuple[Sample, ...], limit: int | None) -> tuple[Sample, ...]:
    if limit is None or limit >= len(samples):
        return samples
    by_hash = sorted(sample.id for sample in samples)
    by_hash.sort(key=lambda sample_id: content_id("limit1", sample_id))
    chosen = set(by_hash[:limit])
    return tuple(sample for sample in samples if sample.id in chosen)


def _record_rows(loaded: LoadedBenchmark) -> BenchmarkRows:
    contents = loaded.contents
    return BenchmarkRows(
        benchmark=contents.benchmark,
        group=contents.group,
        path=str(loaded.entry.path),
        n_rows=len(contents.samples) + len(contents.open_questions) + len(contents.bad_rows),
        n_samples=len(contents.samples),
        n_audited=len(loaded.samples),
        n_open_questions=len(contents.open_questions),
        bad_rows=tuple(map(str, contents.bad_rows)),
    )


def _record_models(assignments: tuple[Assignment, ...]) -> tuple[ModelRecord, ...]:
    by_name: dict[str, list[Assignment]] = {}
    for assignment in assignments:
        by_name.setdefault(assignment.model_name, []).append(assignment)
    return tuple(
        ModelRecord(
            name=name,
            description={
                key: value for key, value in its[0].description.items() if key != "trials"
            },
            ids=tuple(dict.fromkeys(assignment.model_id for assignment in its)),
        )
        for name, its in by_name.items()
    )


def _collect_findings(
    assignments: tuple[Assignment, ...], store: Store
) -> tuple[ModelFinding, ...]:
    findings = [
        ModelFinding(diagnostic=assignment.diagnostic, model=assignment.model_name, **finding)
        for assignment in assignments
        for finding in store.findings(assignment.model_id)
    ]
    findings.sort(
        key=lambda finding: (
            finding.benchmark,
            finding.diagnostic,
            finding.task,
            finding.model,
            -finding.effect,
        )
    )
    return tuple(findings)
