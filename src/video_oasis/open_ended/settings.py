"""What is asked of open questions and who judges: read from and written into ``judging.toml``."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

import tomli_w

from video_oasis.config import (
    AskingPlan,
    AuditSettings,
    ModelEntry,
    Role,
    check_keys,
    list_tables,
    make_model_entry,
    make_settings,
    plain_model,
    plain_settings,
)
from video_oasis.errors import RunError, SettingsError
from video_oasis.judges import JUDGES
from video_oasis.models import find_backend
from video_oasis.models.settings import ModelSettings, Output
from video_oasis.toml_file import read_toml
from video_oasis.whole_file import write_whole

ANSWERER: Final = "recall/similar_questions"
"""The model that answers open questions without a server, key, download or GPU."""
RULES: Final = ("exact_match", "token_f1", "lemma_match")
"""The judges that need nothing."""
_KEYS: Final = ("judges", "families", "n_probes")
_DEFAULT_PROBES: Final = 100


def read_judge(name: str) -> ModelEntry:
    """Return the entry of a judge as the command line names it.

    A served model is held to a JSON object, unless the entry is changed.

    Raises:
        SettingsError: the name is neither a rule nor a model.
        UnknownNameError: there is no such rule, or no such backend.
    """
    entry = ModelEntry(name)
    if is_rule(entry):
        return _find_folder(entry, Path())
    if "/" not in name:
        JUDGES[name]
    find_backend(name)
    return hold_to_json(entry)


def _find_folder(rule: ModelEntry, below: Path) -> ModelEntry:
    """Return a rule with a whole path, if what stands after its name is a folder."""
    name, slash, argument = rule.model.partition("/")
    folder = below / argument
    return replace(rule, model=f"{name}/{folder.resolve()}") if slash and folder.is_dir() else rule


def hold_to_json(entry: ModelEntry) -> ModelEntry:
    """Return a judge that replies with a JSON object held to a schema, where its backend can."""
    if entry.model.startswith("openai/"):
        return replace(entry, settings=replace(entry.settings, output=Output.JSON))
    return entry


def is_rule(entry: ModelEntry) -> bool:
    """Tell whether a judge is a rule rather than a model."""
    return entry.model.partition("/")[0] in JUDGES


@dataclass(frozen=True, slots=True)
class JudgingSettings:
    """What is asked of open questions, and who judges the answers.

    Attributes:
        audit: the benchmarks, the answering models and what they are shown.
        judges: rules by name, and models.
        families: the family of models by the name they are shown under, where it is another than
            their name tells; empty for none.
        n_probes: of how many questions of each benchmark, chosen by hash, judges are also given
            answers whose right verdict is known.
    """

    audit: AuditSettings
    judges: tuple[ModelEntry, ...] = tuple(map(ModelEntry, RULES))
    families: Mapping[str, str] = field(default_factory=dict)
    n_probes: int = _DEFAULT_PROBES

    def __post_init__(self) -> None:
        """Check what open questions leave no room for.

        Raises:
            SettingsError: something is set that suits questions with choices only, or that a judge
                does not have, or no judge is named.
        """
        if self.audit.n_rotations != 1:
            raise SettingsError("n_rotations: open questions have no choices to rotate; leave it")
        if self.audit.plan is not AskingPlan.FULL or self.audit.threshold is not None:
            raise SettingsError(
                "plan and threshold are about shortcuts among choices; leave them out, as open "
                "questions are all asked"
            )
        if not self.judges:
            raise SettingsError("no judge is named; name one with --judge, such as exact_match")
        if self.n_probes < 0:
            raise SettingsError(f"n_probes is {self.n_probes}; expected 0 or more")
        for entry in self.audit.models:
            if entry.settings.output is not Output.TEXT:
                raise SettingsError(
                    f"model {entry.model}: output is {entry.settings.output}; an open question is "
                    f"answered in words, so leave output out"
                )
        for entry in self.judges:
            _check_judge(entry)


def _check_judge(entry: ModelEntry) -> None:
    if entry.role is not Role.VOTER:
        raise SettingsError(f"judge {entry.model}: a judge has no role; leave role out")
    if is_rule(entry) and entry.settings != ModelSettings():
        raise SettingsError(f"judge {entry.model}: a rule has no settings; leave them out")
    if entry.settings.output in (Output.CHOICE, Output.LOGPROBS):
        raise SettingsError(
            f"judge {entry.model}: output is {entry.settings.output}; a judge gives a verdict and "
            f"a score, so expected json or text"
        )


def read_judging(file: Path) -> JudgingSettings:
    """Read settings from a TOML file: those of an audit, and ``[[judges]]`` and ``[families]``.

    Raises:
        SettingsError: there is no such file, it is not TOML, or a key or value is not one of ours.
    """
    plain = read_toml(file)
    where = str(file)
    of_audit = [each.name for each in fields(AuditSettings)]
    check_keys(plain, (*of_audit, *_KEYS), where)
    audit = make_settings({key: plain[key] for key in plain if key not in _KEYS}, file)
    if "models" not in plain:
        audit = replace(audit, models=(ModelEntry(ANSWERER),))
    families = plain.get("families", {})
    if not isinstance(families, dict) or not all(isinstance(n, str) for n in families.values()):
        raise SettingsError(f"{where}: families is {families!r}; expected a table of texts")
    n_probes = plain.get("n_probes", _DEFAULT_PROBES)
    if type(n_probes) is not int:
        raise SettingsError(f"{where}: n_probes is {n_probes!r}; expected a whole number")
    judges = tuple(map(ModelEntry, RULES))
    if "judges" in plain:
        tables = list_tables(plain, "judges", where)
        judges = tuple(_make_judge(table, file.parent, where) for table in tables)
    try:
        return JudgingSettings(audit, judges, families, n_probes)
    except SettingsError as error:
        raise SettingsError(f"{where}: {error}") from None


def _make_judge(table: Mapping[str, Any], folder: Path, where: str) -> ModelEntry:
    entry = make_model_entry(table, where, "[[judges]]")
    if is_rule(entry):
        return _find_folder(entry, folder)
    find_backend(entry.model)
    return entry if "output" in table else hold_to_json(entry)


def write_judging(settings: JudgingSettings, file: Path) -> None:
    """Write settings as the TOML file that ``read_judging`` reads back to the same.

    Raises:
        RunError: the file cannot be written.
    """
    plain = plain_settings(settings.audit)
    plain["n_probes"] = settings.n_probes
    if settings.families:
        plain["families"] = dict(settings.families)
    plain["judges"] = [
        plain_model(entry) | ({} if is_rule(entry) else {"output": entry.settings.output.value})
        for entry in settings.judges
    ]
    try:
        write_whole(file, tomli_w.dumps(plain).encode())
    except OSError as error:
        raise RunError(f"{file}: cannot be written ({error.strerror})") from error
