"""Models that are programs of the user's own, asked over pipes.

A model is named ``PROGRAM``: a path with a slash in it, or the name of a command. ``program`` finds
the program and says what it is, ``protocol`` what is written to it and what it replies, ``worker``
keeps one process of it running, ``keeper`` sees to it that none outlives the run, ``model`` asks.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.errors import SettingsError
from video_oasis.models.interface import Backend
from video_oasis.models.settings import ModelSettings

if TYPE_CHECKING:
    from video_oasis.models.external.model import ExternalModel


def open_model(name: str, settings: ModelSettings) -> "ExternalModel":
    """Return the model of that name, without starting anything.

    Args:
        name: path of a program, or name of a command.
        settings: how to ask it.

    Raises:
        SettingsError: the name or an argument holds a character that no argument can.
    """
    from video_oasis.models.external.model import ExternalModel

    if any("\0" in each for each in (name, *settings.arguments)):
        raise SettingsError(
            f"model external/{name}: the program or an argument holds a NUL character; leave it out"
        )
    return ExternalModel(name, settings)


BACKEND: Final = Backend(
    {
        "./PROGRAM": "a program of your own, asked over pipes; its path has a slash in it",
        "COMMAND": "the same by the name of a command",
    },
    frozenset({"arguments", "revision", "max_frames", "concurrency", "timeout_seconds"}),
    open_model,
)
