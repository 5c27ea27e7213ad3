"""Asks an image-text model that transformers runs in this process."""

import gc
import threading
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from PIL import Image

from video_oasis.errors import AskError, ModelUnavailable
from video_oasis.models.in_process.batching import Batcher
from video_oasis.models.in_process.conversation import Question
from video_oasis.models.in_process.identity import describe_model
from video_oasis.models.in_process.options import check_settings
from video_oasis.models.in_process.probe import make_probe
from video_oasis.models.interface import ANSWERS_QUESTIONS
from video_oasis.models.settings import ModelSettings, Output, reply_limit
from video_oasis.schema import Answer, Form, Request
from video_oasis.weights import Weights, find_weights, package_versions

if TYPE_CHECKING:
    from video_oasis.models.transformers.generation import LoadedModel

_PACKAGES: Final = ("torch", "torchvision", "transformers")
_INSTALL: Final = "'video-oasis[transformers]'"
_LOADING: Final = threading.Lock()

# Questions of one kind are answered together, so some of every kind must wait at the same time.
_WAITING_BATCHES: Final = 4


class TransformersModel:
    """An image-text model run in this process."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        """Note which weights, and how to ask them.

        Args:
            name: path of a folder, or name on the hub.
            settings: how to ask it.

        Raises:
            SettingsError: a setting does not suit the backend.
        """
        self.name = f"transformers/{name}"
        check_settings(self.name, settings, (Output.TEXT, Output.LOGPROBS))
        self._source = name
        self._settings = settings
        self._batch_size = settings.batch_size or 1
        self._loaded: LoadedModel | None = None
        self._batcher = Batcher(self._answer, self._batch_size, self._kind)

    @property
    def forms(self) -> frozenset[Form]:
        """Worded questions."""
        return ANSWERS_QUESTIONS

    @property
    def max_frames(self) -> int | None:
        """The most frames that one request may show it."""
        return self._settings.max_frames

    @property
    def concurrency(self) -> int:
        """How many requests may wait at once; at most ``batch_size`` are answered together."""
        return _WAITING_BATCHES * self._batch_size

    def describe(self) -> Mapping[str, Any]:
        """Return the weights' name and revision, the settings and the versions of the libraries.

        Raises:
            ModelUnavailable: a library is not installed, or there are no such weights.
        """
        versions = package_versions(self.name, _PACKAGES, _INSTALL)
        return describe_model("transformers", self._weights, self._settings, versions)

    async def check(self) -> None:
        """Load the weights and have them begin an answer about grey frames.

        Raises:
            ModelUnavailable: the libraries, the weights or their device are not there, or the
                model cannot answer.
            SettingsError: its processor does not know an option.
        """
        await self._batcher.call(self._check)

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        """Answer one request, together with others that wait and show frames of the same sizes.

        Raises:
            AskRejected: the request is too long or too large, or the model fails on it.
            AskInterrupted: the model was closed meanwhile.
        """
        return await self._batcher.ask(Question(request, draw, tuple(pictures)))

    async def close(self) -> None:
        """End what is being answered and let go of the weights; asking again loads them again."""
        if self._loaded is not None:
            self._loaded.stop()
        await self._batcher.close()
        self._loaded = None
        gc.collect()

    @cached_property
    def _weights(self) -> Weights:
        return find_weights(self.name, self._source, self._settings.revision)

    def _load(self) -> "LoadedModel":
        if self._loaded is None:
            package_versions(self.name, _PACKAGES, _INSTALL)
            with _LOADING:
                # torch comes with it: seconds that only answering needs.
                from video_oasis.models.transformers.loading import load  # noqa: PLC0415

                self._loaded = load(self.name, self._weights, self._settings)
        return self._loaded

    def _check(self) -> None:
        outcome = self._load().answer([make_probe(self.max_frames)], max_tokens=1)[0]
        if isinstance(outcome, AskError):
            raise ModelUnavailable(f"model {outcome}; this is a first question about grey frames")

    def _answer(self, questions: Sequence[Question]) -> Sequence[Answer | AskError]:
        return self._load().answer(questions, reply_limit(self._settings))

    def _kind(self, question: Question) -> Hashable:
        """Return what must be equal for two questions to be answered as if they were asked alone.

        Some processors pad frames to the largest of a batch and count the padding as frames; and
        one seed starts one draw.
        """
        if self._settings.temperature and self._settings.seed is not None:
            return question
        return tuple(Image.open(BytesIO(picture)).size for picture in question.pictures)
