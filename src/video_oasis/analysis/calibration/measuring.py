"""Measures what detectors find of sets of planted samples, with intervals and luck."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import bdtrc

from video_oasis.analysis.bootstrap import (
    MIN_CLUSTERS,
    ClusterSums,
    Floats,
    Resampling,
    divide,
    percentile_interval,
    resample_sums,
    seeded_generator,
    spread_constants,
)
from video_oasis.analysis.calibration.detectors import Detector
from video_oasis.analysis.calibration.rows import FindingRow, Planted
from video_oasis.analysis.grid import AnswerGrid


@dataclass(frozen=True, slots=True)
class SampleSet:
    """A set of samples, by what was planted; all of them if both names are empty."""

    kind: str
    variant: str
    members: NDArray[np.bool_]

    def counted(self, detector: Detector) -> NDArray[np.bool_]:
        """Tell which samples count for a detector."""
        return self.members if self.kind else detector.judged


@dataclass(frozen=True, slots=True)
class Measured:
    """What one detector finds of one set: of what it should find, and of what it should not.

    Attributes:
        rows: the two findings.
        rates: the two rates in each resample, 2 x resamples.
        n_videos: the number of videos that each rate is of.
    """

    rows: tuple[FindingRow, FindingRow]
    rates: Floats
    n_videos: NDArray[np.intp]


def list_sets(planted: Sequence[Planted]) -> list[SampleSet]:
    """List all samples together, then each kind, then each variant of a kind."""
    kinds = sorted({each.kind for each in planted})
    variants = sorted({(each.kind, each.variant) for each in planted if each.variant})
    names = [("", ""), *((kind, "") for kind in kinds), *variants]
    return [
        SampleSet(
            kind,
            variant,
            np.array(
                [kind in ("", each.kind) and variant in ("", each.variant) for each in planted]
            ),
        )
        for kind, variant in names
    ]


def measure(
    detectors: Sequence[Detector],
    sets: Sequence[SampleSet],
    grid: AnswerGrid,
    resampling: Resampling,
) -> list[list[Measured]]:
    """Measure every detector on every set, all over the same draws of videos.

    Returns:
        For each set one element for each detector.
    """
    if not detectors:
        return [[] for _ in sets]
    videos, video_of = np.unique(
        grid.samples.select(pl.format("{}\n{}", "benchmark", "video")).to_series().to_numpy(),
        return_inverse=True,
    )
    # Samples x detectors x (should, should not) x (applies, known, found, null).
    values = np.array([_list_values(detector) for detector in detectors]).transpose(3, 0, 1, 2)
    parts = []
    for each in sets:
        counted = np.array([each.counted(detector) for detector in detectors]).T
        sums = np.zeros((len(videos), *values.shape[1:]))
        some = counted.any(axis=1)
        np.add.at(sums, video_of[some], values[some] * counted[some][:, :, None, None])
        parts.append(sums)
    resampled = resample_sums(
        [ClusterSums(np.arange(len(videos)), sums.reshape(len(videos), -1)) for sums in parts],
        n_clusters=len(videos),
        n_resamples=resampling.n_resamples,
        generator=seeded_generator(resampling.seed, *grid.benchmarks),
    )
    return [
        [
            _estimate(detector, each, sums[:, number], draws[number], resampling)
            for number, detector in enumerate(detectors)
        ]
        for each, sums, draws in zip(
            sets,
            parts,
            (each.reshape(*values.shape[1:], -1) for each in resampled),
            strict=True,
        )
    ]


def _list_values(detector: Detector) -> Floats:
    """Return (should, should not) x (applies, known, found, null) x samples."""
    columns = np.array(
        [
            detector.applies,
            detector.known,
            detector.found,
            np.where(detector.known, np.nan_to_num(detector.null), 0),
        ]
    )
    values: Floats = columns * np.array(detector.roles)[:, None]
    return values


def _estimate(
    detector: Detector, samples: SampleSet, sums: Floats, draws: Floats, resampling: Resampling
) -> Measured:
    """Estimate from video sums (videos x roles x measures) and their resamples."""
    n, known, found, nulls = np.moveaxis(sums.sum(axis=0), -1, 0)
    _, drawn_known, drawn_found, drawn_nulls = np.moveaxis(draws, 1, 0)
    n_videos = np.count_nonzero(sums[:, :, 1], axis=0)
    has_null = not np.isnan(detector.null).all()
    rate = divide(found, known)
    null = divide(nulls, known) if has_null else np.full(2, np.nan)
    drawn_rates = divide(drawn_found, drawn_known)
    rates = spread_constants(drawn_rates, rate, n_videos)
    excesses = rates - divide(drawn_nulls, drawn_known)
    low, high = percentile_interval(
        np.concatenate([rates, excesses]),
        np.where(np.tile(n_videos >= MIN_CLUSTERS, 2), np.concatenate([rate, rate - null]), np.nan),
        confidence=resampling.confidence,
    )
    ends = np.array([rate, low[:2], high[:2], null, rate - null, low[2:], high[2:]]).T
    counted = samples.counted(detector) & detector.known
    rows = []
    for role, should in enumerate(detector.roles):
        names = ("rate", "rate_low", "rate_high", "null", "excess", "excess_low", "excess_high")
        rows.append(
            FindingRow(
                kind=samples.kind,
                variant=samples.variant,
                detector=detector.name,
                threshold=detector.threshold,
                n_models=detector.n_models,
                should_find=role == 0,
                n=int(n[role]),
                n_known=int(known[role]),
                n_found=int(found[role]),
                **{name: _or_none(value) for name, value in zip(names, ends[role], strict=True)},
                p_value=_find_luck(detector.null[counted & should], int(found[role]))
                if has_null and known[role]
                else None,
            )
        )
    return Measured((rows[0], rows[1]), drawn_rates, n_videos)


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _find_luck(shares: Floats, n_found: int) -> float:
    """Return the chance that of independent draws with these chances so many or more succeed."""
    chances = np.ones(1)
    for share, n in zip(*np.unique(shares.round(9), return_counts=True), strict=True):
        chances = np.convolve(chances, -np.diff(bdtrc(np.arange(-1, n + 1), n, share)))
    return float(min(1.0, chances[n_found:].sum()))
