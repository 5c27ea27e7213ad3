"""Image-text models run in this process by the transformers library, frames as a video or images.

A model is named ``PATH`` or ``NAME``: a folder as ``save_pretrained`` writes it, else a name on the
hub. Any model that ``AutoModelForImageTextToText`` loads and whose processor has a chat template
can be asked. ``loading`` brings the weights in, ``generation`` makes the answers, ``model`` asks.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.models.interface import Backend
from video_oasis.models.settings import ModelSettings

if TYPE_CHECKING:
    from video_oasis.models.transformers.model import TransformersModel


def open_model(name: str, settings: ModelSettings) -> "TransformersModel":
    """Return the model of that name, without loading anything.

    Args:
        name: path of a folder, or name on the hub.
        settings: how to ask it.

    Raises:
        SettingsError: a setting does not suit the backend.
    """
    from video_oasis.models.transformers.model import TransformersModel

    return TransformersModel(name, settings)


BACKEND: Final = Backend(
    {
        "FOLDER": "an image-text model from a folder, run in this process",
        "NAME": "the same from the hub, downloaded when it is first asked",
    },
    frozenset(
        {"output", "temperature", "max_tokens", "seed", "revision", "max_frames", "frames_as"}
        | {"processor", "dtype", "device_map", "batch_size"}
    ),
    open_model,
)
