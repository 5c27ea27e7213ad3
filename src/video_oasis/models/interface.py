"""What a model is to the rest of the package."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, runtime_checkable

from video_oasis.errors import AskError
from video_oasis.media.frames import ReadPicture
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Answer, Form, Request, Trial

ANSWERS_QUESTIONS: Final = frozenset({Form.QUESTION, Form.OPEN})
"""What a chat model takes."""


class AnyModel(Protocol):
    """What the three kinds of model have in common."""

    @property
    def name(self) -> str:
        """The name to show, unique within an audit."""
        ...

    @property
    def forms(self) -> frozenset[Form]:
        """What it can be asked."""
        ...

    @property
    def max_frames(self) -> int | None:
        """The most frames that one request may show it; 0 for text only, None for no limit."""
        ...


@runtime_checkable
class AskedModel(AnyModel, Protocol):
    """A model that answers requests one by one, over a connection or in process."""

    @property
    def concurrency(self) -> int:
        """How many requests may be under way at once."""
        ...

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes answers, as plain data; the model's id is made from it.

        Backend, name, revision and generation settings belong in it; keys, addresses, time-outs
        and concurrency do not.
        """
        ...

    async def check(self) -> None:
        """Find out whether the model can be asked, before thousands of requests are.

        Raises:
            ModelUnavailable: it cannot.
        """
        ...

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        """Answer one request.

        Args:
            request: what to show the model.
            draw: which of several independent answers to the same request this is, from 0.
            pictures: the request's frames as JPEG, in the order to show them.

        Raises:
            AskError: no answer came; the failure is recorded and the run goes on.
        """
        ...

    async def close(self) -> None:
        """Release connections."""
        ...


@dataclass(frozen=True)
class FittedAnswers:
    """What a fitted model brings back for a list of trials.

    Attributes:
        answers: one answer for each trial, in order, each with its letter probabilities.
        findings: what the fit learned, as plain data for the report; see ``Finding``.
    """

    answers: Sequence[Answer]
    findings: "Sequence[Finding]"


@dataclass(frozen=True, slots=True)
class Finding:
    """One feature by which a fitted model tells right choices from wrong ones in one task.

    Attributes:
        benchmark: the benchmark.
        task: the task.
        feature: the feature in words a benchmark author understands, such as
            ``option contains "not sure"``.
        effect: how far it moves the model toward the right choice in this task, larger is more;
            comparable within one model and task only.
    """

    benchmark: str
    task: str
    feature: str
    effect: float


@runtime_checkable
class FittedModel(AnyModel, Protocol):
    """A model that is cross-validated on the very trials it answers."""

    def describe(self, trials: Sequence[Trial]) -> Mapping[str, Any]:
        """Return everything that changes the answers to these trials, as plain data.

        That is the settings and the content of all trials with their targets, since every answer
        depends on all of them.
        """
        ...

    def answer_all(self, trials: Sequence[Trial], read_picture: ReadPicture) -> FittedAnswers:
        """Answer every trial from a fit that saw neither it nor its video.

        Args:
            trials: the trials.
            read_picture: gives the pictures of their requests.

        Raises:
            MediaError: a picture is not there any more.
        """
        ...


@runtime_checkable
class MatchingModel(AnyModel, Protocol):
    """A model that embeds pictures and texts and answers with the choice that lies nearest."""

    def describe(self) -> Mapping[str, Any]:
        """Return everything that changes answers, as for an asked model."""
        ...

    def prepare(
        self,
        trials: Sequence[Trial],
        read_picture: ReadPicture,
        artifacts: Path,
        listener: Callable[[int, int, int], None],
    ) -> None:
        """Embed what the trials show and is not kept yet, so that matching is quick.

        Args:
            trials: what will be answered.
            read_picture: gives the pictures of their requests.
            artifacts: a folder that keeps embeddings.
            listener: told how many pictures there are to embed, are embedded, and are lost.

        Raises:
            ModelUnavailable: the model cannot be used at all.
            RunError: the folder cannot be written.
        """
        ...

    def match(
        self, trials: Sequence[Trial], read_picture: ReadPicture, artifacts: Path
    ) -> Iterator[tuple[Trial, Answer | AskError]]:
        """Answer trials in any order, those about one video together.

        Args:
            trials: what to answer.
            read_picture: gives the pictures of their requests.
            artifacts: a folder that keeps embeddings, so that each picture is embedded once.

        Raises:
            ModelUnavailable: the model cannot be used at all.
            RunError: the folder cannot be written.
        """
        ...


Model = AskedModel | FittedModel | MatchingModel
"""Any kind of model."""


@dataclass(frozen=True, slots=True)
class Backend:
    """A way to get answers; a member of the family of models.

    Attributes:
        forms: the forms of a model's name after ``BACKEND/``, each with what it stands for.
        settings: names of the fields of ``ModelSettings`` that it reads; a change of any other is
            refused.
        open_model: makes a model from the rest of its name and the settings, without connecting to
            anything; raises ``SettingsError`` where one of them does not suit the backend.
    """

    forms: Mapping[str, str]
    settings: frozenset[str]
    open_model: Callable[[str, ModelSettings], Model]
