"""Answers with the choice nearest to the frames that are nearest to the question."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final

from video_oasis.embeddings.bag import (
    TOP_FRAMES,
    EmbeddedQuestion,
    letter_probabilities,
    pick_choice,
    score_choices,
)
from video_oasis.embeddings.embed import embed_timelines
from video_oasis.embeddings.encoders.interface import Encoder, make_encoder_id
from video_oasis.embeddings.features import read_features
from video_oasis.embeddings.frame_set import FrameSet, make_frame_set
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.embeddings.vectors import Vectors
from video_oasis.errors import AskError, AskRejected, SchemaError, SettingsError, UserError
from video_oasis.hashing import content_id
from video_oasis.media.frames import ReadPicture
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import NOTE_TEXT_CUT, Answer, Form, Trial

_VIDEOS_AT_ONCE: Final = 64
_PICTURES_AT_ONCE: Final = 32


class ClipModel:
    """An encoder of the CLIP family that answers from a bag of frames."""

    def __init__(self, encoder: Encoder, settings: ModelSettings) -> None:
        """Note what embeds and how its cosines become a choice."""
        self._encoder = encoder
        self._settings = settings

    @property
    def name(self) -> str:
        """The encoder, and the aggregation where it is not the mean."""
        aggregation = self._settings.aggregation
        suffix = "" if aggregation == ModelSettings().aggregation else f" ({aggregation})"
        return f"clip/{self._encoder.name}{suffix}"

    @property
    def forms(self) -> frozenset[Form]:
        """Texts to match with pictures."""
        return frozenset({Form.MATCHING})

    @property
    def max_frames(self) -> int | None:
        """The most frames of a bag; None for no limit."""
        return self._settings.max_frames

    def describe(self) -> Mapping[str, Any]:
        """Return the encoder's description and how its cosines become a choice."""
        description: dict[str, Any] = {
            "backend": "clip",
            "encoder": dict(self._encoder.describe()),
            "top_frames": TOP_FRAMES,
            "aggregation": self._settings.aggregation.value,
        }
        if self._settings.features:
            description["features"] = self._features_id
        return description

    @cached_property
    def _features_id(self) -> str:
        """Content id of the feature files.

        Raises:
            SettingsError: there are none.
        """
        folder = Path(self._settings.features)
        files = sorted(folder.glob("*.pt"))
        if not files:
            raise SettingsError(
                f"{self.name}: no feature files in {folder}; expected one NAME.pt for each video"
            )
        digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
        return content_id("features1", digests)

    def prepare(
        self,
        trials: Sequence[Trial],
        read_picture: ReadPicture,
        artifacts: Path,
        listener: Callable[[int, int, int], None],
    ) -> None:
        """Embed the pictures that are not kept yet; feature files are used as they are.

        Raises:
            ModelUnavailable: the encoder cannot be used.
            RunError: the folder cannot be written.
        """
        if not self._settings.features:
            embed_timelines(
                list(dict.fromkeys(map(_bag, trials))),
                read_picture,
                self._encoder,
                EmbeddingStore(artifacts / "embeddings"),
                batch=self._batch,
                listener=lambda done: listener(done.n_frames, done.n_done, done.n_lost),
            )

    @property
    def _batch(self) -> int:
        return self._settings.batch_size or _PICTURES_AT_ONCE

    def match(
        self, trials: Sequence[Trial], read_picture: ReadPicture, artifacts: Path
    ) -> Iterator[tuple[Trial, Answer | AskError]]:
        """Answer trials, those about one video after the other.

        Each picture is embedded once for all questions and kept. A video that has lost a picture is
        the failure of its trials.

        Raises:
            ModelUnavailable: the encoder cannot be used.
            RunError: the folder cannot be written.
        """
        store = EmbeddingStore(artifacts / "embeddings")
        encoder_id = make_encoder_id(self._encoder.describe())
        of_bag: dict[FrameSet, list[Trial]] = {}
        for trial in trials:
            of_bag.setdefault(_bag(trial), []).append(trial)
        bags = list(of_bag)
        for start in range(0, len(bags), _VIDEOS_AT_ONCE):
            portion = bags[start : start + _VIDEOS_AT_ONCE]
            if self._settings.features:
                for bag in portion:
                    yield from self._answer_from_file(bag, of_bag[bag])
                continue
            failures = embed_timelines(
                portion, read_picture, self._encoder, store, batch=self._batch
            )
            for bag in portion:
                failure = failures.get(bag.video)
                if failure is not None and store.missing(encoder_id, bag):
                    error = AskRejected(f"video_{failure.kind}", failure.message)
                    yield from ((trial, error) for trial in of_bag[bag])
                else:
                    yield from self._answer(store.load(encoder_id, bag), of_bag[bag])

    def _answer_from_file(
        self, bag: FrameSet, trials: Sequence[Trial]
    ) -> Iterator[tuple[Trial, Answer | AskError]]:
        name = PurePosixPath(trials[0].sample.video.path).stem
        file = Path(self._settings.features) / f"{name}.pt"
        try:
            frames = _read_features(file, len(bag.frames))
            outcomes: list[tuple[Trial, Answer | AskError]] = list(self._answer(frames, trials))
        except (UserError, SchemaError) as error:
            rejected = AskRejected("features_unusable", f"{file}: {error}")
            outcomes = [(trial, rejected) for trial in trials]
        yield from outcomes

    def _answer(
        self, frames: Vectors, trials: Sequence[Trial]
    ) -> Iterator[tuple[Trial, Answer | AskError]]:
        texts = [text for trial in trials for text in (trial.request.text, *trial.request.choices)]
        embedded = self._encoder.embed_texts(texts)
        questions = []
        is_cut = []
        at = 0
        for trial in trials:
            end = at + 1 + len(trial.request.choices)
            questions.append(EmbeddedQuestion(embedded.vectors[at], embedded.vectors[at + 1 : end]))
            is_cut.append(any(embedded.cut[at:end]))
            at = end
        scores = score_choices(frames, questions, self._settings.aggregation)
        for trial, of_trial, cut in zip(trials, scores, is_cut, strict=True):
            letter = trial.request.letters[pick_choice(of_trial, trial.request.id)]
            yield (
                trial,
                Answer(
                    text=letter,
                    letter_probabilities=letter_probabilities(of_trial, self._encoder.logit_scale),
                    note=NOTE_TEXT_CUT if cut else "",
                ),
            )


def _read_features(file: Path, n_frames: int) -> Vectors:
    frames = read_features(file)
    if len(frames) != n_frames:
        raise SchemaError(
            f"embeddings of {len(frames)} frames for a video of which {n_frames} are shown; "
            f"expected one for each"
        )
    return frames


def _bag(trial: Trial) -> FrameSet:
    sample = trial.sample
    return make_frame_set(sample.benchmark, sample.video.path, trial.request.frames)
