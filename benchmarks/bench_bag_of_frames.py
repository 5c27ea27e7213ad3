"""Measures Bag-of-Frames in one matrix product against a plain loop over questions and frames.

    python benchmarks/bench_bag_of_frames.py

1,000 frames, 10 questions with 5 choices each, vectors of 768 numbers. Both ways give the same
scores, which is checked. The least time of several runs counts; both ways run in this process with
whatever threads NumPy's matrix product takes.
"""

import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import numpy as np

from video_oasis.embeddings.aggregation import Aggregation
from video_oasis.embeddings.bag import (
    TOP_FRAMES,
    EmbeddedQuestion,
    Scores,
    pick_choice,
    score_choices,
)
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.embeddings.vectors import Vectors, unit_rows
from video_oasis.media.frames import Timeline
from video_oasis.media.sampling import PerSecond, Sampling
from video_oasis.schema import Frame

N_FRAMES, N_QUESTIONS, N_CHOICES, SIZE = 1000, 10, 5, 768
REPEATS = 30

T = TypeVar("T")


def score_in_a_loop(
    frames: Vectors, questions: list[EmbeddedQuestion], aggregation: Aggregation
) -> list[Scores]:
    """One cosine at a time, NumPy for the products of two vectors only."""
    exact = frames.astype(np.float64)
    scores = []
    for each in questions:
        question, choices = each.question.astype(np.float64), each.choices.astype(np.float64)
        likeness = [float(frame @ question) for frame in exact]
        best = sorted(range(len(exact)), key=lambda i: (-likeness[i], i))[:TOP_FRAMES]
        of_choices = []
        for choice in choices:
            cosines = [float(exact[i] @ choice) for i in best]
            is_mean = aggregation is Aggregation.MEAN
            of_choices.append(sum(cosines) / len(cosines) if is_mean else max(cosines))
        scores.append(np.array(of_choices))
    return scores


def measure(call: Callable[[], T]) -> tuple[float, T]:
    """Return the least wall seconds of some runs, and what the last returned."""
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    return min(seconds), result


def compare() -> None:
    rng = np.random.default_rng(0)
    frames = unit_rows(rng.standard_normal((N_FRAMES, SIZE)), "frames")
    questions = [
        EmbeddedQuestion(
            unit_rows(rng.standard_normal((1, SIZE)), "question")[0],
            unit_rows(rng.standard_normal((N_CHOICES, SIZE)), "choices"),
        )
        for _ in range(N_QUESTIONS)
    ]
    print(f"{N_FRAMES} frames x {N_QUESTIONS} questions x {N_CHOICES} choices, {SIZE} numbers each")
    for way in Aggregation:
        product, ours = measure(partial(score_choices, frames, questions, way))
        loop, plain = measure(partial(score_in_a_loop, frames, questions, way))
        for number, (first, second) in enumerate(zip(ours, plain, strict=True)):
            assert np.allclose(first, second, rtol=0, atol=1e-8), (first, second)
            assert pick_choice(first, str(number)) == pick_choice(second, str(number))
        print(
            f"  {way.value:<5} one product {1e3 * product:7.2f} ms   loop {1e3 * loop:7.2f} ms   "
            f"ratio {loop / product:5.1f}   scores equal"
        )
    with tempfile.TemporaryDirectory() as folder:
        measure_store(EmbeddingStore(Path(folder)), frames)


def measure_store(store: EmbeddingStore, frames: Vectors) -> None:
    digests = [f"{number:040x}" for number in range(N_FRAMES)]
    shown = tuple(Frame(digest, float(i)) for i, digest in enumerate(digests))
    timeline = Timeline("video", Sampling(PerSecond(1, 2048)), shown, float(N_FRAMES), N_FRAMES)
    for start in range(0, N_FRAMES, 256):
        store.keep("encoder", "video", digests[start : start + 256], frames[start : start + 256])
    seconds, loaded = measure(partial(store.load, "encoder", timeline))
    assert np.array_equal(loaded, frames)
    print(f"  read back from the store {1e3 * seconds:.2f} ms")


if __name__ == "__main__":
    compare()
