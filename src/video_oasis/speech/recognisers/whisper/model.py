"""Listens with a Whisper model through faster-whisper."""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final

import ctranslate2
import faster_whisper
from faster_whisper.transcribe import Word

from video_oasis.errors import ModelUnavailable, SettingsError
from video_oasis.media.audio import Samples
from video_oasis.speech.recognisers.interface import Heard
from video_oasis.speech.recognisers.settings import RecogniserSettings
from video_oasis.speech.recognisers.whisper.weights import find_weights, identify_weights

_DECODING: Final = {
    # Without speech a model invents some; what the voice detector passes over it never hears.
    "vad_filter": True,
    # Higher temperatures, tried where a text looks bad, draw at random: another run would write
    # another transcript under the same id.
    "temperature": 0.0,
    # What goes wrong in one window, such as a loop, is not carried into the next.
    "condition_on_previous_text": False,
    # A segment's own times run over pauses; those of its words do not.
    "word_timestamps": True,
}
_PAUSE_SECONDS: Final = 1.0
"""Words with so much time between them are not of one piece."""
_LONGEST_SECONDS: Final = 600
_CORES_PER_SOUND: Final = 4
"""More threads for one sound gain little."""


class WhisperRecogniser:
    """A Whisper model; its weights are loaded once, and all threads share them."""

    longest_seconds = _LONGEST_SECONDS

    def __init__(self, name: str, settings: RecogniserSettings) -> None:
        """Note which model it is and how it listens.

        Args:
            name: a size, ``OWNER/NAME`` or a folder.
            settings: how it listens.

        Raises:
            SettingsError: a revision is given for a folder.
        """
        if settings.revision and Path(name).is_dir():
            raise SettingsError(
                f"whisper/{name}: a folder has no revision, and {settings.revision!r} is given; "
                "leave it out, the weights' own content is their identity"
            )
        self._model_name = name
        self._settings = settings
        self._loading = Lock()

    @property
    def name(self) -> str:
        """The engine and the model; of a folder its last part."""
        return f"whisper/{self._model_name.rstrip('/').rpartition('/')[2]}"

    @property
    def concurrency(self) -> int:
        """As the settings say, else one sound for four cores of the CPU, one on a GPU."""
        default = 1 if self._device == "cuda" else max(1, (os.cpu_count() or 1) // _CORES_PER_SOUND)
        return self._settings.concurrency or default

    def describe(self) -> Mapping[str, Any]:
        """Return the weights' content, the way of decoding and the libraries' versions.

        Raises:
            ModelUnavailable: the weights are not there and cannot be downloaded.
        """
        return {
            "engine": "whisper",
            "weights": self._weights_id,
            "language": self._settings.language,
            "beam_size": self._settings.beam_size,
            "compute_type": self._compute_type,
            "longest_seconds": _LONGEST_SECONDS,
            "pause_seconds": _PAUSE_SECONDS,
            **_DECODING,
            "faster_whisper": faster_whisper.__version__,
            "ctranslate2": ctranslate2.__version__,
        }

    def check(self) -> None:
        """Load the model.

        Raises:
            ModelUnavailable: the weights are not there, or this machine cannot run them.
        """
        self._load()

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        """Give what is said, window by window of 30 s.

        Raises:
            ModelUnavailable: the device fails, for want of memory or of a library.
        """
        model = self._load()
        try:
            segments, _ = model.transcribe(
                samples,
                language=self._settings.language,
                beam_size=self._settings.beam_size,
                **_DECODING,
            )
            for segment in segments:
                for words in _split_at_pauses(segment.words or ()):
                    text = "".join(word.word for word in words)
                    yield Heard(float(words[0].start), float(words[-1].end), text)
        except RuntimeError as error:
            raise self._unavailable(error) from error

    def _load(self) -> faster_whisper.WhisperModel:
        with self._loading:
            return self._model

    @cached_property
    def _model(self) -> faster_whisper.WhisperModel:
        threads = max(1, (os.cpu_count() or 1) // self.concurrency)
        try:
            model = faster_whisper.WhisperModel(
                str(self._folder),
                device=self._device,
                compute_type=self._compute_type,
                cpu_threads=threads,
                num_workers=self.concurrency,
            )
        except (RuntimeError, ValueError) as error:
            raise self._unavailable(error) from error
        known = model.supported_languages
        if self._settings.language not in {None, *known}:
            raise ModelUnavailable(
                f"{self.name}: it does not know the language {self._settings.language!r}; it "
                f"knows {', '.join(known)}"
            )
        return model

    @cached_property
    def _folder(self) -> Path:
        return find_weights(self._model_name, self._settings.revision)

    @cached_property
    def _weights_id(self) -> str:
        return identify_weights(self._folder)

    @cached_property
    def _device(self) -> str:
        if self._settings.device != "auto":
            return self._settings.device
        return "cuda" if ctranslate2.get_cuda_device_count() else "cpu"

    @property
    def _compute_type(self) -> str:
        if self._settings.compute_type != "auto":
            return self._settings.compute_type
        return "float16" if self._device == "cuda" else "int8"

    def _unavailable(self, error: Exception) -> ModelUnavailable:
        said = str(error).partition("\n")[0]
        return ModelUnavailable(
            f"{self.name} on {self._device} with {self._compute_type}: CTranslate2 says {said!r}. "
            "Choose another device or compute_type, or a smaller model"
        )


def _split_at_pauses(words: Iterable[Word]) -> list[list[Word]]:
    runs: list[list[Word]] = []
    for word in words:
        if not runs or word.start - runs[-1][-1].end > _PAUSE_SECONDS:
            runs.append([])
        runs[-1].append(word)
    return runs
