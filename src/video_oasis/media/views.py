"""Selects and orders frames: pure functions from frames to frames, fixed by content alone."""

from collections.abc import Sequence
from itertools import pairwise

from video_oasis.errors import SchemaError
from video_oasis.hashing import order_by_hash
from video_oasis.schema import Frame

Frames = tuple[Frame, ...]


def uniform(frames: Sequence[Frame], n: int) -> Frames:
    """Thin frames to the middle ones of n equal runs, or keep all if there are no more than n.

    Raises:
        SchemaError: n is below 1.
    """
    if n < 1:
        raise SchemaError(f"a view of {n} uniform frames; expected at least 1")
    if len(frames) <= n:
        return tuple(frames)
    return tuple(frames[(2 * i + 1) * len(frames) // (2 * n)] for i in range(n))


def centre(frames: Sequence[Frame]) -> Frames:
    """Return the middle frame, the later one of two."""
    return uniform(frames, 1)


def random_frame(frames: Sequence[Frame], *, seed: int, content: str) -> Frames:
    """Return one frame, fixed by the seed and the content."""
    return tuple(order_by_hash(frames, seed=seed, content=content)[:1])


def shuffle(frames: Sequence[Frame], *, seed: int, content: str) -> Frames:
    """Return the frames in an order fixed by the seed and the content, with new times."""
    return with_monotone_times(order_by_hash(frames, seed=seed, content=content))


def reverse(frames: Sequence[Frame]) -> Frames:
    """Return the frames backwards, with new times."""
    return with_monotone_times(frames[::-1])


def chunks(frames: Sequence[Frame], k: int, n: int) -> tuple[Frames, ...]:
    """Cut frames into k consecutive runs of equal length (±1), each thinned to at most n.

    Fewer than k frames make as many chunks as there are frames. Of a timeline of k × n uniform
    frames each chunk holds the n uniform frames of its own k-th of the window.

    Raises:
        SchemaError: k or n is below 1.
    """
    if k < 1:
        raise SchemaError(f"a view of {k} chunks; expected at least 1")
    k = min(k, len(frames))
    bounds = [i * len(frames) // k for i in range(k + 1)] if k else []
    return tuple(uniform(frames[start:end], n) for start, end in pairwise(bounds))


def with_monotone_times(frames: Sequence[Frame]) -> Frames:
    """Give reordered frames new times, evenly spaced over the same span from 0.

    Models that write a frame's time into the prompt would otherwise be told the original order.
    Frames that are in order of time already are returned as they are.
    """
    if all(first.seconds < second.seconds for first, second in pairwise(frames)):
        return tuple(frames)
    times = [frame.seconds for frame in frames]
    step = (max(times) - min(times)) / (len(frames) - 1) or 1.0
    return tuple(Frame(frame.digest, i * step) for i, frame in enumerate(frames))
