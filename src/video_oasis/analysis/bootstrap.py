"""Bootstrap over clusters for ratios of sums, for many columns at once.

Questions about one video are not independent, so whole videos are drawn, and every column is summed
over the same draw: ratios, their differences and their quotients stay paired. It is the Poisson
bootstrap: each cluster comes a Poisson(1) number of times, independently of the others, which for
ratios of sums does what drawing with replacement does (Hanley and MacGibbon 2006), and resamples
any part of the clusters as if it were alone.
"""

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from video_oasis.errors import SettingsError

Floats = NDArray[np.floating]
Numbers = Floats | NDArray[np.integer]

MIN_CLUSTERS: Final = 2
"""Fewer clusters than this say nothing about the spread between them."""

# Cluster draws held at a time: bounds the memory for a million clusters.
_DRAWS_AT_ONCE = 1 << 22
# Sixteen random bits choose a count; finer steps would matter to one draw in 65,536.
_POISSON_QUANTILES: Final = np.searchsorted(
    np.cumsum([math.exp(-1) / math.factorial(count) for count in range(10)]),
    (np.arange(1 << 16) + 0.5) / (1 << 16),
).astype(np.float32)
_THREADS: Final = ThreadpoolController()


@dataclass(frozen=True, slots=True)
class ClusterSums:
    """Column sums within each cluster, for the clusters that some part of the data touches.

    Attributes:
        clusters: the number of each of the k clusters.
        sums: k x columns.
    """

    clusters: NDArray[np.intp]
    sums: Floats


@dataclass(frozen=True, slots=True)
class Resampling:
    """How intervals are made.

    Attributes:
        n_resamples: number of bootstrap replicates.
        confidence: share of the replicates that lies within an interval.
        seed: fixes the draws, together with the names of what is drawn from.
    """

    n_resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises:
            SettingsError: there is nothing to resample, or the confidence is no proper share.
        """
        if self.n_resamples < 1:
            raise SettingsError(f"n_resamples is {self.n_resamples}; expected 1 or more")
        if not 0 < self.confidence < 1:
            raise SettingsError(f"confidence is {self.confidence}; expected more than 0, below 1")


def seeded_generator(seed: int, *names: str) -> np.random.Generator:
    """Return a generator whose stream depends on the seed and the names alone."""
    digest = hashlib.sha256("\n".join([str(seed), *names]).encode("utf-8", "surrogatepass"))
    return np.random.default_rng(int.from_bytes(digest.digest()[:16], "big"))


def draw_counts(
    n_clusters: int, *, n_resamples: int, generator: np.random.Generator
) -> Iterator[NDArray[np.float32]]:
    """Draw how often each cluster comes in each resample, from the Poisson distribution of mean 1.

    Yields:
        Counts, clusters x resamples, a number of resamples at a time that bounds the memory.
    """
    at_once = max(1, _DRAWS_AT_ONCE // n_clusters)
    for start in range(0, n_resamples, at_once):
        n_draws = min(at_once, n_resamples - start)
        levels = generator.integers(
            0, len(_POISSON_QUANTILES), size=(n_clusters, n_draws), dtype=np.uint16
        )
        yield _POISSON_QUANTILES[levels]


def resample_sums(
    parts: Sequence[ClusterSums],
    *,
    n_clusters: int,
    n_resamples: int,
    generator: np.random.Generator,
) -> list[NDArray[np.float32]]:
    """Sum the columns of every part over the same draws of clusters.

    Args:
        parts: the parts whose columns to sum; a cluster may have a share in several.
        n_clusters: number of clusters in all parts together.
        n_resamples: number of draws.
        generator: source of the draws.

    Returns:
        For each part its sums, columns x draws.
    """
    # Single precision is ample for the spread between draws, and twice as fast.
    single = [part.sums.astype(np.float32) for part in parts]
    resampled: list[list[NDArray[np.float32]]] = [[] for _ in parts]
    # The products are too small to share between threads, which only wait for one another.
    with _THREADS.limit(limits=1, user_api="blas"):
        for counts in draw_counts(n_clusters, n_resamples=n_resamples, generator=generator):
            for part, sums, pieces in zip(parts, single, resampled, strict=True):
                pieces.append(sums.T @ counts[part.clusters])
    return [np.concatenate(pieces, axis=1) for pieces in resampled]


def divide(numerators: Numbers, denominators: Numbers) -> Floats:
    """Divide sums element by element; NaN where both are zero because nothing was summed."""
    with np.errstate(invalid="ignore"):
        quotients: Floats = np.true_divide(numerators, denominators)
    return quotients


def spread_constants(replicates: Floats, shares: Floats, n_clusters: NDArray[np.intp]) -> Floats:
    """Give shares of exactly 0 or 1 the spread that resampling cannot see.

    Where every cluster agrees, every replicate is the same and a percentile interval would have no
    width however few the clusters are. Their replicates are replaced by quantiles of the Beta
    distribution whose interval is the exact one-sided binomial bound of Clopper and Pearson, with
    the number of clusters as the number of trials.

    Args:
        replicates: columns x resamples, of shares.
        shares: the observed shares, one for each column.
        n_clusters: clusters that have any part in the share, one for each column.

    Returns:
        The replicates, changed in those columns.
    """
    constant = ((shares == 0) | (shares == 1)) & (n_clusters > 0)
    if not constant.any():
        return replicates
    n_resamples = replicates.shape[1]
    levels = (np.arange(n_resamples) + 0.5) / n_resamples
    near_one = levels ** (1 / n_clusters[constant, None])
    spread = replicates.copy()
    spread[constant] = np.where(shares[constant, None] == 1, near_one, 1 - near_one)
    return spread


def subtract_shares(
    first: Floats,
    second: Floats,
    *,
    shares: tuple[Floats, Floats],
    n_clusters: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Floats:
    """Return replicates of the difference of two shares, each first spread where it is constant.

    Two shares that resampling cannot tell from 0 or 1 spread against each other, not together.

    Args:
        first: replicates of the first share, columns x resamples.
        second: replicates of the second over the same draws.
        shares: the two observed shares, one for each column.
        n_clusters: clusters that have any part in each of the two.
    """
    return (
        spread_constants(first, shares[0], n_clusters[0])
        - spread_constants(second[:, ::-1], shares[1], n_clusters[1])[:, ::-1]
    )


def percentile_interval(
    replicates: Floats, estimates: Floats, *, confidence: float
) -> tuple[Floats, Floats]:
    """Return the lower and upper ends of percentile intervals, widened to hold the estimates.

    Args:
        replicates: columns x resamples; replicates that are NaN are left out of their column.
        estimates: one for each column.
        confidence: share of the replicates between the ends.

    Returns:
        Two arrays, one element for each column; NaN where the estimate is or all replicates are.
    """
    ordered = np.sort(replicates, axis=1)  # NaN last
    last = np.maximum(np.count_nonzero(~np.isnan(ordered), axis=1) - 1, 0)
    low = _interpolate(ordered, last * (1 - confidence) / 2)
    high = _interpolate(ordered, last * (1 + confidence) / 2)
    return np.minimum(low, estimates), np.maximum(high, estimates)


def _interpolate(ordered: Floats, positions: Floats) -> Floats:
    """Read each row at a position between its elements."""
    rows = np.arange(len(ordered))
    below = np.floor(positions).astype(np.intp)
    above = np.ceil(positions).astype(np.intp)
    share = positions - below
    return ordered[rows, below] * (1 - share) + ordered[rows, above] * share
