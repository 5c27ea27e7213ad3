"""The settings of an audit: read from a TOML file, completed by flags, written into the run."""

import dataclasses
import inspect
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final, TypeVar

import tomli_w
from pydantic import TypeAdapter, ValidationError

from video_oasis.annotations.mapping import ColumnMapping, make_mapping, nearest
from video_oasis.benchmarks import BENCHMARKS
from video_oasis.changed_fields import changed_fields
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.embeddings.encoders.interface import EncoderSettings
from video_oasis.errors import RunError, SettingsError
from video_oasis.judgements.standing import DecisionRule
from video_oasis.models.settings import ModelSettings
from video_oasis.speech.recognisers.settings import RecogniserSettings
from video_oasis.toml_file import read_toml
from video_oasis.whole_file import write_whole

EMBEDDED_MODELS: Final = ("learned/logistic", "learned/forest", "learned/neighbours")
"""The models that need no server, key, download or GPU."""

_SERVER_DECIDES: Final = "server"
"""How a settings file writes that a generation setting is left to the server: TOML has no null."""

Settings = TypeVar("Settings")


class AskingPlan(StrEnum):
    """How much of what could be asked an audit asks."""

    FULL = "full"
    """Everything, as the tables of single tests and models need it."""
    LAZY = "lazy"
    """What it takes to know which samples are shortcuts, with fewer calls."""


@dataclass(frozen=True, slots=True)
class BenchmarkEntry:
    """One benchmark to audit.

    Attributes:
        path: its annotation folder or file.
        name: a registered benchmark; empty for a file of the user's own.
        columns: how to read a file of the user's own.
        videos: the folder that its videos are below; None if none is needed.
        images_fps: frames a second of videos that are folders of images; None for the rate that
            the benchmark publishes.
        transcripts: the folder that transcripts or subtitles of its videos are below.
        captions: a file of captions of its videos.
    """

    path: Path
    name: str = ""
    columns: ColumnMapping = field(default_factory=ColumnMapping)
    videos: Path | None = None
    images_fps: float | None = None
    transcripts: Path | None = None
    captions: Path | None = None

    def __post_init__(self) -> None:
        """Check the rate.

        Raises:
            SettingsError: it is out of range.
        """
        if self.images_fps is not None and not 0 < self.images_fps < float("inf"):
            raise SettingsError(f"images_fps is {self.images_fps}; expected more than 0")


class Role(StrEnum):
    """What an audit has a model for."""

    VOTER = "voter"
    """Its answers under the tests make the verdicts."""
    SPARE = "spare"
    """It is asked as voters are and has no vote: in the place of a voter it shows how far the
    verdicts depend on which models were chosen."""
    VALIDATOR = "validator"
    """It takes no part in any test: what it solves when shown the video says whether the shortcuts
    that others found are real."""


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """One model to ask.

    Attributes:
        model: ``BACKEND/NAME``.
        name: the name to show it under; empty for the model's own.
        role: what the audit has it for.
        settings: how to ask it.
    """

    model: str
    name: str = ""
    role: Role = Role.VOTER
    settings: ModelSettings = field(default_factory=ModelSettings)


@dataclass(frozen=True, slots=True)
class RecogniserEntry:
    """What makes transcripts of videos that have none.

    Attributes:
        recogniser: ``ENGINE/NAME``.
        settings: how it listens.
    """

    recogniser: str
    settings: RecogniserSettings = field(default_factory=RecogniserSettings)


@dataclass(frozen=True, slots=True)
class GrounderEntry:
    """What says how relevant each frame is to a question.

    Attributes:
        encoder: ``BACKEND/NAME``, as the encoders of ``clip/`` models are named.
        settings: how it is run.
    """

    encoder: str
    settings: EncoderSettings = field(default_factory=EncoderSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSettings:
    """What an audit does; with the benchmarks' files it determines every request.

    Attributes:
        benchmarks: the benchmarks.
        models: the models.
        diagnostics: the diagnostics by name.
        recogniser: what makes transcripts of videos that have none; None for nothing.
        captioner: the model that describes the chunks of videos; None if captions are given.
        grounder: what ranks frames by how relevant they are to a question; None if nothing does.
        text_characters: the most characters of a transcript that a model is shown.
        frames: which frames are taken of every video.
        frames_folder: where decoded frames are kept; None for the run's own folder. Runs may share
            one, and then decode a video once.
        plan: how much of that to ask.
        threshold: the number of right models in one test that makes a sample a shortcut; None for
            all models of the test that has most.
        strict_consistency: flag a sample for consistency only if all models differ, instead of
            where no choice has a majority.
        decision_rule: when people's judgements of a sample decide about it.
        n_draws: independent answers per trial from asked models.
        n_rotations: in how many rotations of its choices each sample is shown; a model's vote is
            right only if it is right in all.
        limit: at most so many samples of each benchmark, chosen by hash; None for all.
        skip_bad: leave rows out that cannot be read, instead of stopping.
        n_resamples: bootstrap resamples behind each interval.
    """

    benchmarks: tuple[BenchmarkEntry, ...] = ()
    models: tuple[ModelEntry, ...] = tuple(ModelEntry(model) for model in EMBEDDED_MODELS)
    diagnostics: tuple[str, ...] = ("blind",)
    recogniser: RecogniserEntry | None = None
    captioner: ModelEntry | None = None
    grounder: GrounderEntry | None = None
    text_characters: int = 40_000
    frames: FrameSettings = field(default_factory=FrameSettings)
    frames_folder: Path | None = None
    plan: AskingPlan = AskingPlan.FULL
    threshold: int | None = None
    strict_consistency: bool = False
    decision_rule: DecisionRule = DecisionRule.ANY
    n_draws: int = 1
    n_rotations: int = 1
    limit: int | None = None
    skip_bad: bool = False
    n_resamples: int = 1000

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: one is out of range.
        """
        repeated = [each for each, n in Counter(self.diagnostics).items() if n > 1]
        if repeated:
            raise SettingsError(f"diagnostic {', '.join(repeated)} is named twice; name it once")
        for name, lowest in (
            ("threshold", 1),
            ("n_draws", 1),
            ("n_rotations", 1),
            ("limit", 1),
            ("n_resamples", 100),
            ("text_characters", 100),
        ):
            value = getattr(self, name)
            if value is not None and value < lowest:
                raise SettingsError(f"{name} is {value}; expected {lowest} or more")
        spares = [entry.model for entry in self.models if entry.role is Role.SPARE]
        if spares and self.plan is AskingPlan.LAZY:
            raise SettingsError(
                f"model {', '.join(spares)}: a spare is compared with models that answered "
                f"everything, and the lazy plan leaves questions out; use --plan full"
            )


def parse_source(source: str, columns: ColumnMapping) -> BenchmarkEntry:
    """Read a benchmark as the command line names it: ``NAME=PATH``, or ``PATH`` of one's own file.

    Args:
        source: the text.
        columns: how to read the file if it is the user's own.

    Raises:
        UnknownNameError: there is no such benchmark.
        SettingsError: there is no such path, or a mapping is given for a known benchmark.
    """
    name, equals, path = source.partition("=")
    if not equals or Path(source).exists():
        name, path = "", source
    if name:
        BENCHMARKS[name]
        if columns != ColumnMapping():
            raise SettingsError(
                f"{source}: the columns of {name} are known; a mapping is for a file of your own, "
                f"given as PATH without a name"
            )
    if not Path(path).exists():
        raise SettingsError(
            f"{source}: there is no file or folder {path!r}; expected NAME=PATH for a known "
            f"benchmark ({', '.join(BENCHMARKS)}) or the PATH of your own file"
        )
    return BenchmarkEntry(path=Path(path).resolve(), name=name, columns=columns)


def read_settings(file: Path) -> AuditSettings:
    """Read settings from a TOML file; paths in it are relative to the file.

    Raises:
        SettingsError: there is no such file, it is not TOML, or a key or value is not one of ours.
    """
    return make_settings(read_toml(file), file)


def make_settings(plain: Mapping[str, Any], file: Path) -> AuditSettings:
    """Make settings of what a TOML file holds; paths in it are relative to the file.

    Raises:
        SettingsError: a key or value is not one of ours.
    """
    where = str(file)
    values: dict[str, Any] = dict(plain)
    if "benchmarks" in plain:
        values["benchmarks"] = tuple(
            _make_benchmark(entry, file.parent, where)
            for entry in list_tables(plain, "benchmarks", where)
        )
    if "models" in plain:
        values["models"] = tuple(
            make_model_entry(entry, where, "[[models]]")
            for entry in list_tables(plain, "models", where)
        )
    if "recogniser" in plain:
        values["recogniser"] = _make_recogniser(_table(plain, "recogniser", where), where)
    if "captioner" in plain:
        values["captioner"] = make_model_entry(
            _table(plain, "captioner", where), where, "[captioner]"
        )
    if "grounder" in plain:
        values["grounder"] = _make_grounder(_table(plain, "grounder", where), where)
    if "frames" in plain:
        values["frames"] = _make(
            FrameSettings, _table(plain, "frames", where), f"{where}, [frames]"
        )
    if "frames_folder" in plain:
        values["frames_folder"] = _path(plain["frames_folder"], "frames_folder", file.parent, where)
    return _make(AuditSettings, values, where)


def write_settings(settings: AuditSettings, file: Path) -> None:
    """Write settings as the TOML file that ``read_settings`` reads back to the same.

    Raises:
        RunError: the file cannot be written.
    """
    try:
        write_whole(file, tomli_w.dumps(plain_settings(settings)).encode())
    except OSError as error:
        raise RunError(f"{file}: cannot be written ({error.strerror})") from error


def plain_settings(settings: AuditSettings) -> dict[str, Any]:
    """Return settings as plain data, without what is at its default in a benchmark or model."""
    plain: dict[str, Any] = {
        "diagnostics": list(settings.diagnostics),
        "plan": settings.plan.value,
        "decision_rule": settings.decision_rule.value,
        "strict_consistency": settings.strict_consistency,
        "n_draws": settings.n_draws,
        "n_rotations": settings.n_rotations,
        "skip_bad": settings.skip_bad,
        "n_resamples": settings.n_resamples,
    }
    if settings.threshold is not None:
        plain["threshold"] = settings.threshold
    if settings.limit is not None:
        plain["limit"] = settings.limit
    if settings.frames_folder is not None:
        plain["frames_folder"] = str(settings.frames_folder.resolve())
    if settings.recogniser is not None:
        plain["recogniser"] = {
            "recogniser": settings.recogniser.recogniser,
            **_changes(settings.recogniser.settings),
        }
    plain["text_characters"] = settings.text_characters
    plain["frames"] = dataclasses.asdict(settings.frames)
    if settings.captioner is not None:
        plain["captioner"] = plain_model(settings.captioner)
    if settings.grounder is not None:
        plain["grounder"] = {
            "encoder": settings.grounder.encoder,
            **_changes(settings.grounder.settings),
        }
    plain["benchmarks"] = [
        {"path": str(entry.path)}
        | ({"name": entry.name} if entry.name else {})
        | {
            key: str(path.resolve())
            for key, path in (
                ("videos", entry.videos),
                ("transcripts", entry.transcripts),
                ("captions", entry.captions),
            )
            if path is not None
        }
        | ({"images_fps": entry.images_fps} if entry.images_fps is not None else {})
        | ({"columns": columns} if (columns := _changes(entry.columns)) else {})
        for entry in settings.benchmarks
    ]
    plain["models"] = [plain_model(entry) for entry in settings.models]
    return plain


def plain_model(entry: ModelEntry) -> dict[str, Any]:
    """Return a model's settings as plain data, without what is at its default."""
    name = {"name": entry.name} if entry.name else {}
    role = {} if entry.role is Role.VOTER else {"role": entry.role.value}
    return {"model": entry.model, **name, **role, **_changes(entry.settings)}


def _make_benchmark(entry: Mapping[str, Any], folder: Path, where: str) -> BenchmarkEntry:
    where = f"{where}, [[benchmarks]]"
    folders = ("videos", "transcripts", "captions")
    check_keys(entry, ("path", "name", "columns", "images_fps", *folders), where)
    path = _path(entry.get("path"), "path", folder, where)
    name = entry.get("name", "")
    plain_columns = entry.get("columns", {})
    if not isinstance(plain_columns, dict):
        raise SettingsError(
            f"{where}: columns is {plain_columns!r}; expected a table headed [benchmarks.columns]"
        )
    columns = make_mapping(plain_columns, where=f"{where} columns")
    parsed = parse_source(f"{name}={path}" if name else str(path), columns)
    values = {each.name: getattr(parsed, each.name) for each in dataclasses.fields(parsed)}
    for key in folders:
        if key in entry:
            values[key] = _path(entry[key], key, folder, where)
    if "images_fps" in entry:
        values["images_fps"] = entry["images_fps"]
    return _make(BenchmarkEntry, values, where)


def _path(value: Any, key: str, folder: Path, where: str) -> Path:
    if not isinstance(value, str) or not value:
        raise SettingsError(f"{where}: {key} is {value!r}; expected a file or folder")
    return folder / value


def _table(plain: Mapping[str, Any], key: str, where: str) -> Mapping[str, Any]:
    if not isinstance(plain[key], dict):
        raise SettingsError(f"{where}: {key} is {plain[key]!r}; expected a table headed [{key}]")
    return dict(plain[key])


def make_model_entry(entry: Mapping[str, Any], where: str, head: str) -> ModelEntry:
    """Make the entry of one model of what a table of a TOML file holds.

    Args:
        entry: the table.
        where: the file, for messages.
        head: the table's head, for messages.

    Raises:
        SettingsError: a key or value is not one of ours.
    """
    where = f"{where}, {head}"
    model = entry.get("model")
    if not isinstance(model, str) or not model:
        raise SettingsError(f"{where}: model is {model!r}; expected BACKEND/NAME")
    rest = {
        key: None if value == _SERVER_DECIDES else value
        for key, value in entry.items()
        if key not in ("model", "name", "role")
    }
    role = entry.get("role", Role.VOTER.value)
    if role not in list(Role):
        raise SettingsError(f"{where} {model}: role is {role!r}; expected one of {', '.join(Role)}")
    return ModelEntry(
        model=model,
        name=str(entry.get("name", "")),
        role=Role(role),
        settings=_make(ModelSettings, rest, f"{where} {model}"),
    )


def _make_recogniser(entry: Mapping[str, Any], where: str) -> RecogniserEntry:
    where = f"{where}, [recogniser]"
    recogniser = entry.get("recogniser")
    if not isinstance(recogniser, str) or not recogniser:
        raise SettingsError(f"{where}: recogniser is {recogniser!r}; expected ENGINE/NAME")
    rest = {key: value for key, value in entry.items() if key != "recogniser"}
    settings = _make(RecogniserSettings, rest, f"{where} {recogniser}")
    return RecogniserEntry(recogniser, settings)


def _make_grounder(entry: Mapping[str, Any], where: str) -> GrounderEntry:
    where = f"{where}, [grounder]"
    encoder = entry.get("encoder")
    if not isinstance(encoder, str) or not encoder:
        raise SettingsError(f"{where}: encoder is {encoder!r}; expected BACKEND/NAME")
    rest = {key: value for key, value in entry.items() if key != "encoder"}
    return GrounderEntry(encoder, _make(EncoderSettings, rest, f"{where} {encoder}"))


def list_tables(plain: Mapping[str, Any], key: str, where: str) -> list[Mapping[str, Any]]:
    """Return the tables under a key.

    Raises:
        SettingsError: something else is there.
    """
    tables = plain[key]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise SettingsError(f"{where}: {key} is {tables!r}; expected tables headed [[{key}]]")
    return tables


def _make(kind: type[Settings], values: Mapping[str, Any], where: str) -> Settings:
    check_keys(values, list(inspect.signature(kind).parameters), where)
    try:
        return TypeAdapter(kind).validate_python(values)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise SettingsError(f"{where}: {key} is {first['input']!r}; {first['msg']}") from None
    except SettingsError as error:
        raise SettingsError(f"{where}: {error}") from None


def check_keys(values: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Check that a table of a settings file has no key but these.

    Raises:
        SettingsError: it has; the message names the nearest.
    """
    for key in values:
        if key not in known:
            raise SettingsError(
                f"{where}: unknown key {key!r}{nearest(key, known)}; there are: {', '.join(known)}"
            )


def _changes(
    settings: ColumnMapping | EncoderSettings | ModelSettings | RecogniserSettings,
) -> dict[str, Any]:
    return {name: _plain(value) for name, value in changed_fields(settings).items()}


def _plain(value: Any) -> Any:
    if value is None:
        return _SERVER_DECIDES
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    return value.value if isinstance(value, StrEnum) else value
