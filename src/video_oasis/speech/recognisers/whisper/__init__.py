"""Whisper models run in process by faster-whisper, on a GPU or the CPU.

A model is named by its size (``base``), by a repository of the hub (``OWNER/NAME``) or by a folder
that holds one in CTranslate2's form. ``weights`` finds the files and names them by their content,
``model`` listens.
"""

from typing import TYPE_CHECKING, Final

from video_oasis.errors import SettingsError
from video_oasis.speech.recognisers.interface import Engine
from video_oasis.speech.recognisers.settings import RecogniserSettings

if TYPE_CHECKING:
    from video_oasis.speech.recognisers.whisper.model import WhisperRecogniser


def open_recogniser(name: str, settings: RecogniserSettings) -> "WhisperRecogniser":
    """Return the recogniser of that name, without loading anything.

    Args:
        name: a size, ``OWNER/NAME`` or a folder.
        settings: how it listens.

    Raises:
        SettingsError: faster-whisper is not installed, or a revision is given for a folder.
    """
    try:
        from video_oasis.speech.recognisers.whisper.model import WhisperRecogniser
    except ImportError as error:
        raise SettingsError(
            f"speech recogniser whisper/{name}: {error}. Install what it needs: "
            "pip install 'video-oasis[speech]'"
        ) from error
    return WhisperRecogniser(name, settings)


ENGINE: Final = Engine(
    {
        "SIZE": "an OpenAI Whisper model by its size, such as base or large-v3",
        "OWNER/NAME": "a Whisper model of the hub in CTranslate2's form",
        "FOLDER": "a folder with such a model",
    },
    frozenset({"language", "beam_size", "compute_type", "revision", "device", "concurrency"}),
    open_recogniser,
)
