"""Tells which settings were changed, and refuses those that nobody reads."""

from collections.abc import Collection
from dataclasses import fields
from typing import Any

from video_oasis.errors import SettingsError


def changed_fields(settings: Any) -> dict[str, Any]:
    """Return the fields of a settings dataclass that are not at their default, by name."""
    default = type(settings)()
    return {
        each.name: getattr(settings, each.name)
        for each in fields(settings)
        if getattr(settings, each.name) != getattr(default, each.name)
    }


def refuse_unread(settings: Any, reads: Collection[str], *, of: str, reader: str) -> None:
    """Check that only such settings are changed as are read.

    Args:
        settings: a settings dataclass.
        reads: names of the fields that are read.
        of: whose settings they are, for the message.
        reader: what reads them, for the message.

    Raises:
        SettingsError: another one is changed.
    """
    for name in sorted(changed_fields(settings).keys() - set(reads)):
        raise SettingsError(
            f"{of}: {name} is no setting of its {reader}, which has "
            f"{', '.join(sorted(reads)) or 'none'}"
        )
