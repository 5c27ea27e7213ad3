"""Judges detectors: which have power, which threshold is best, and which leak."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from video_oasis.analysis.bootstrap import Resampling, percentile_interval, spread_constants
from video_oasis.analysis.calibration.detectors import Detector
from video_oasis.analysis.calibration.measuring import Measured
from video_oasis.analysis.calibration.rows import DetectorRow, FindingRow
from video_oasis.analysis.consensus import UNION
from video_oasis.holm import adjust_by_holm


def judge(
    detectors: Sequence[Detector],
    measured: Sequence[Measured],
    kinds: Sequence[str],
    resampling: Resampling,
) -> list[DetectorRow]:
    """Judge each detector by all its samples, and mark the best threshold of each.

    What depends on the threshold to choose is left open.

    Args:
        detectors: the detectors, each at all of its thresholds.
        measured: what they find of all samples.
        kinds: the kind of each sample.
        resampling: how the intervals are made.
    """
    rows = [
        _judge(detector, each, kinds, resampling)
        for detector, each in zip(detectors, measured, strict=True)
    ]
    best = [_choose_best(of_name) for of_name in _group(rows).values()]
    return [replace(row, is_best=any(row is each for each in best)) for row in rows]


def choose_threshold(rows: Iterable[DetectorRow]) -> int:
    """Return the best threshold of the union, or all of its models where none is best."""
    union = [row for row in rows if row.detector == UNION]
    return next((row.threshold for row in union if row.is_best), union[-1].threshold)


def mark_chosen(rows: Sequence[DetectorRow], threshold: int, alpha: float) -> list[DetectorRow]:
    """Mark each detector as it is at the threshold to choose, and there say whether it leaks.

    Args:
        rows: all detectors.
        threshold: the threshold to choose; a test of fewer models is read at all of them.
        alpha: the chance that any of them is said to leak if none does.
    """
    chosen = {
        name: max(row.threshold for row in of_name if row.threshold <= threshold)
        for name, of_name in _group(rows).items()
    }
    marked = [replace(row, is_chosen=row.threshold == chosen[row.detector]) for row in rows]
    p_values = [
        row.clean.p_value if row.is_chosen and row.clean is not None else None for row in marked
    ]
    return [
        replace(row, p_leak=p, leaks=None if p is None else p < alpha)
        for row, p in zip(marked, adjust_by_holm(p_values), strict=True)
    ]


def _group(rows: Iterable[DetectorRow]) -> dict[str, list[DetectorRow]]:
    groups: dict[str, list[DetectorRow]] = {}
    for row in rows:
        groups.setdefault(row.detector, []).append(row)
    return groups


def _judge(
    detector: Detector, measured: Measured, kinds: Sequence[str], resampling: Resampling
) -> DetectorRow:
    planted, clean = (row if row.n else None for row in measured.rows)
    youden, low, high = _subtract(measured, resampling)
    beyond = planted.excess_low if planted and planted.null is not None else low
    return DetectorRow(
        detector=detector.name,
        threshold=detector.threshold,
        n_models=detector.n_models,
        planted=planted,
        clean=clean,
        youden=youden,
        youden_low=low,
        youden_high=high,
        is_powered=None if beyond is None else beyond > 0,
        worst_kind=_find_worst_kind(detector, clean, kinds),
        is_best=False,
        is_chosen=False,
        p_leak=None,
        leaks=None,
    )


def _subtract(
    measured: Measured, resampling: Resampling
) -> tuple[float | None, float | None, float | None]:
    """Return Youden's J and the ends of its interval."""
    planted, clean = measured.rows
    if planted.rate is None or clean.rate is None:
        return None, None, None
    youden = planted.rate - clean.rate
    if planted.rate_low is None or clean.rate_low is None:
        return youden, None, None
    detected, alarmed = spread_constants(
        measured.rates, np.array([planted.rate, clean.rate]), measured.n_videos
    )
    if clean.rate in (0, 1):
        # Spread rates stand in order of size, and those of other samples are apart from each other.
        alarmed = alarmed[np.random.default_rng(0).permutation(len(alarmed))]
    low, high = percentile_interval(
        (detected - alarmed)[None], np.array([youden]), confidence=resampling.confidence
    )
    return youden, float(low[0]), float(high[0])


def _find_worst_kind(
    detector: Detector, clean: FindingRow | None, kinds: Sequence[str]
) -> str | None:
    if clean is None or clean.null is None:
        return None
    excess: defaultdict[str, float] = defaultdict(float)
    for number in np.flatnonzero(detector.judged & detector.should_not & detector.known).tolist():
        excess[kinds[number]] += float(detector.found[number] - detector.null[number])
    return max(excess, key=excess.__getitem__)


def _choose_best(rows: Sequence[DetectorRow]) -> DetectorRow | None:
    """Return the row of the highest J beyond doubt, among equals that of the highest threshold."""
    told = [
        (row.youden, row.threshold, row)
        for row in rows
        if row.youden is not None and row.youden_low is not None and row.youden_low > 0
    ]
    return max(told, key=lambda each: each[:2])[2] if told else None
