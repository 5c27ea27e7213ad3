"""Answers an open question with the reference that similar questions on other videos have most."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer

from video_oasis.answers.cleaning import fold
from video_oasis.hashing import content_id
from video_oasis.media.frames import ReadPicture
from video_oasis.models.interface import FittedAnswers
from video_oasis.schema import Answer, Form, Sample, Trial

N_NEIGHBOURS: Final = 15
_ROWS_AT_ONCE: Final = 256


class SimilarQuestions:
    """A model that sees the wording of questions, and the references of those on other videos.

    Likeness is the cosine of TF-IDF vectors of words and pairs of words; the references of the
    nearest questions vote with it. Questions about the same video are never among them.
    """

    @property
    def name(self) -> str:
        """The name to show."""
        return "recall/similar_questions"

    @property
    def forms(self) -> frozenset[Form]:
        """Open questions only."""
        return frozenset({Form.OPEN})

    @property
    def max_frames(self) -> int:
        """None: it sees no pictures."""
        return 0

    def describe(self, trials: Sequence[Trial]) -> Mapping[str, Any]:
        """Return the settings and the content of the questions with their references."""
        asked = [
            (each.id, each.video.path, each.question, each.choices)
            for each in (trial.sample for trial in trials)
        ]
        return {
            "backend": "recall",
            "model": "similar_questions",
            "n_neighbours": N_NEIGHBOURS,
            "questions": content_id("recall1", asked),
        }

    def answer_all(self, trials: Sequence[Trial], read_picture: ReadPicture) -> FittedAnswers:  # noqa: ARG002
        """Answer every question from those on other videos; without any, with nothing."""
        samples = [trial.sample for trial in trials]
        return FittedAnswers([Answer(text) for text in _recall(samples)], findings=())


def _recall(samples: Sequence[Sample]) -> Iterator[str]:
    vectors = TfidfVectorizer(
        ngram_range=(1, 2), token_pattern=r"(?u)\w+|\S", sublinear_tf=True, dtype=np.float32
    ).fit_transform([sample.question for sample in samples])
    videos = np.unique([sample.video.path for sample in samples], return_inverse=True)[1]
    for start in range(0, len(samples), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        likeness = (vectors[rows] @ vectors.T).toarray()
        likeness[videos[rows, None] == videos[None, :]] = -1
        for of_one in likeness:
            yield _vote(of_one, samples)


def _vote(likeness: NDArray[np.float32], samples: Sequence[Sample]) -> str:
    """Return the reference that the nearest questions vote for; the nearer decides a tie."""
    # A stable order, so that equal likeness does not depend on the machine.
    nearest = np.argsort(-likeness, kind="stable")[:N_NEIGHBOURS]
    votes: dict[str, float] = defaultdict(float)
    wording: dict[str, str] = {}
    for index in nearest:
        if likeness[index] >= 0:
            (reference,) = samples[index].choices
            votes[fold(reference)] += float(likeness[index])
            wording.setdefault(fold(reference), reference)
    return wording[max(votes, key=votes.__getitem__)] if votes else ""
