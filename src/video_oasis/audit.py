"""One audit from settings to report: load, look at the videos, plan, tabulate, summarise."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import choose_threshold
from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Benchmark, Contents
from video_oasis.benchmarks.loading import load, read_contents
from video_oasis.config import (
    AskingPlan,
    AuditSettings,
    BenchmarkEntry,
    ModelEntry,
    plain_settings,
)
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.eighths import take_eighths
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Diagnostic, Need
from video_oasis.distil.decide import distil
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import TimelineKey, list_wanted
from video_oasis.hashing import content_id
from video_oasis.lazy.left_out import Saving, count_savings, find_left_out, mark_not_needed
from video_oasis.media.frames import MediaFailure
from video_oasis.media.sampling import Sampling
from video_oasis.models import open_model
from video_oasis.models.interface import AskedModel, FittedModel, MatchingModel, Model
from video_oasis.models.settings import Output
from video_oasis.plan import Assignment, check_models, list_skipped, make_plan
from video_oasis.report.document import (
    AuditReport,
    BenchmarkRows,
    CutCount,
    ExcludedCount,
    LackingVideo,
    ModelFinding,
    ModelRecord,
)
from video_oasis.sample_views import count_fates, view_samples
from video_oasis.schema import NOTE_TEXT_CUT, Sample
from video_oasis.speech.recognisers import open_recogniser
from video_oasis.speech.recognisers.interface import Recogniser
from video_oasis.store import Store, make_model_id
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
        recogniser: what makes transcripts; None if nothing does, or none is needed.
        captioner: the model that makes captions, and the name it is shown under; None if none is
            needed.
        wanted: the timelines that are needed.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    diagnostics: tuple[Diagnostic, ...]
    models: Mapping[str, Model]
    recogniser: Recogniser | None
    captioner: tuple[str, AskedModel] | None
    wanted: Mapping[TimelineKey, Sampling]

    @property
    def samples(self) -> list[Sample]:
        """The samples of all benchmarks."""
        return [sample for loaded in self.benchmarks for sample in loaded.samples]

    def needs(self, need: Need) -> bool:
        """Tell whether a diagnostic needs this."""
        return any(diagnostic.need is need for diagnostic in self.diagnostics)


@dataclass(frozen=True, slots=True)
class PreparedAudit:
    """An audit whose questions are planned.

    Attributes:
        settings: the settings.
        benchmarks: the benchmarks.
        assignments: the plan.
        skipped: for each model the diagnostics it is not asked, as it cannot take what they show.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    assignments: tuple[Assignment, ...]
    skipped: Mapping[str, tuple[str, ...]]

    @property
    def samples(self) -> list[Sample]:
        """The samples of all benchmarks."""
        return [sample for loaded in self.benchmarks for sample in loaded.samples]

    @property
    def tests(self) -> list[str]:
        """The diagnostics whose verdicts make up the union."""
        named = dict.fromkeys(each.diagnostic for each in self.assignments)
        return [name for name in named if DIAGNOSTICS[name].is_test]


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
    captioner = _open_captioner(settings, diagnostics, benchmarks)
    wanted: dict[TimelineKey, Sampling] = {}
    for loaded in benchmarks:
        _check_video_column(loaded, diagnostics)
        takers = [each.sampling for each in diagnostics if each.sampling is not None]
        if captioner is not None and loaded.entry.captions is None:
            takers.append(_take_chunks)
        wanted |= list_wanted(loaded.samples, takers, settings.frames)
        _check_sources(loaded, settings, diagnostics, sees=bool(takers))
    return OpenAudit(
        settings=settings,
        benchmarks=benchmarks,
        diagnostics=diagnostics,
        models=models,
        recogniser=_open_recogniser(settings, diagnostics),
        captioner=captioner,
        wanted=wanted,
    )


def _take_chunks(sample: Sample, settings: FrameSettings) -> Sampling:
    return take_eighths(sample.video, settings)


def _open_recogniser(
    settings: AuditSettings, diagnostics: Sequence[Diagnostic]
) -> Recogniser | None:
    entry = settings.recogniser
    if entry is None or not any(each.need is Need.SPEECH for each in diagnostics):
        return None
    return open_recogniser(entry.recogniser, entry.settings)


def _open_captioner(
    settings: AuditSettings,
    diagnostics: Sequence[Diagnostic],
    benchmarks: Sequence[LoadedBenchmark],
) -> tuple[str, AskedModel] | None:
    named = [each.name for each in diagnostics if each.need is Need.CAPTIONS]
    lacking = [each.contents.benchmark for each in benchmarks if each.entry.captions is None]
    if not named or not lacking:
        return None
    if settings.captioner is None:
        raise SettingsError(
            f"{', '.join(lacking)}: diagnostic {', '.join(named)} needs captions; name a model "
            f"that makes them with --captioner, or give a file of them with --captions"
        )
    ((name, model),) = _open_models((settings.captioner,)).items()
    if settings.captioner.settings.output is not Output.TEXT:
        raise SettingsError(
            f"captioner {name}: output is {settings.captioner.settings.output}; a description is "
            f"text, so leave output out"
        )
    if not isinstance(model, AskedModel) or model.max_frames == 0:
        raise SettingsError(
            f"captioner {name}: expected a chat model that sees, such as "
            f"openai/MODEL@http://localhost:8000/v1"
        )
    return name, model


def _check_video_column(loaded: LoadedBenchmark, diagnostics: Sequence[Diagnostic]) -> None:
    entry = loaded.entry
    shown = [each.name for each in diagnostics if each.sampling or each.need]
    if shown and not (entry.name or entry.columns.video or "video" in loaded.guessed):
        raise SettingsError(
            f"{entry.path}: diagnostic {', '.join(shown)} needs to know which video a question is "
            f"about, and no column says so; name it with --map video=COLUMN"
        )


def _check_sources(
    loaded: LoadedBenchmark,
    settings: AuditSettings,
    diagnostics: Sequence[Diagnostic],
    *,
    sees: bool,
) -> None:
    """Check that everything the diagnostics need of a benchmark's videos has a source."""
    name, entry = loaded.contents.benchmark, loaded.entry
    hears = [each.name for each in diagnostics if each.need is Need.SPEECH]
    if hears and entry.transcripts is None and settings.recogniser is None:
        raise SettingsError(
            f"{name}: diagnostic {', '.join(hears)} needs to know what is said; give a folder of "
            f"transcripts or subtitles with --transcripts DIR, or what makes them with "
            f"--recogniser, such as whisper/base"
        )
    if entry.videos is None and (sees or (hears and settings.recogniser is not None)):
        shown = [each.name for each in diagnostics if each.sampling or each.need]
        raise SettingsError(
            f"{name}: diagnostic {', '.join(shown)} needs the videos, and no folder of them is "
            f"given; give it with --videos DIR, or as videos under [[benchmarks]] in a settings "
            f"file"
        )


def plan_audit(audit: OpenAudit, prepared: Prepared) -> PreparedAudit:
    """Plan what has to be asked, from what was made of the videos.

    Raises:
        SettingsError: the settings' threshold is more than the models of any test.
    """
    _check_threshold(audit)
    return PreparedAudit(
        settings=audit.settings,
        benchmarks=audit.benchmarks,
        assignments=make_plan(
            audit.samples,
            audit.diagnostics,
            audit.models,
            prepared=prepared,
            frames=audit.settings.frames,
            n_draws=audit.settings.n_draws,
        ),
        skipped=list_skipped(audit.diagnostics, audit.models),
    )


def _check_threshold(audit: OpenAudit) -> None:
    tests = [each for each in audit.diagnostics if each.is_test]
    skipped = list_skipped(tests, audit.models)
    choose_threshold(
        audit.settings.threshold,
        [sum(test.name not in skipped.get(model, ()) for model in audit.models) for test in tests],
    )


def make_report(audit: PreparedAudit, store: Store) -> AuditReport:
    """Make a report from the answers there are; what is missing is counted as missing."""
    table = make_long_table(audit.assignments, store)
    grid = arrange(table)
    tests = list_tests(grid)
    savings: tuple[Saving, ...] = ()
    if audit.settings.plan is AskingPlan.LAZY:
        left_out = find_left_out(table, grid.only(tests), audit.settings.threshold)
        table = mark_not_needed(table, left_out)
        savings = count_savings(left_out, fitted=_list_fitted(audit.assignments))
    samples = {(sample.benchmark, sample.id): sample for sample in audit.samples}
    summary = summarise(
        table,
        groups={loaded.contents.benchmark: loaded.contents.group for loaded in audit.benchmarks},
        tests=tests,
        is_partial=audit.settings.plan is AskingPlan.LAZY,
        texts={key: (sample.question, sample.choices) for key, sample in samples.items()},
        resampling=Resampling(n_resamples=audit.settings.n_resamples),
    )
    n_models = count_test_models(grid, tests).values()
    threshold = audit.settings.threshold or max(n_models, default=1)
    decided = distil(samples.values(), grid.only(tests), threshold)
    return AuditReport(
        version=version("video-oasis"),
        settings=plain_settings(audit.settings),
        rows=tuple(_record_rows(loaded) for loaded in audit.benchmarks),
        models=_record_models(audit.assignments),
        summary=summary,
        findings=_collect_findings(audit.assignments, store),
        samples=list_samples(grid.only(set(grid.tests) - grid.parted)),
        lacking=list_lacking(audit.assignments),
        excluded=_count_excluded(audit.assignments),
        cut=_count_cut(audit.assignments, store),
        skipped=audit.skipped,
        threshold=threshold,
        fates=count_fates(decided, audit.assignments),
        views=view_samples(samples, decided, summary.queue, audit.assignments, table),
        savings=savings,
    )


def _list_fitted(assignments: tuple[Assignment, ...]) -> set[str]:
    return {each.model_name for each in assignments if isinstance(each.model, FittedModel)}


def list_tests(grid: AnswerGrid) -> list[str]:
    """Return the diagnostics whose verdicts make up the union."""
    return [name for name in grid.tests if DIAGNOSTICS[name].is_test]


def count_test_models(grid: AnswerGrid, tests: Iterable[str]) -> dict[str, int]:
    """Return the number of models of each test."""
    return {name: grid.tests[name].stop - grid.tests[name].start for name in tests}


def list_lacking(assignments: tuple[Assignment, ...]) -> tuple[LackingVideo, ...]:
    """List what each video lacks, once, with the samples that a model could not be asked about."""
    samples: dict[tuple[str, str, str, MediaFailure], dict[str, None]] = {}
    for assignment in assignments:
        for unshown in assignment.trials.unshown:
            if unshown.failure is not None:
                path = unshown.sample.video.path
                key = (assignment.benchmark, path, unshown.what, unshown.failure)
                samples.setdefault(key, {})[unshown.sample.id] = None
    return tuple(
        LackingVideo(benchmark, path, f"{what}_{failure.kind}", failure.message, tuple(its_samples))
        for (benchmark, path, what, failure), its_samples in samples.items()
    )


def _count_excluded(assignments: tuple[Assignment, ...]) -> tuple[ExcludedCount, ...]:
    return tuple(
        ExcludedCount(
            assignment.benchmark, assignment.diagnostic, assignment.model_name, reason, n_samples
        )
        for assignment in assignments
        for reason, n_samples in Counter(
            excluded.reason for excluded in assignment.trials.excluded
        ).items()
    )


def _count_cut(assignments: tuple[Assignment, ...], store: Store) -> tuple[CutCount, ...]:
    """Count samples whose text was cut: by our limit, or by the model that read it."""
    return tuple(
        CutCount(assignment.benchmark, assignment.diagnostic, assignment.model_name, n_samples)
        for assignment in assignments
        if (n_samples := _count_cut_of(assignment, store))
    )


def _count_cut_of(assignment: Assignment, store: Store) -> int:
    if not isinstance(assignment.model, MatchingModel):
        return len(assignment.trials.cut)
    answers = store.answers(assignment.model_id)
    keys = {assignment.key(trial, 0) for trial in assignment.trials.asked}
    return sum(answers[key].note == NOTE_TEXT_CUT for key in keys & answers.keys())


def _open_benchmark(entry: BenchmarkEntry) -> tuple[Benchmark, Mapping[str, str]]:
    if entry.name:
        return BENCHMARKS[entry.name], {}
    own = own_benchmark(entry.path, entry.columns)
    return own.benchmark, own.guessed


def _open_models(entries: tuple[ModelEntry, ...]) -> dict[str, Model]:
    models: dict[str, Model] = {}
    named: dict[str, str] = {}
    for entry in entries:
        model = open_model(entry.model, entry.settings)
        name = entry.name or model.name
        if name in models:
            raise SettingsError(
                f"two models are called {name!r}; give one of them another name in a settings "
                f'file: name = "..." under [[models]]'
            )
        same = named.setdefault(_identify(model), name)
        if same != name:
            raise SettingsError(
                f"models {same!r} and {name!r} are one: nothing that changes answers differs, so "
                f"they would count as two votes of one model. Leave one out, or state what differs "
                f"with revision under [[models]]"
            )
        models[name] = model
    return models


def _identify(model: Model) -> str:
    description = model.describe(()) if isinstance(model, FittedModel) else model.describe()
    return make_model_id(description)


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
