"""The types that flow through an audit, and the columns of its long table.

Every type is frozen, checks itself when made, and holds plain data. Positions of choices are
zero-based indices everywhere; letters exist only in prompts and replies.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from video_oasis.errors import SchemaError
from video_oasis.hashing import content_id
from video_oasis.surrogates import replace_surrogates

METADATA_REFERENCE: Final = "reference"
"""Metadata key: the annotator's explanation of the right answer (text)."""
METADATA_SUBTITLES_PATH: Final = "subtitles_path"
"""Metadata key: the subtitle file, relative to the benchmark's subtitle folder (text)."""
METADATA_SUBTITLES_START: Final = "subtitles_start_seconds"
"""Metadata key: the time in the source video at which the clip's subtitles begin (number)."""
METADATA_SUBTITLES_TEXT: Final = "subtitles_text"
"""Metadata key: the subtitles themselves (text)."""
METADATA_TIME_REFERENCES: Final = "time_references_seconds"
"""Metadata key: where the evidence lies, as a list of ``[start, end]`` in seconds of the video."""


MAX_CHOICES: Final = 26
"""The most choices a sample can have: each is shown with one letter of the alphabet."""

SampleKey = tuple[str, str]
"""A sample among those of several benchmarks: its benchmark and its id."""


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise SchemaError(message)


def _is_time(seconds: float | None) -> bool:
    return seconds is None or (math.isfinite(seconds) and seconds >= 0)


@dataclass(frozen=True, slots=True)
class Video:
    """Which stretch of which video a sample is about.

    Attributes:
        path: where the benchmark says the video lies, below the folder its videos are kept in;
            ``/`` separates. Questions about one video share it.
        start_seconds: start of the clip window, or None for the start of the video.
        end_seconds: end of the clip window, or None for the end of the video.
        duration_seconds: published length of the whole video, None where none is published.
    """

    path: str
    start_seconds: float | None = None
    end_seconds: float | None = None
    duration_seconds: float | None = None

    def __post_init__(self) -> None:
        """Check that the video is named and the times are times.

        Raises:
            SchemaError: otherwise.
        """
        _require(bool(self.path), "video path is empty")
        for name in ("start_seconds", "end_seconds", "duration_seconds"):
            seconds = getattr(self, name)
            _require(
                _is_time(seconds), f"video {name} is {seconds!r}; expected a time of 0 or more"
            )


@dataclass(frozen=True, slots=True)
class Sample:
    """One multiple-choice question about one video.

    Attributes:
        id: unique within its benchmark and stable: the benchmark's own, or made from the row's
            content; never a position.
        benchmark: name of the benchmark it belongs to.
        video: the video and the clip window.
        question: the question's text, without choices; empty only where the benchmark's is.
        choices: the choices in published order, without labels.
        target: index of the right choice.
        task: the benchmark's own name for the kind of question.
        metadata: the published columns that have no field here, and the ``METADATA_*`` keys.
    """

    id: str
    benchmark: str
    video: Video
    question: str
    choices: tuple[str, ...]
    target: int
    task: str
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the id, the choices and the target, and make the metadata read-only.

        Raises:
            SchemaError: one of them breaks its rule.
        """
        _require(bool(self.id), "sample id is empty")
        _require(bool(self.benchmark), f"sample {self.id!r}: benchmark is empty")
        _require(len(self.choices) > 0, f"sample {self.id!r}: no choices")
        _require(
            len(self.choices) <= MAX_CHOICES,
            f"sample {self.id!r}: {len(self.choices)} choices; at most {MAX_CHOICES} can be shown "
            f"with one letter each",
        )
        _require(
            0 <= self.target < len(self.choices),
            f"sample {self.id!r}: target is {self.target}; expected an index into "
            f"{len(self.choices)} choices",
        )
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    def answer(self, choice: int) -> int:
        """Return the first choice whose text equals this choice's text.

        Choices of equal text are one answer: picking either is picking both.
        """
        return self.choices.index(self.choices[choice])

    @property
    def n_answers(self) -> int:
        """Number of choices that differ in their text."""
        return len(set(self.choices))

    @property
    def chance(self) -> float:
        """Chance level as the field reports it: one over the number of published choices.

        Where the right choice's text stands among the choices twice, guessing does better.
        """
        return 1 / len(self.choices)

    def is_correct(self, choice: int) -> bool:
        """Tell whether picking this choice is right."""
        return self.choices[choice] == self.choices[self.target]


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that has no choices and is answered in words.

    Attributes:
        id: as for a sample.
        benchmark: as for a sample.
        video: as for a sample.
        question: the question's text.
        reference: the published answer, as text.
        task: as for a sample.
        metadata: as for a sample.
    """

    id: str
    benchmark: str
    video: Video
    question: str
    reference: str
    task: str
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the id and make the metadata read-only.

        Raises:
            SchemaError: the id or the benchmark is empty.
        """
        _require(bool(self.id), "open question id is empty")
        _require(bool(self.benchmark), f"open question {self.id!r}: benchmark is empty")
        object.__setattr__(self, "metadata", MappingProxyType(dict(self.metadata)))

    def as_sample(self) -> Sample:
        """Return the question as a sample whose only choice is the reference.

        What shows videos and asks models works on samples. Nothing that is made of this one may
        show its choice.
        """
        return Sample(
            id=self.id,
            benchmark=self.benchmark,
            video=self.video,
            question=self.question,
            choices=(self.reference,),
            target=0,
            task=self.task,
            metadata=self.metadata,
        )


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row that should be a sample or an open question and can be neither.

    Attributes:
        benchmark: name of the benchmark.
        file: the file it stands in, relative to the benchmark's folder.
        row: its number in that file, from 1; for a person to find it, never an identity.
        id: the sample id it would have had, empty if it has none.
        field: the published column at fault.
        code: a constant word for the kind of fault, such as ``target_out_of_range``.
        message: what was found and what was expected.
        has_choices: whether the row has choices; without, it would have been an open question. None
            where that cannot be told.
    """

    benchmark: str
    file: str
    row: int
    id: str
    field: str
    code: str
    message: str
    has_choices: bool | None = None

    def __str__(self) -> str:
        """Say where the row is and what is wrong with it, in one line."""
        named = f" ({self.id})" if self.id else ""
        return f"{self.benchmark} {self.file} row {self.row}{named}, {self.field}: {self.message}"


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture, and when a model is told it appears.

    Attributes:
        digest: the picture's name in the frame store, made from its content.
        seconds: time since the video's first frame.
    """

    digest: str
    seconds: float


class Form(StrEnum):
    """What a request asks for."""

    QUESTION = "question"
    """A worded question with its choices, to be answered with a letter."""
    MATCHING = "matching"
    """A question and choices as texts of their own, to be matched with pictures."""
    OPEN = "open"
    """A worded question without choices, to be answered in words."""


@dataclass(frozen=True, slots=True)
class ReplyField:
    """One field of a JSON object that a request asks for.

    Attributes:
        name: its name.
        values: what it may hold.
    """

    name: str
    values: tuple[str | int, ...]


@dataclass(frozen=True)
class Request:
    """Exactly what a model is shown, and nothing else.

    Attributes:
        system: the system message; empty for none.
        text: the user message.
        letters: the letters of the choices as the text shows them, in the order shown; none where
            the text asks for something else than a choice.
        frames: the pictures shown, in the order shown: several are a video with increasing times,
            a single one is an image without a time.
        choices: for a model that matches texts with pictures, the choices as texts of their own, in
            the order of the letters; empty where they are part of the text.
        fields: the fields of the JSON object that the text asks for, to which a model that can be
            held to a schema is held; empty where it asks for a letter, or for words.
    """

    system: str
    text: str
    letters: tuple[str, ...]
    frames: tuple[Frame, ...] = ()
    choices: tuple[str, ...] = ()
    fields: tuple[ReplyField, ...] = ()

    def __post_init__(self) -> None:
        """Check the text, the letters, the times and the choices; mend half characters.

        Raises:
            SchemaError: otherwise.
        """
        object.__setattr__(self, "system", replace_surrogates(self.system))
        object.__setattr__(self, "text", replace_surrogates(self.text))
        object.__setattr__(self, "choices", tuple(map(replace_surrogates, self.choices)))
        _require(bool(self.text), "request text is empty")
        _require(len(set(self.letters)) == len(self.letters), "request letters repeat")
        _require(
            all(first.seconds < second.seconds for first, second in pairwise(self.frames)),
            "request frames are not in the order of their times; reordered frames need new times",
        )
        _require(
            len(self.choices) in (0, len(self.letters)),
            f"request has {len(self.choices)} choices and {len(self.letters)} letters",
        )

    @cached_property
    def id(self) -> str:
        """Content id over everything the model is shown."""
        shown: dict[str, Any] = {
            "system": self.system,
            "text": self.text,
            "letters": list(self.letters),
        }
        if self.frames:
            shown["frames"] = list(self.pictures)
        if len(self.frames) > 1:
            shown["seconds"] = [frame.seconds for frame in self.frames]
        if self.choices:
            shown["choices"] = list(self.choices)
        if self.fields:
            shown["fields"] = [[field.name, list(field.values)] for field in self.fields]
        return content_id("request1", shown)

    @property
    def pictures(self) -> tuple[str, ...]:
        """The digests of the frames, in the order shown."""
        return tuple(frame.digest for frame in self.frames)


@dataclass(frozen=True)
class Trial:
    """One sample under one diagnostic, ready to be asked.

    Attributes:
        sample: the sample.
        diagnostic: name of the diagnostic.
        part: which of several requests that the diagnostic makes of one sample; 0 for the only one.
        request: what the model is shown.
        order: the original index of the choice at each shown position.
        rotation: by how many positions the choices are shown rotated, 0 for the diagnostic's own
            order; a vote counts every rotation asked.
        context: what the request's text says besides question and choices, such as a transcript.
    """

    sample: Sample
    diagnostic: str
    part: int
    request: Request
    order: tuple[int, ...]
    rotation: int = 0
    context: str = ""

    def __post_init__(self) -> None:
        """Check that the order is a permutation of the sample's choices.

        Raises:
            SchemaError: it is not, or the request has letters and another number of them.
        """
        n_choices = len(self.sample.choices)
        _require(
            sorted(self.order) == list(range(n_choices)),
            f"trial of sample {self.sample.id!r}: order {self.order} is no permutation of "
            f"{n_choices} choices",
        )
        _require(
            len(self.request.letters) in (0, n_choices),
            f"trial of sample {self.sample.id!r}: {len(self.request.letters)} letters for "
            f"{n_choices} choices",
        )

    @property
    def shown_choices(self) -> tuple[str, ...]:
        """The choices in the order the model sees them."""
        return tuple(self.sample.choices[index] for index in self.order)


class FinishReason(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    LENGTH = "length"
    FILTERED = "filtered"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens that one call took, as the server counts them; None where it does not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model replied, as it came but for half characters; stored once and never edited.

    Attributes:
        text: the reply.
        finish_reason: why it ended.
        usage: tokens taken.
        letter_probabilities: for models that score every letter, the probability of each letter of
            the request in the order shown, summing to one; None for a plain reply.
        note: a constant word on how it came about, such as ``NOTE_TEXT_CUT``; mostly empty.
    """

    text: str
    finish_reason: FinishReason = FinishReason.STOP
    usage: Usage = Usage()
    letter_probabilities: tuple[float, ...] | None = None
    note: str = ""

    def __post_init__(self) -> None:
        """Mend half characters, which a model that is cut off in the middle of one leaves."""
        object.__setattr__(self, "text", replace_surrogates(self.text))


NOTE_TEXT_CUT: Final = "text_cut"
"""Note on an answer: the question or a choice was longer than the model reads, and lost its end."""


class Status(StrEnum):
    """What became of one trial asked of one model."""

    OK = "ok"
    """A choice was read from the reply."""
    UNPARSED = "unparsed"
    """There is a reply, and no one choice can be read from it."""
    REFUSED = "refused"
    """The model declined to answer."""
    ERROR = "error"
    """Asking failed, or the reply is a server's failure text."""
    MISSING = "missing"
    """It has not been asked yet."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reply says.

    Attributes:
        status: ok, unparsed, refused or error.
        position: the shown position of the choice picked; None unless the status is ok.
        reason: a constant word for why there is none, such as ``several_candidates``; empty if ok.
    """

    status: Status
    position: int | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Check that there is a position if and only if the status is ok.

        Raises:
            SchemaError: otherwise.
        """
        _require(
            (self.position is not None) == (self.status is Status.OK),
            f"reading has status {self.status} and position {self.position}",
        )


LONG_TABLE_COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "benchmark": "String",
        "sample_id": "String",
        "video": "String",
        "task": "String",
        "diagnostic": "String",
        "part": "Int32",
        "rotation": "Int32",
        "model": "String",
        "draw": "Int32",
        "request": "String",
        "status": "String",
        "reason": "String",
        "prediction": "Int32",
        "correct": "Boolean",
        "target_probability": "Float64",
        "n_choices": "Int32",
    }
)
"""Columns of the long table and their polars types, one row for each (trial, model, draw).

``prediction`` is an index into the sample's choices, null unless ``status`` is ``ok``; so is
``correct``. ``reason`` says why there is no prediction. ``target_probability`` is the probability
that a scoring model gave the right choice, null for others: a bias score under ``blind``.
``n_choices`` counts the choices as published; chance is one over it. ``video`` is the
video's path, the unit that errors cluster by.
"""


MAX_GRADE: Final = 5
"""The highest score a judge gives; the lowest is 0."""


class GradeStatus(StrEnum):
    """What became of one answer given to one judge."""

    OK = "ok"
    """The judge says whether it is right, and gives a score."""
    INVALID = "invalid"
    """There is a reply, and no verdict with a score can be read from it."""
    ERROR = "error"
    """Asking failed."""
    MISSING = "missing"
    """It has not been asked yet, or there is no answer to judge."""


@dataclass(frozen=True, slots=True)
class Grade:
    """What a judge says about an answer.

    Attributes:
        status: what became of it.
        correct: whether the judge takes the answer for right; None unless the status is ok.
        score: how good it finds the answer, 0 to ``MAX_GRADE``; None unless the status is ok.
        reason: a constant word for why there is none, such as ``no_verdict``; empty if ok.
    """

    status: GradeStatus
    correct: bool | None = None
    score: float | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Check that there are a verdict and a score if and only if the status is ok.

        Raises:
            SchemaError: otherwise, or the score is out of range.
        """
        is_ok = self.status is GradeStatus.OK
        _require(
            (self.correct is not None) == is_ok == (self.score is not None),
            f"grade has status {self.status}, correct {self.correct} and score {self.score}",
        )
        _require(
            self.score is None or 0 <= self.score <= MAX_GRADE,
            f"grade has score {self.score}; expected 0 to {MAX_GRADE}",
        )


class Probe(StrEnum):
    """What an answer given to a judge is, if no model gave it.

    The right verdict of every probe is known, so that they tell how far a judge can be trusted.
    """

    NONE = ""
    """A model's answer."""
    ECHO = "echo"
    """The question's own reference: right."""
    ECHO_PADDED = "echo_padded"
    """The reference in a longer sentence: right."""
    SWAPPED = "swapped"
    """The reference of another question of the same kind: wrong."""
    SWAPPED_PADDED = "swapped_padded"
    """The same in a longer sentence: wrong."""

    @property
    def is_right(self) -> bool:
        """Whether a judge that can be trusted accepts it."""
        return self in (Probe.ECHO, Probe.ECHO_PADDED)


GRADE_TABLE_COLUMNS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "benchmark": "String",
        "sample_id": "String",
        "video": "String",
        "task": "String",
        "diagnostic": "String",
        "model": "String",
        "model_family": "String",
        "draw": "Int32",
        "probe": "String",
        "pair": "String",
        "reference": "String",
        "answer": "String",
        "answer_status": "String",
        "judge": "String",
        "judge_is_model": "Boolean",
        "judge_family": "String",
        "status": "String",
        "reason": "String",
        "correct": "Boolean",
        "score": "Float64",
    }
)
"""Columns of the grade table and their polars types: one row for each answer and judge.

``diagnostic`` is what the answering ``model`` was shown; both and ``model_family`` are empty in the
rows of probes. ``pair`` is the content id of question, reference and answer: equal answers to one
question share it. ``answer`` is null unless ``answer_status`` is ``ok``; then ``status`` is
``missing`` and ``reason`` says why there is nothing to judge. ``correct`` and ``score`` (0 to
``MAX_GRADE``) are null unless ``status`` is ``ok``. A judge that is no model is a rule;
``judge_family`` is empty for a rule, and for a model whose family is not known.
"""
