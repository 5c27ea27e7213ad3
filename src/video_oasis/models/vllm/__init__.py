"""Image-text models run in this process by vLLM's offline engine.

A model is named as for ``transformers``: ``PATH`` or ``NAME``. ``protocol`` makes the engine's
inputs and reads its outputs, ``model`` asks. The engine wants a GPU that this package's own tests
do not have: they check what goes in and how what comes out is read, and never run it.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.models.interface import Backend
from video_oasis.models.settings import ModelSettings

if TYPE_CHECKING:
    from video_oasis.models.vllm.model import VLLMModel


def open_model(name: str, settings: ModelSettings) -> "VLLMModel":
    """Return the model of that name, without loading anything.

    Args:
        name: path of a folder, or name on the hub.
        settings: how to ask it.

    Raises:
        SettingsError: a setting does not suit the backend.
    """
    from video_oasis.models.vllm.model import VLLMModel

    return VLLMModel(name, settings)


BACKEND: Final = Backend(
    {
        "FOLDER": "an image-text model from a folder, run in this process by vLLM",
        "NAME": "the same from the hub, downloaded when it is first asked",
    },
    frozenset(
        {"output", "temperature", "max_tokens", "seed", "revision", "max_frames", "frames_as"}
        | {"processor", "dtype", "concurrency"}
    ),
    open_model,
)
