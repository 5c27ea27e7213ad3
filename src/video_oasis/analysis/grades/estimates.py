"""Weighted shares of many columns at once, with intervals that resample whole videos."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from video_oasis.analysis.bootstrap import (
    Floats,
    Resampling,
    divide,
    percentile_interval,
    spread_constants,
    subtract_shares,
)
from video_oasis.analysis.cells import Level, Sampled, sum_cells


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval.

    Attributes:
        value: None if there is nothing to take it over.
        low: lower end of the interval; None with fewer than two videos, and for a correlation or
            kappa that no resample changes, as is the upper end.
        high: its upper end.
    """

    value: float | None
    low: float | None
    high: float | None


NO_ESTIMATE: Final = Estimate(None, None, None)

_SAME: Final = 1e-5
"""Replicates that lie closer than this differ by rounding alone."""

Parts = Mapping[str, tuple[Floats, Floats]]
"""By name the numerators and the weights of shares, both U x C, where the shares are sums of the
one over sums of the other."""


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """The C shares of one name over one cell.

    Attributes:
        values: the shares, NaN where no weight is.
        weights: the sums of the weights.
        n_videos: videos with any weight.
        can_resample: whether there are enough of those.
        replicates: C x resamples.
        totals: the sums of the numerators.
        squares: the sums over videos of the squared sums of the numerators.
        confidence: share of the replicates that lies within an interval.
    """

    values: Floats
    weights: Floats
    n_videos: NDArray[np.intp]
    can_resample: NDArray[np.bool_]
    replicates: Floats
    totals: Floats
    squares: Floats
    confidence: float

    def spread(self, seed: int) -> Floats:
        """Return the replicates, where constant spread apart from those of other seeds."""
        spread = spread_constants(self.replicates, self.values, self.n_videos)
        # Spread replicates stand in order of size, and would move with those of other shares.
        constant = (self.values == 0) | (self.values == 1)
        order = np.random.default_rng(seed).permutation(spread.shape[1])
        return np.where(constant[:, None], spread[:, order], spread)


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """The shares over one task, one benchmark or all of them.

    Attributes:
        level: task, benchmark or pooled.
        benchmark: empty if pooled.
        task: empty unless the level is task.
        shares: by name.
    """

    level: Level
    benchmark: str
    task: str
    shares: Mapping[str, Shares]

    def __getitem__(self, name: str) -> Shares:
        """Return the shares of a name."""
        return self.shares[name]


def measure_shares(units: Sampled, parts: Parts, resampling: Resampling) -> Iterator[Cell]:
    """Measure shares over every task, every benchmark and all of them.

    Args:
        units: the U things to resample, by the video that each lies with.
        parts: what to measure of them.
        resampling: how to resample.

    Yields:
        For each benchmark its tasks and then itself; at the end all of them pooled.
    """
    columns = [each for pair in parts.values() for each in pair]
    ends = np.cumsum([each.shape[1] for each in columns]).tolist()
    spans = [slice(end - each.shape[1], end) for end, each in zip(ends, columns, strict=True)]

    def read(span: slice) -> Floats:
        return np.concatenate([each[span] for each in columns], axis=1, dtype=np.float64)

    for cell in sum_cells(units, read, resampling):
        yield Cell(
            level=cell.level,
            benchmark=cell.benchmark,
            task=cell.task,
            shares={
                name: Shares(
                    values=divide(cell.totals[top], cell.totals[bottom]),
                    weights=cell.totals[bottom],
                    n_videos=cell.support[bottom],
                    can_resample=cell.can_resample[bottom],
                    replicates=divide(cell.resampled[top], cell.resampled[bottom]),
                    totals=cell.totals[top],
                    squares=cell.squares[top],
                    confidence=resampling.confidence,
                )
                for name, top, bottom in zip(parts, spans[::2], spans[1::2], strict=True)
            },
        )


def measure_pooled(units: Sampled, parts: Parts, resampling: Resampling) -> Cell | None:
    """Measure shares over all units alone; None if there are none."""
    cells = list(measure_shares(units, parts, resampling))
    return cells[-1] if cells else None


def average(values: Floats, axis: int | tuple[int, ...]) -> tuple[Floats, Floats]:
    """Average what is not NaN along axes.

    Returns:
        The averages, 0 where there are none, and 1 where there is one, else 0.
    """
    n = np.count_nonzero(~np.isnan(values), axis=axis)
    return np.nansum(values, axis=axis) / np.maximum(n, 1), (n > 0).astype(np.float64)


def split_signed(values: Floats, weights: Floats, *, name: str, bound: float = 1) -> Parts:
    """Part signed values into what is above 0 and what is below, as ``estimate_signed`` has them.

    Args:
        values: U x C, 0 where there is no weight.
        weights: U x C.
        name: what to call them.
        bound: no value lies further from 0.
    """
    return {
        f"{name}_above": (weights * np.maximum(values, 0) / bound, weights),
        f"{name}_below": (weights * np.maximum(-values, 0) / bound, weights),
    }


def replicate_signed(cell: Cell, name: str) -> tuple[Floats, Floats]:
    """Return means of signed values and their replicates, as shares of the bound."""
    above, below = cell[f"{name}_above"], cell[f"{name}_below"]
    replicates = subtract_shares(
        above.replicates,
        below.replicates,
        shares=(above.values, below.values),
        n_clusters=(above.n_videos, below.n_videos),
    )
    return above.values - below.values, replicates


def estimate_signed(cell: Cell, name: str, *, bound: float = 1) -> list[Estimate]:
    """Estimate the means of signed values."""
    values, replicates = replicate_signed(cell, name)
    above = cell[f"{name}_above"]
    return estimate(bound * values, bound * replicates, above.can_resample, above.confidence)


def estimate_shares(shares: Shares, *, bound: float = 1) -> list[Estimate]:
    """Estimate shares, or means of what lies between 0 and a bound."""
    replicates = spread_constants(shares.replicates, shares.values, shares.n_videos)
    return estimate(
        bound * shares.values, bound * replicates, shares.can_resample, shares.confidence
    )


def differ(replicates: Floats) -> NDArray[np.bool_]:
    """Tell in which rows replicates differ: an interval of none that do would claim certainty."""
    known = ~np.isnan(replicates)
    highest = np.max(replicates, axis=1, initial=-np.inf, where=known)
    lowest = np.min(replicates, axis=1, initial=np.inf, where=known)
    differs: NDArray[np.bool_] = highest - lowest > _SAME
    return differs


def estimate(
    values: Floats, replicates: Floats, can_resample: NDArray[np.bool_], confidence: float
) -> list[Estimate]:
    """Put an interval around each value.

    Args:
        values: NaN where there is nothing to estimate.
        replicates: values x resamples.
        can_resample: whether there are enough videos, for each value.
        confidence: share of the replicates that lies within an interval.
    """
    ends = percentile_interval(
        replicates, np.where(can_resample, values, np.nan), confidence=confidence
    )
    return [
        Estimate(*(None if np.isnan(number) else float(number) for number in numbers))
        for numbers in zip(values, *ends, strict=True)
    ]
