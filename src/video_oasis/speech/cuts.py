"""Cuts long sound where it is quiet, so that each part can be listened to alone."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from video_oasis.media.audio import SAMPLE_RATE

_SEARCHED_SECONDS: Final = 30
"""A cut lies in so many last seconds of what could be one part, or their last third if less."""
_STEP: Final = SAMPLE_RATE // 100
_QUIET_STEPS: Final = 40
"""The pause looked for is 0.4 s long."""


def cut_where_quiet(sound: npt.NDArray[Any], longest: int) -> Iterator[tuple[int, int]]:
    """Give the first sample and the end of each part; together they are the whole sound.

    A part that cannot be the last ends in the middle of the quietest 0.4 s, by energy, of the
    stretch searched. Parts do not overlap.

    Args:
        sound: samples at 16 kHz of any number type; may be mapped from a file.
        longest: the most samples of a part, at least 3 s of them.
    """
    start = 0
    while len(sound) - start > longest:
        searched = min(_SEARCHED_SECONDS * SAMPLE_RATE, longest // 3)
        end = start + longest
        cut = end - searched + _quietest(sound[end - searched : end])
        yield start, cut
        start = cut
    if start < len(sound):
        yield start, len(sound)


def _quietest(stretch: npt.NDArray[Any]) -> int:
    """Return the sample in the middle of the quietest pause."""
    n_steps = len(stretch) // _STEP
    steps = stretch[: n_steps * _STEP].astype(np.float64).reshape(n_steps, _STEP)
    energy = np.convolve((steps**2).sum(axis=1), np.ones(_QUIET_STEPS), mode="valid")
    return (int(energy.argmin()) + _QUIET_STEPS // 2) * _STEP
