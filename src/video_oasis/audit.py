"""One audit from settings to report: load, look at the videos, plan, tabulate, summarise."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Benchmark, Contents
from video_oasis.benchmarks.loading import load, read_contents
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, plain_settings
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Axis, Diagnostic
from video_oasis.errors import SettingsError
from video_oasis.evidence.timelines import BenchmarkVideos, prepare_timelines
from video_oasis.evidence.timelines import Listener as PrepareListener
from video_oasis.evidence.wanted import TimelineKey, Timelines, list_wanted
from video_oasis.hashing import content_id
from video_oasis.media.frames import MediaFailure
from video_oasis.media.locate import index_folder
from video_oasis.media.sampling import Sampling
from video_oasis.media.store import FrameStore
from video_oasis.media.workers import WorkerLimits
from video_oasis.models import open_model
from video_oasis.models.interface import Model
from video_oasis.plan import Assignment, check_models, list_skipped, make_plan
from video_oasis.report.document import (
    AuditReport,
    BenchmarkRows,
    DegenerateCount,
    ModelFinding,
    ModelRecord,
    UnusableVideo,
)
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
        images_fps: frames a second of videos that are folders of images; None if not known.
    """

    entry: BenchmarkEntry
    contents: Contents
    samples: tuple[Sample, ...]
    guessed: Mapping[str, str]
    images_fps: float | None


@dataclass(frozen=True, slots=True)
class OpenAudit:
    """An audit whose files are read; nothing has been looked at, decoded or asked.

    Attributes:
        settings: the settings.
        benchmarks: the benchmarks.
        diagnostics: the diagnostics.
        models: the models by the name they are shown under.
        wanted: the timelines that the diagnostics need.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    diagnostics: tuple[Diagnostic, ...]
    models: Mapping[str, Model]
    wanted: Mapping[TimelineKey, Sampling]

    @property
    def samples(self) -> list[Sample]:
        """The samples of all benchmarks."""
        return [sample for loaded in self.benchmarks for sample in loaded.samples]


@dataclass(frozen=True, slots=True)
class PreparedAudit:
    """An audit whose questions are planned.

    Attributes:
        settings: the settings.
        benchmarks: the benchmarks.
        assignments: the plan.
        skipped: for each model of text the diagnostics it is not asked.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    assignments: tuple[Assignment, ...]
    skipped: Mapping[str, tuple[str, ...]]


def read_entry(entry: BenchmarkEntry) -> tuple[Contents, Mapping[str, str]]:
    """Read all rows of a benchmark, whatever is wrong with them.

    Returns:
        The rows, and what was guessed of the columns of a user's own file.

    Raises:
        BenchmarkError: a file cannot be read at all.
    """
    benchmark, guessed = _open_benchmark(entry)
    return read_contents(benchmark, entry.path), guessed


def open_audit(settings: AuditSettings) -> OpenAudit:
    """Load the benchmarks and list what their videos are needed for; nothing is written.

    Raises:
        UserError: something in the settings or the files is wrong.
    """
    if not settings.benchmarks:
        raise SettingsError(
            "no benchmark to audit; give NAME=PATH for a known one or the PATH of your own file"
        )
    diagnostics = tuple(DIAGNOSTICS[name] for name in settings.diagnostics)
    models = _open_models(settings.models)
    check_models(diagnostics, models)
    benchmarks = tuple(_load(entry, settings) for entry in settings.benchmarks)
    names = [loaded.contents.benchmark for loaded in benchmarks]
    for name in names:
        if names.count(name) > 1:
            raise SettingsError(
                f"two benchmarks are called {name!r}; give one of them another name in its mapping"
            )
    shown = [diagnostic.name for diagnostic in diagnostics if diagnostic.sampling is not None]
    for loaded in benchmarks:
        if shown and loaded.entry.videos is None:
            raise SettingsError(
                f"{loaded.contents.benchmark}: diagnostic {', '.join(shown)} shows frames, and no "
                f"folder of videos is given; give it with --videos DIR, or as videos under "
                f"[[benchmarks]] in a settings file"
            )
    samples = [sample for loaded in benchmarks for sample in loaded.samples]
    return OpenAudit(
        settings=settings,
        benchmarks=benchmarks,
        diagnostics=diagnostics,
        models=models,
        wanted=list_wanted(samples, diagnostics, settings.frames),
    )


def prepare_videos(
    audit: OpenAudit, store: FrameStore, limits: WorkerLimits, listener: PrepareListener
) -> Timelines:
    """Find and decode the videos of an audit; nothing is done if no diagnostic shows frames.

    Raises:
        UserError: a folder of videos is not there, or the frames cannot be kept.
    """
    if not audit.wanted:
        return {}
    folders = {
        loaded.entry.videos: index_folder(loaded.entry.videos)
        for loaded in audit.benchmarks
        if loaded.entry.videos is not None
    }
    videos = {
        loaded.contents.benchmark: BenchmarkVideos(
            folder=folders[loaded.entry.videos],
            samples=loaded.contents.samples,
            images_fps=loaded.images_fps,
        )
        for loaded in audit.benchmarks
        if loaded.entry.videos is not None
    }
    return prepare_timelines(videos, audit.wanted, store, limits, listener=listener)


def plan_audit(audit: OpenAudit, timelines: Timelines) -> PreparedAudit:
    """Plan what has to be asked, from what came of the videos."""
    return PreparedAudit(
        settings=audit.settings,
        benchmarks=audit.benchmarks,
        assignments=make_plan(
            audit.samples,
            audit.diagnostics,
            audit.models,
            timelines=timelines,
            frames=audit.settings.frames,
            n_draws=audit.settings.n_draws,
        ),
        skipped=list_skipped(audit.diagnostics, audit.models),
    )


def make_report(audit: PreparedAudit, store: Store) -> AuditReport:
    """Make a report from the answers there are; what is missing is counted as missing."""
    table = make_long_table(audit.assignments, store)
    grid = arrange(table)
    summary = summarise(
        table,
        groups={loaded.contents.benchmark: loaded.contents.group for loaded in audit.benchmarks},
        tests=_list_tests(grid),
        resampling=Resampling(n_resamples=audit.settings.n_resamples),
    )
    return AuditReport(
        version=version("video-oasis"),
        settings=plain_settings(audit.settings),
        rows=tuple(_record_rows(loaded) for loaded in audit.benchmarks),
        models=_record_models(audit.assignments),
        summary=summary,
        findings=_collect_findings(audit.assignments, store),
        samples=list_samples(grid.only(set(grid.tests) - grid.parted)),
        unusable_videos=_list_unusable_videos(audit.assignments),
        degenerate=tuple(
            DegenerateCount(
                assignment.benchmark,
                assignment.diagnostic,
                assignment.model_name,
                len(assignment.trials.degenerate),
            )
            for assignment in audit.assignments
            if assignment.trials.degenerate
        ),
        skipped=audit.skipped,
    )


def _list_tests(grid: AnswerGrid) -> list[str]:
    """Return the diagnostics whose verdicts make up the union: all visual and temporal ones."""
    return [name for name in grid.tests if DIAGNOSTICS[name].axis in (Axis.VISUAL, Axis.TEMPORAL)]


def _list_unusable_videos(assignments: tuple[Assignment, ...]) -> tuple[UnusableVideo, ...]:
    """List each video's faults once, with the samples that any model could not be asked about."""
    samples: dict[tuple[str, str, MediaFailure], set[str]] = {}
    for assignment in assignments:
        for unshown in assignment.trials.unshown:
            if unshown.failure is not None:
                key = (assignment.benchmark, unshown.sample.video.path, unshown.failure)
                samples.setdefault(key, set()).add(unshown.sample.id)
    return tuple(
        UnusableVideo(benchmark, path, failure.kind, failure.message, len(its_samples))
        for (benchmark, path, failure), its_samples in samples.items()
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
        images_fps=benchmark.images_fps if entry.images_fps is None else entry.images_fps,
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
