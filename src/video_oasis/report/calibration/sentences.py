"""What a calibration comes to, in words."""

from collections.abc import Iterator
from typing import Final

from video_oasis.analysis.calibration import DetectorRow, FindingRow
from video_oasis.analysis.consensus import UNION
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.numbers import write_count, write_estimate, write_p, write_percent

_PLAIN_VIEWS: Final = ("standard", "center_frame")


def write_verdict(report: CalibrationReport) -> list[str]:
    """Say whether the audit can be trusted, where it is blind, and which threshold to choose."""
    return [
        *_write_leaks(report),
        *_write_threshold(report),
        *_write_power(report),
        *_write_checks(report),
        *_write_models(report),
        *_write_limits(report),
    ]


def name_detector(detector: str) -> str:
    """Name a detector in a sentence or a head."""
    return "any test" if detector == UNION else detector


def _write_leaks(report: CalibrationReport) -> Iterator[str]:
    calibration = report.calibration
    p_values = [row.p_leak for row in calibration.detectors if row.p_leak is not None]
    if not p_values:
        yield "UNDECIDED: nothing was read that a test should not find."
    elif report.is_sound:
        yield (
            "SOUND: nothing is found beyond luck that should not be (smallest p "
            f"{write_p(min(p_values))}, corrected for all tests and checks with a luck level)."
        )
    for name in report.idle:
        yield f"NOT SOUND: {name} withholds nothing of any sample, so that it could not be asked."
    for row in calibration.leaking:
        assert row.clean is not None
        found = _write_found(row.clean)
        if row.is_check:
            yield f"NOT SOUND: {row.detector} points at {found} of the native samples."
        else:
            yield (
                f"NOT SOUND: {name_detector(row.detector)}{_write_at(row)} finds {found} of what "
                f"it should not, most of it among {row.worst_kind} samples. Its "
                f"evidence holds what it was meant to withhold, or the models knew the answers "
                f"otherwise."
            )


def _write_threshold(report: CalibrationReport) -> Iterator[str]:
    for row in report.calibration.detectors:
        if row.detector == UNION and row.is_chosen and row.planted and row.clean:
            none = (
                ""
                if row.is_best
                else "No threshold tells planted shortcuts from native samples beyond doubt; the "
                "highest drops fewest samples. "
            )
            yield (
                f"Threshold: {none}{row.threshold} of {row.n_models} models. Any test then finds "
                f"{_write_found(row.planted)} of the planted shortcuts, and "
                f"{_write_found(row.clean)} of the native samples."
            )


def _write_power(report: CalibrationReport) -> Iterator[str]:
    tests = [row for row in report.calibration.detectors if not row.is_check]
    with_power, without = [], 0
    for row in tests:
        if row.detector == UNION or not row.is_chosen:
            continue
        if row.planted is None:
            yield f"{row.detector}: nothing was planted for it, so its power is not known."
        elif row.is_powered:
            with_power.append(row.detector)
        else:
            others = [
                str(each.threshold)
                for each in tests
                if each.detector == row.detector and each.is_powered
            ]
            other = f" It has some at {', '.join(others)}." if others else ""
            yield (
                f"No power: {row.detector}{_write_at(row)} finds {_write_found(row.planted)} of "
                f"what was planted for it.{other}"
            )
            without += 1
    if without:
        yield (
            "No power means no more than luck: that these models find nothing by such a test in a "
            "benchmark says nothing."
        )
    if with_power:
        yield f"Power: {', '.join(with_power)}."


def _write_checks(report: CalibrationReport) -> Iterator[str]:
    for row in report.calibration.detectors:
        if row.is_check and row.planted is not None and row.clean is not None:
            power = "" if row.is_powered else " It has no power with these models."
            yield (
                f"Check {row.detector}: points at {_write_found(row.planted)} of what it should, "
                f"and at {_write_found(row.clean)} of the native samples.{power}"
            )


def _write_models(report: CalibrationReport) -> Iterator[str]:
    rows = [
        row
        for row in report.calibration.accuracy
        if row.task == report.plain_sight and row.diagnostic in _PLAIN_VIEWS
    ]
    for model in dict.fromkeys(row.model for row in rows):
        its_rows = [row for row in rows if row.model == model]
        if not any(row.above_chance for row in its_rows):
            read = " and ".join(
                f"{write_estimate(row.accuracy, row.accuracy_low, row.accuracy_high)} % under "
                f"{row.diagnostic}"
                for row in its_rows
            )
            yield (
                f"{model} does not answer even what one look at the video tells: {read}, where "
                f"chance is {write_percent(its_rows[0].chance)} %."
            )


def _write_limits(report: CalibrationReport) -> Iterator[str]:
    if report.not_asked:
        yield f"Not asked, as none of the models can take it: {', '.join(report.not_asked)}."
    if report.n_lacking:
        yield f"{write_count(report.n_lacking)} samples lack something that a test shows."
    if any(record.description.get("backend") == "learned" for record in report.models):
        yield (
            "Learned models are fitted to the very set they are asked about: their power in "
            "another benchmark depends on its size and on how often its patterns recur."
        )


def _write_at(row: DetectorRow) -> str:
    return "" if row.is_check else f" at {row.threshold} of {row.n_models}"


def _write_found(row: FindingRow) -> str:
    """Write a rate with its interval, its number of samples and what guessing gives."""
    luck = "" if row.null is None else f", guessing {write_percent(row.null)} %"
    return (
        f"{write_estimate(row.rate, row.rate_low, row.rate_high)} % "
        f"(n = {write_count(row.n_known)}{luck})"
    )
