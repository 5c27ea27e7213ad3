"""Reads what a user states of models: their base, how they reason, what they were rewarded for."""

from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import SettingsError
from video_oasis.report.evaluation.document import ModelFacts, Reasoning
from video_oasis.toml_file import read_toml

_KEYS: Final = ("model", "base", "reasoning", "rewards")


def read_facts(file: Path, labels: Collection[str]) -> dict[str, ModelFacts]:
    """Read a TOML file with one table ``[[models]]`` for each model.

    Args:
        file: the file.
        labels: the contenders; facts of others are left out.

    Raises:
        SettingsError: the file cannot be read, holds something else, or is about none of these.
    """
    plain = read_toml(file)
    entries = plain.get("models", [])
    if plain.keys() - {"models"} or not isinstance(entries, list):
        raise SettingsError(
            f"{file}: found {', '.join(sorted(plain)) or 'nothing'}; expected tables headed "
            f"[[models]]"
        )
    facts: dict[str, ModelFacts] = {}
    for entry in entries:
        read = _read_entry(entry, file)
        if read.model in facts:
            raise SettingsError(f"{file}: {read.model} stands there twice; leave one out")
        facts[read.model] = read
    found = {label: facts[label] for label in labels if label in facts}
    if not found:
        raise SettingsError(
            f"{file}: is about {', '.join(facts) or 'no model'}; expected one of those evaluated: "
            f"{', '.join(labels)}"
        )
    return found


def _read_entry(entry: Any, file: Path) -> ModelFacts:
    if not isinstance(entry, dict) or not isinstance(entry.get("model"), str):
        raise SettingsError(f"{file}, [[models]]: {entry!r}; expected a table with model = NAME")
    where = f"{file}, {entry['model']}"
    unknown = sorted(entry.keys() - set(_KEYS))
    if unknown:
        raise SettingsError(f"{where}: no key {', '.join(unknown)}; expected {', '.join(_KEYS)}")
    reasoning = entry.get("reasoning")
    if reasoning is not None and reasoning not in list(Reasoning):
        raise SettingsError(
            f"{where}: reasoning is {reasoning!r}; expected one of {', '.join(Reasoning)}"
        )
    rewards = entry.get("rewards")
    if rewards is not None and not _are_rewards(rewards):
        raise SettingsError(
            f"{where}: rewards is {rewards!r}; expected names that are true or false, such as "
            f"{{ answer = true, grounding = false }}"
        )
    base = entry.get("base", "")
    if not isinstance(base, str):
        raise SettingsError(f"{where}: base is {base!r}; expected the name of a model")
    return ModelFacts(
        model=entry["model"],
        base=base,
        reasoning=None if reasoning is None else Reasoning(reasoning),
        rewards=rewards,
    )


def _are_rewards(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(each, bool) for each in value.values())
