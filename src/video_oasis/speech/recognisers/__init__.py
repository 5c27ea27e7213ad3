"""Recognisers that write down what is said.

A recogniser is named ``ENGINE/REST``: the engine is a member of this family, one file or folder
here, and it reads the rest of the name and the settings. Another package adds an engine by an entry
point in the group ``video_oasis.recognisers``.
"""

from typing import Final

from video_oasis.changed_fields import refuse_unread
from video_oasis.errors import SettingsError
from video_oasis.registry import Registry
from video_oasis.speech.recognisers.interface import Engine, Recogniser
from video_oasis.speech.recognisers.settings import RecogniserSettings

ENGINES: Final[Registry[Engine]] = Registry(
    "speech recogniser",
    {
        "server": "video_oasis.speech.recognisers.server:ENGINE",
        "whisper": "video_oasis.speech.recognisers.whisper:ENGINE",
    },
    group="video_oasis.recognisers",
)


def open_recogniser(spec: str, settings: RecogniserSettings | None = None) -> Recogniser:
    """Return the recogniser that a name such as ``whisper/base`` stands for.

    Args:
        spec: ``ENGINE/REST``.
        settings: how it listens; None for the defaults.

    Raises:
        SettingsError: the name has no engine part or does not suit its engine, or a setting is
            changed that the engine does not read.
        UnknownNameError: there is no such engine.
    """
    engine_name, _, rest = spec.partition("/")
    if not rest:
        raise SettingsError(
            f"speech recogniser {spec!r}: expected ENGINE/NAME, such as whisper/base or "
            f"server/MODEL@http://localhost:8000/v1; engines: {', '.join(ENGINES)}"
        )
    engine = ENGINES[engine_name]
    settings = settings or RecogniserSettings()
    refuse_unread(settings, engine.settings, of=f"speech recogniser {spec}", reader="engine")
    return engine.open_recogniser(rest, settings)
