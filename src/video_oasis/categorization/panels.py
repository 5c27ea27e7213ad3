"""Says which models vote on categories, and which other panels theirs is compared with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.audit import only_asked, open_models
from video_oasis.config import ModelEntry
from video_oasis.errors import SettingsError
from video_oasis.models.interface import AskedModel
from video_oasis.taxonomy.votes import choose_majority

CANNOT_SORT: Final = (
    "cannot say what category a question belongs to, as it learns from right answers or matches "
    "pictures, and nothing says which category is right; expected a chat model, such as "
    "openai/MODEL@http://localhost:8000/v1"
)
"""Why a model that is no chat model is refused."""


@dataclass(frozen=True, slots=True)
class Panel:
    """Who decides.

    Attributes:
        models: the models whose votes count.
        threshold: so many of them must agree.
        others: other panels to compare with, each by its models.
    """

    models: tuple[str, ...]
    threshold: int
    others: tuple[tuple[str, ...], ...] = ()


def add_others(
    entries: Sequence[ModelEntry], others: Sequence[Sequence[str]]
) -> tuple[ModelEntry, ...]:
    """Return the panel's entries, and after them those that only other panels name.

    Args:
        entries: the panel.
        others: other panels, each model as an entry names it, or as ``BACKEND/NAME``.
    """
    found = list(entries)
    for word in dict.fromkeys(word for other in others for word in other):
        if not any(word in (entry.model, entry.name) for entry in found):
            found.append(ModelEntry(word))
    return tuple(found)


def open_panel(
    entries: Sequence[ModelEntry],
    n_panel: int,
    others: Sequence[Sequence[str]],
    threshold: int | None,
) -> tuple[dict[str, AskedModel], Panel]:
    """Open all models, without connecting to anything, and say which of them decide.

    Args:
        entries: the models, as ``add_others`` returns them.
        n_panel: how many of the first are the panel.
        others: the other panels.
        threshold: so many of the panel must agree; None for the smallest majority.

    Returns:
        The models by the name to show them under, and the panel.

    Raises:
        SettingsError: a model cannot be one of a panel, the threshold does not suit the panel, or
            another panel is no other one.
    """
    majority = choose_majority(threshold, n_panel)
    models = only_asked(open_models(tuple(entries)), CANNOT_SORT)
    names = list(models)
    by_word: dict[str, str] = {}
    for entry, name in zip(entries, names, strict=True):
        by_word |= {entry.model: name, entry.name or entry.model: name}
    named = tuple(tuple(by_word[word] for word in other) for other in others)
    panel = Panel(tuple(names[:n_panel]), majority, named)
    for other in named:
        written = ", ".join(other)
        if not other or len(set(other)) < len(other):
            raise SettingsError(
                f"--other-panel {written!r}: expected different models, with spaces between them"
            )
        if set(other) == set(panel.models):
            raise SettingsError(
                f"--other-panel {written!r}: these are the models of the panel itself"
            )
    return models, panel
