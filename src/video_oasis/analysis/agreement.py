"""How alike the models of a test answer, beyond what their habits make likely."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from video_oasis.analysis.cells import Level
from video_oasis.analysis.frames import build_frame
from video_oasis.analysis.grid import AnswerGrid, number_runs
from video_oasis.errors import SchemaError


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """Agreement of two models in one test.

    Attributes:
        level: ``benchmark`` or ``pooled``.
        benchmark: empty if pooled.
        test: the diagnostic.
        model: the first model.
        other_model: the second model.
        n: samples that both answered, first draw, with status ok.
        same: share of them with the same prediction.
        expected: the share that their frequencies of each choice index make likely by themselves.
        kappa: (same - expected) / (1 - expected), Cohen's; null where expected is 1.
        phi: correlation of being right; null where a model is always right or always wrong.
    """

    level: str
    benchmark: str
    test: str
    model: str
    other_model: str
    n: int
    same: float | None
    expected: float | None
    kappa: float | None
    phi: float | None


def measure_agreement(grid: AnswerGrid) -> pl.DataFrame:
    """Measure the agreement of every two models of every test.

    Returns:
        A frame with the columns of ``AgreementRow``, for each benchmark and pooled; pairs that
        share no answered sample are left out.

    Raises:
        SchemaError: a diagnostic makes several requests of one sample.
    """
    if grid.parted:
        raise SchemaError(
            f"diagnostic {', '.join(sorted(grid.parted))}: several requests for one sample; leave "
            f"it out of the tests"
        )
    return build_frame(AgreementRow, _measure(grid)).filter(pl.col("n") > 0)


def _measure(grid: AnswerGrid) -> Iterator[dict[str, Any]]:
    if not grid.slots:
        return
    starts, _ = number_runs(grid.samples, "benchmark")
    ends = [*starts[1:].tolist(), grid.samples.height]
    spans = [
        (Level.BENCHMARK, grid.samples["benchmark"][start], slice(start, end))
        for start, end in zip(starts.tolist(), ends, strict=True)
    ]
    for level, benchmark, span in [*spans, (Level.POOLED, "", slice(None))]:
        for test, slots in grid.tests.items():
            for first, second in combinations(range(slots.start, slots.stop), 2):
                yield {
                    "level": level.value,
                    "benchmark": benchmark,
                    "test": test,
                    "model": grid.slots[first].model,
                    "other_model": grid.slots[second].model,
                    **_compare(
                        grid.prediction[[first, second], span],
                        grid.is_right[[first, second], span],
                    ),
                }


def _compare(prediction: NDArray[np.int16], is_right: NDArray[np.bool_]) -> dict[str, int | float]:
    both = (prediction >= 0).all(axis=0)
    n = int(np.count_nonzero(both))
    if not n:
        return {"n": 0, "same": np.nan, "expected": np.nan, "kappa": np.nan, "phi": np.nan}
    ours, theirs = prediction[:, both]
    n_indices = int(max(ours.max(), theirs.max())) + 1
    same = np.count_nonzero(ours == theirs) / n
    expected = float(
        np.bincount(ours, minlength=n_indices) @ np.bincount(theirs, minlength=n_indices) / n**2
    )
    right, other_right = is_right[:, both]
    p, q = np.count_nonzero(right) / n, np.count_nonzero(other_right) / n
    joint = np.count_nonzero(right & other_right) / n
    spread = math.sqrt(p * (1 - p) * q * (1 - q))
    return {
        "n": n,
        "same": same,
        "expected": expected,
        "kappa": (same - expected) / (1 - expected) if expected < 1 else np.nan,
        "phi": (joint - p * q) / spread if spread > 0 else np.nan,
    }
