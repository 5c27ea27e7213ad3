"""Picks the frames that matter to a question from how relevant each is: pure functions of numbers.

Relevance is any score of each candidate frame, in order of time, larger for frames that have more
to do with the question. Of equally relevant frames the earlier is taken.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from video_oasis.errors import SchemaError

PEAK: Final = 0.8
"""How far the best frames of a stretch must lie above its mean to be taken without splitting it, as
a share of the span from the least to the most relevant frame of the video."""

MOST_SPLITS: Final = 5
"""How often a stretch is split at most."""

_Scores = npt.NDArray[np.float64]


def pick_top(relevance: Sequence[float], n: int) -> tuple[int, ...]:
    """Return the positions of the n most relevant frames, or of all if there are no more.

    Args:
        relevance: of each candidate frame.
        n: how many to pick.

    Returns:
        The positions, ascending.

    Raises:
        SchemaError: n is below 1, or a score is not finite.
    """
    scores = _check(relevance, n)
    return tuple(sorted(_find_best(scores, n)))


def pick_adaptively(relevance: Sequence[float], n: int) -> tuple[int, ...]:
    """Return the positions of n frames that are both relevant and spread over the video.

    Adaptive keyframe sampling (arXiv 2502.21271): where the n best frames of a stretch stand out
    from it, they are taken, wherever they lie. Otherwise nothing in it is clearly the place to
    look, so it is split in two, and each half gets half of the frames, judged in the same way. An
    odd frame goes to the half with the more relevant best frame, so n frames always come out.

    Args:
        relevance: of each candidate frame.
        n: how many to pick.

    Returns:
        The positions, ascending; all if there are no more than n.

    Raises:
        SchemaError: n is below 1, or a score is not finite.
    """
    scores = _check(relevance, n)
    if not len(scores):
        return ()
    span = scores.max() - scores.min()
    scaled = (scores - scores.min()) / (span or 1.0)
    return tuple(sorted(_judge(scaled, n, n_splits=0)))


def _judge(scores: _Scores, n: int, n_splits: int) -> list[int]:
    best = _find_best(scores, n)
    stands_out = scores[best].mean() - scores.mean() > PEAK
    if n >= len(scores) or n == 1 or stands_out or n_splits == MOST_SPLITS:
        return best
    middle = len(scores) // 2
    first, second = scores[:middle], scores[middle:]
    n_first = (n + 1) // 2 if first.max() >= second.max() else n // 2
    return [
        *_judge(first, n_first, n_splits + 1),
        *(middle + each for each in _judge(second, n - n_first, n_splits + 1)),
    ]


def _find_best(scores: _Scores, n: int) -> list[int]:
    best: list[int] = np.argsort(-scores, kind="stable")[:n].tolist()
    return best


def _check(relevance: Sequence[float], n: int) -> _Scores:
    if n < 1:
        raise SchemaError(f"{n} keyframes; expected at least 1")
    scores: npt.NDArray[Any] = np.asarray(relevance, np.float64)
    if not np.isfinite(scores).all():
        raise SchemaError("the relevance of a frame is not finite; expected a number for each")
    return scores
