"""Models that answer trials.

A model is named ``BACKEND/REST``: the backend is a member of this family, one folder in this one,
and it reads the rest of the name and the settings. There are three kinds of model (``interface``):
an asked model answers one request at a time; a fitted model learns from the samples it is audited
on and answers them all out of fold; a matching model picks the choice nearest to the pictures.
Another package adds a backend by an entry point in the group
``video_oasis.models``.
"""

from typing import Final

from video_oasis.changed_fields import refuse_unread
from video_oasis.errors import SettingsError
from video_oasis.models.interface import Backend, Model
from video_oasis.models.settings import ModelSettings
from video_oasis.registry import Registry

BACKENDS: Final[Registry[Backend]] = Registry(
    "model backend",
    {
        "learned": "video_oasis.models.learned:BACKEND",
        "clip": "video_oasis.models.clip:BACKEND",
        "external": "video_oasis.models.external:BACKEND",
        "openai": "video_oasis.models.openai:BACKEND",
        "recall": "video_oasis.models.recall:BACKEND",
        "transformers": "video_oasis.models.transformers:BACKEND",
        "vllm": "video_oasis.models.vllm:BACKEND",
    },
    group="video_oasis.models",
)


def open_model(spec: str, settings: ModelSettings | None = None) -> Model:
    """Return the model that a name such as ``learned/logistic`` stands for.

    Args:
        spec: ``BACKEND/REST``.
        settings: how to ask it; None for the defaults.

    Raises:
        SettingsError: the name has no backend part or does not suit its backend, or a setting is
            changed that the backend does not read.
        UnknownNameError: there is no such backend.
    """
    backend = find_backend(spec)
    settings = settings or ModelSettings()
    refuse_unread(settings, backend.settings, of=f"model {spec}", reader="backend")
    return backend.open_model(spec.partition("/")[2], settings)


def find_backend(spec: str) -> Backend:
    """Return the backend of a model's name.

    Raises:
        SettingsError: the name has no backend part.
        UnknownNameError: there is no such backend.
    """
    backend, _, rest = spec.partition("/")
    if not rest:
        raise SettingsError(
            f"model {spec!r}: expected BACKEND/NAME, such as learned/logistic or "
            f"openai/MODEL@http://localhost:8000/v1; backends: {', '.join(BACKENDS)}"
        )
    return BACKENDS[backend]
