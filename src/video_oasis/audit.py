"""One audit from settings to plan: load the benchmarks, open the models, plan what to ask."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from video_oasis.analysis.consensus import choose_threshold
from video_oasis.analysis.dependence import REFERENCE
from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.generic import own_benchmark
from video_oasis.benchmarks.interface import Benchmark, Contents
from video_oasis.benchmarks.loading import load, load_open, read_contents
from video_oasis.config import AuditSettings, BenchmarkEntry, ModelEntry, Role
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.eighths import take_eighths
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Diagnostic, Need
from video_oasis.diagnostics.open_form import ask_openly
from video_oasis.embeddings.encoders import open_encoder
from video_oasis.embeddings.encoders.interface import Encoder
from video_oasis.errors import SettingsError
from video_oasis.evidence.prepared import Prepared
from video_oasis.evidence.wanted import TimelineKey, list_wanted
from video_oasis.hashing import content_id
from video_oasis.media.sampling import Sampling
from video_oasis.models import open_model
from video_oasis.models.interface import AskedModel, FittedModel, Model
from video_oasis.models.settings import Output
from video_oasis.plan import Assignment, check_models, list_skipped, make_plan
from video_oasis.schema import Sample
from video_oasis.speech.recognisers import open_recogniser
from video_oasis.speech.recognisers.interface import Recogniser
from video_oasis.store import make_model_id


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
        grounder: what ranks frames; None if none is needed.
        wanted: the timelines that are needed.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    diagnostics: tuple[Diagnostic, ...]
    models: Mapping[str, Model]
    recogniser: Recogniser | None
    captioner: tuple[str, AskedModel] | None
    grounder: Encoder | None
    wanted: Mapping[TimelineKey, Sampling]

    @property
    def samples(self) -> list[Sample]:
        """The samples of all benchmarks."""
        return [sample for loaded in self.benchmarks for sample in loaded.samples]

    def with_role(self, role: Role) -> dict[str, Model]:
        """Return the models that the audit has for this."""
        entries = zip(self.models.items(), self.settings.models, strict=True)
        return {name: model for (name, model), entry in entries if entry.role is role}

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
        spares: the models that are asked under the tests and have no vote.
        validators: the models that take no part in the tests.
    """

    settings: AuditSettings
    benchmarks: tuple[LoadedBenchmark, ...]
    assignments: tuple[Assignment, ...]
    skipped: Mapping[str, tuple[str, ...]]
    spares: frozenset[str] = frozenset()
    validators: frozenset[str] = frozenset()

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


def load_samples(settings: AuditSettings) -> list[Sample]:
    """Load every sample of the benchmarks, whatever the audit's limit.

    Raises:
        UserError: a benchmark cannot be read.
    """
    loaded = (_load(entry, settings, openly=False) for entry in settings.benchmarks)
    return [sample for each in loaded for sample in each.contents.samples]


def open_audit(settings: AuditSettings, *, openly: bool = False) -> OpenAudit:
    """Load the benchmarks and list what their videos are needed for; nothing is written.

    Args:
        settings: the settings.
        openly: ask the benchmarks' open questions, to be answered in words, and leave out those
            with choices; the samples are then as ``OpenQuestion.as_sample`` makes them.

    Raises:
        UserError: something in the settings or the files is wrong.
    """
    if not settings.benchmarks:
        raise SettingsError(
            "no benchmark to audit; give NAME=PATH for a known one or the PATH of your own file"
        )
    diagnostics = tuple(DIAGNOSTICS[name] for name in settings.diagnostics)
    if openly:
        diagnostics = tuple(map(ask_openly, diagnostics))
    models = open_models(settings.models)
    _check_roles(settings, diagnostics, models)
    benchmarks = tuple(_load(entry, settings, openly=openly) for entry in settings.benchmarks)
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
        grounder=_open_grounder(settings, diagnostics),
        wanted=wanted,
    )


def _check_roles(
    settings: AuditSettings, diagnostics: Sequence[Diagnostic], models: Mapping[str, Model]
) -> None:
    """Check that the voters can take every test, and that validators are asked ``standard``."""
    roles = dict(zip(models, (entry.role for entry in settings.models), strict=True))
    voters = {name: model for name, model in models.items() if roles[name] is Role.VOTER}
    if not voters:
        raise SettingsError("no model has a vote; name one with --model")
    check_models([each for each in diagnostics if each.axis is not Axis.REFERENCE], voters)
    check_models(diagnostics, models)
    validators = [name for name in models if roles[name] is Role.VALIDATOR]
    standard = [each for each in diagnostics if each.name == REFERENCE]
    skipped = list_skipped(standard, models)
    idle = [name for name in validators if not standard or name in skipped]
    if idle:
        raise SettingsError(
            f"validator {', '.join(idle)}: nothing to ask it; a validator is shown the video as "
            f"usual, so add --diagnostic {REFERENCE}, and name a chat model that sees"
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
    ((name, model),) = open_models((settings.captioner,)).items()
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


def _open_grounder(settings: AuditSettings, diagnostics: Sequence[Diagnostic]) -> Encoder | None:
    ranking = [each.name for each in diagnostics if each.ranks_frames]
    if not ranking:
        return None
    if settings.grounder is None:
        raise SettingsError(
            f"diagnostic {', '.join(ranking)}: needs to know how relevant each frame is to the "
            f"question; name an encoder that says so with --grounder, such as "
            f"open_clip/ViT-B-32:openai"
        )
    return open_encoder(settings.grounder.encoder, settings.grounder.settings)


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
            validators=audit.with_role(Role.VALIDATOR),
            n_draws=audit.settings.n_draws,
            n_rotations=audit.settings.n_rotations,
        ),
        skipped=list_skipped(audit.diagnostics, audit.models),
        spares=frozenset(audit.with_role(Role.SPARE)),
        validators=frozenset(audit.with_role(Role.VALIDATOR)),
    )


def _check_threshold(audit: OpenAudit) -> None:
    tests = [each for each in audit.diagnostics if each.is_test]
    voters = audit.with_role(Role.VOTER)
    skipped = list_skipped(tests, voters)
    choose_threshold(
        audit.settings.threshold,
        [sum(test.name not in skipped.get(model, ()) for model in voters) for test in tests],
    )


def _open_benchmark(entry: BenchmarkEntry) -> tuple[Benchmark, Mapping[str, str]]:
    if entry.name:
        return BENCHMARKS[entry.name], {}
    own = own_benchmark(entry.path, entry.columns)
    return own.benchmark, own.guessed


def open_models(entries: tuple[ModelEntry, ...], head: str = "[[models]]") -> dict[str, Model]:
    """Open models, each under a name of its own.

    Args:
        entries: the models.
        head: the head of their tables in a settings file, for messages.

    Raises:
        SettingsError: two have one name, or are one model.
    """
    models: dict[str, Model] = {}
    named: dict[str, str] = {}
    for entry in entries:
        model = open_model(entry.model, entry.settings)
        name = entry.name or model.name
        if name in models:
            raise SettingsError(
                f"two models are called {name!r}; give one of them another name in a settings "
                f'file: name = "..." under {head}'
            )
        same = named.setdefault(_identify(model), name)
        if same != name:
            raise SettingsError(
                f"models {same!r} and {name!r} are one: nothing that changes answers differs, so "
                f"they would count as two votes of one model. Leave one out, or state what differs "
                f"with revision under {head}"
            )
        models[name] = model
    return models


def only_asked(models: Mapping[str, Model], refusal: str) -> dict[str, AskedModel]:
    """Return the models if they can be asked anything; those that learn or match cannot.

    Args:
        models: the models by the name they are shown under.
        refusal: what others cannot do, and what is expected instead, for the message.

    Raises:
        SettingsError: one of them cannot.
    """
    asked = {}
    for name, model in models.items():
        if not isinstance(model, AskedModel):
            raise SettingsError(f"model {name}: {refusal}")
        asked[name] = model
    return asked


def _identify(model: Model) -> str:
    description = model.describe(()) if isinstance(model, FittedModel) else model.describe()
    return make_model_id(description)


def _load(entry: BenchmarkEntry, settings: AuditSettings, *, openly: bool) -> LoadedBenchmark:
    benchmark, guessed = _open_benchmark(entry)
    contents = (load_open if openly else load)(benchmark, entry.path, skip_bad=settings.skip_bad)
    samples = (
        tuple(question.as_sample() for question in contents.open_questions)
        if openly
        else contents.samples
    )
    return LoadedBenchmark(
        entry=entry,
        contents=contents,
        samples=_choose(samples, settings.limit),
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
