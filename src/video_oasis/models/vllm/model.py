"""Asks an image-text model that vLLM's offline engine runs in this process."""

import gc
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from video_oasis.errors import AskError, ModelUnavailable
from video_oasis.models.in_process.batching import Batcher, answer_together_or_alone
from video_oasis.models.in_process.conversation import Question
from video_oasis.models.in_process.identity import describe_model
from video_oasis.models.in_process.options import check_settings
from video_oasis.models.in_process.probe import make_probe
from video_oasis.models.interface import ANSWERS_QUESTIONS
from video_oasis.models.settings import DEFAULT_CONCURRENCY, ModelSettings, Output
from video_oasis.models.vllm.protocol import (
    engine_arguments,
    engine_prompt,
    explain_failure,
    read_output,
    sampling_arguments,
)
from video_oasis.schema import Answer, Form, Request
from video_oasis.weights import Weights, find_weights, package_versions

_PACKAGES: Final = ("vllm", "torch", "torchvision", "transformers")
_LOADING: Final = threading.Lock()


@dataclass(frozen=True, slots=True)
class _Engine:
    """A ``vllm.LLM`` with the processor of its model."""

    llm: Any
    processor: Any
    opened_reasoning: str


class VLLMModel:
    """An image-text model run in this process by vLLM, which makes its own batches."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        """Note which weights, and how to ask them.

        Args:
            name: path of a folder, or name on the hub.
            settings: how to ask it.

        Raises:
            SettingsError: a setting does not suit the backend.
        """
        self.name = f"vllm/{name}"
        check_settings(self.name, settings, (Output.TEXT, Output.CHOICE, Output.LOGPROBS))
        self._source = name
        self._settings = settings
        self._engine: _Engine | None = None
        self._batcher = Batcher(self._answer, self.concurrency)

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
        """How many requests the engine is given at once."""
        return self._settings.concurrency or DEFAULT_CONCURRENCY

    def describe(self) -> Mapping[str, Any]:
        """Return the weights' name and revision, the settings and the versions of the libraries.

        Raises:
            ModelUnavailable: a library is not installed, or there are no such weights.
        """
        versions = package_versions(self.name, _PACKAGES, "vllm")
        return describe_model("vllm", self._weights, self._settings, versions)

    async def check(self) -> None:
        """Start the engine and have it answer a question about grey frames.

        Raises:
            ModelUnavailable: vLLM, the weights or the GPU are not there, or the model cannot
                answer.
            SettingsError: its processor does not know an option.
        """
        await self._batcher.call(self._check)

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        """Answer one request, together with others that wait.

        Raises:
            AskRejected: the request is too long, or the engine fails on it.
            AskInterrupted: the engine has ended.
        """
        return await self._batcher.ask(Question(request, draw, tuple(pictures)))

    async def close(self) -> None:
        """Wait for the answers under way and end the engine; asking again starts another."""
        await self._batcher.close()
        self._engine = None
        gc.collect()

    @cached_property
    def _weights(self) -> Weights:
        return find_weights(self.name, self._source, self._settings.revision)

    def _start(self) -> _Engine:
        if self._engine is None:
            package_versions(self.name, _PACKAGES, "vllm")
            with _LOADING:
                # Both bring torch with them: seconds that only answering needs.
                import vllm  # noqa: PLC0415

                from video_oasis.models.in_process.processors import (  # noqa: PLC0415
                    load_processor,
                    unreadable,
                )

                weights = self._weights
                processor, opened = load_processor(self.name, weights, self._settings)
                arguments = engine_arguments(weights.source, weights.commit, self._settings)
                try:
                    llm = vllm.LLM(**arguments)
                except Exception as error:
                    raise unreadable(self.name, "engine", error) from error
                self._engine = _Engine(llm, processor, opened)
        return self._engine

    def _check(self) -> None:
        self._start()
        outcome = self._answer([make_probe(self.max_frames)])[0]
        if isinstance(outcome, AskError):
            raise ModelUnavailable(f"model {outcome}; this is a first question about grey frames")

    def _answer(self, questions: Sequence[Question]) -> list[Answer | AskError]:
        return answer_together_or_alone(
            self.name, questions, self._answer_together, explain_failure
        )

    def _answer_together(self, questions: Sequence[Question]) -> list[Answer]:
        from vllm import SamplingParams  # noqa: PLC0415
        from vllm.sampling_params import StructuredOutputsParams  # noqa: PLC0415

        engine, settings = self._start(), self._settings
        prompts, sampling = [], []
        for question in questions:
            prompts.append(engine_prompt(question, engine.processor, settings))
            arguments = sampling_arguments(question, settings)
            if structure := arguments.pop("structured_outputs", None):
                arguments["structured_outputs"] = StructuredOutputsParams(**structure)
            sampling.append(SamplingParams(**arguments))
        outputs = engine.llm.generate(prompts, sampling, use_tqdm=False)
        return [
            read_output(output, question, settings, engine.opened_reasoning)
            for output, question in zip(outputs, questions, strict=True)
        ]
