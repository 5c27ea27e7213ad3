"""Answers questions from the frames of a video as a bag, without their order in time.

Of all frames those most like the question are kept, and the choice that is most like these frames
is the answer. Likeness is the cosine of embeddings.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from video_oasis.embeddings.aggregation import Aggregation
from video_oasis.embeddings.vectors import check_unit
from video_oasis.errors import SchemaError
from video_oasis.hashing import order_by_hash

Scores = npt.NDArray[np.float64]

TOP_FRAMES: Final = 32
"""How many of the frames most like the question are looked at."""

_DECIMALS: Final = 9
"""Cosines closer than this are a tie, or rounding would decide between equal frames."""


@dataclass(frozen=True, eq=False)
class EmbeddedQuestion:
    """A question and its choices as vectors of length one.

    Attributes:
        question: [d].
        choices: [k, d].
    """

    question: npt.NDArray[Any]
    choices: npt.NDArray[Any]


def score_choices(
    frames: npt.NDArray[Any],
    questions: Sequence[EmbeddedQuestion],
    aggregation: Aggregation,
    top_frames: int = TOP_FRAMES,
) -> list[Scores]:
    """Score the choices of questions about one video.

    Each question looks at the ``top_frames`` frames of the highest cosine with it, of equals at the
    earlier, or at all where there are no more.

    Args:
        frames: the video's frames, [n, d], of length one.
        questions: one or more, embedded in the same space.
        aggregation: how the cosines of a choice with the frames looked at become its score.
        top_frames: how many frames a question looks at.

    Returns:
        For each question the scores of its choices, [k], between −1 and 1.

    Raises:
        SchemaError: a vector is not finite or not of length one, or lengths do not agree.
    """
    if top_frames < 1 or not questions:
        raise SchemaError(
            f"{len(questions)} questions that look at {top_frames} frames; expected at least one "
            "question and one frame"
        )
    check_unit(frames, "frames")
    texts = _stack_texts(questions, frames.shape[1])
    # Frames of one picture tie exactly only if the products are more exact than what is compared.
    cosines = np.round(frames.astype(np.float64) @ texts.T, _DECIMALS)
    best = np.argsort(-cosines[:, : len(questions)], axis=0, kind="stable")[:top_frames]
    bounds = np.cumsum([len(questions), *(len(each.choices) for each in questions)])
    reduce = np.mean if aggregation is Aggregation.MEAN else np.max
    return [
        reduce(cosines[best[:, number], start:end], axis=0)
        for number, (start, end) in enumerate(pairwise(bounds))
    ]


def letter_probabilities(scores: Scores, logit_scale: float) -> tuple[float, ...]:
    """Return the probability of each choice: the softmax of its score times the logit scale.

    The scale is the encoder's own, learned with its weights: what turns its cosines into the logits
    it was trained on. A bias that some encoders add to every logit leaves the softmax unchanged.

    Args:
        scores: as ``score_choices`` gives them.
        logit_scale: the factor itself, not its logarithm.
    """
    exponentials = np.exp(logit_scale * (scores - scores.max()))
    return tuple((exponentials / exponentials.sum()).tolist())


def pick_choice(scores: Scores, content: str) -> int:
    """Return the position of the highest score; ties are broken by a hash of the content.

    Args:
        scores: as ``score_choices`` gives them.
        content: what the question is known by, such as a sample's id.
    """
    shown = order_by_hash(range(len(scores)), seed=0, content=content)
    return max(shown, key=lambda position: round(float(scores[position]), _DECIMALS))


def _stack_texts(questions: Sequence[EmbeddedQuestion], size: int) -> npt.NDArray[np.float64]:
    """Return all questions, then the choices of each in turn, as rows."""
    for each in questions:
        if each.question.shape != (size,) or each.choices.shape[1:] != (size,):
            raise SchemaError(
                f"a question of shape {each.question.shape} with choices of shape "
                f"{each.choices.shape} and frames of {size} numbers; expected vectors of one space"
            )
    rows = [each.question[None] for each in questions] + [each.choices for each in questions]
    texts = np.concatenate(rows).astype(np.float64)
    check_unit(texts, "questions and choices")
    return texts
