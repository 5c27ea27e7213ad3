"""The tables of a calibration, as texts in cells."""

from collections.abc import Iterable, Iterator

from video_oasis.analysis.calibration import DetectorRow, FindingRow
from video_oasis.report.calibration.document import CalibrationReport
from video_oasis.report.calibration.sentences import name_detector
from video_oasis.report.numbers import (
    NONE,
    write_count,
    write_estimate,
    write_p,
    write_percent,
)
from video_oasis.report.tables.table import Section, Table

_SHOULD = "*"


def make_tables(report: CalibrationReport) -> tuple[Table, ...]:
    """Make every table of a calibration, the shortest first."""
    return (
        *make_overviews(report),
        _detector_table(report),
        _finding_table(report, by_variant=False),
        _finding_table(report, by_variant=True),
        _model_table(report),
    )


def make_overviews(report: CalibrationReport) -> tuple[Table, ...]:
    """Make the tables of tests and of checks against kinds, at the best threshold of the union.

    They are for a glance, in whole percent and narrow enough for a terminal.
    """
    chosen = list_chosen(report)
    tests = [row for row in chosen if not row.is_check]
    checks = [row for row in chosen if row.is_check]
    of_tests = Table(
        section=Section.SHORTCUTS,
        name="overview_tests",
        title="What tests find of each kind, %",
        note=f"{_SHOULD} marks what should be found; the rest are false alarms. By luck: what "
        f"guessing would give of all that should not be found. {_write_threshold(report)}",
        head=("test", *(kind for kind in report.kinds if kind != report.faulty), "by luck"),
        rows=tuple(
            (*cells, NONE if row.clean is None else _write_whole(row.clean.null))
            for row, cells in zip(tests, _cross(report, tests, report.faulty), strict=True)
        ),
    )
    of_checks = Table(
        section=Section.SHORTCUTS,
        name="overview_checks",
        title="What checks point at of each kind, %",
        note=f"{_SHOULD} marks what a check should point at.",
        head=("check", *report.kinds),
        rows=tuple(_cross(report, checks)),
    )
    return (of_tests, of_checks) if checks else (of_tests,)


def _cross(
    report: CalibrationReport, detectors: Iterable[DetectorRow], left_out: str = ""
) -> Iterator[tuple[str, ...]]:
    found = {kind: find_cells(report, kind) for kind in report.kinds if kind != left_out}
    for row in detectors:
        cells = (_write_cell(of_kind.get(row.detector, [])) for of_kind in found.values())
        yield (name_detector(row.detector), *cells)


def list_chosen(report: CalibrationReport) -> list[DetectorRow]:
    """List each detector as it is if the union's best threshold is chosen."""
    return [row for row in report.calibration.detectors if row.is_chosen]


def find_cells(report: CalibrationReport, kind: str) -> dict[str, list[FindingRow]]:
    """Return what each detector finds of a kind: one row, or two if only some should be found."""
    chosen = {(row.detector, row.threshold) for row in list_chosen(report)}
    cells: dict[str, list[FindingRow]] = {}
    for row in report.calibration.findings:
        if (row.kind, row.variant) == (kind, "") and (row.detector, row.threshold) in chosen:
            cells.setdefault(row.detector, []).append(row)
    return cells


def _write_threshold(report: CalibrationReport) -> str:
    threshold = report.calibration.threshold
    if threshold is None:
        return "Tests at all of their models, as no threshold tells shortcuts from native samples."
    return f"Tests at {threshold}, the threshold that tells shortcuts from native samples best."


def _write_cell(rows: Iterable[FindingRow]) -> str:
    return (
        " / ".join(f"{_write_whole(row.rate)}{_SHOULD if row.should_find else ''}" for row in rows)
        or NONE
    )


def _write_whole(share: float | None) -> str:
    """Write a share in whole percent, for a glance; the other tables have the decimals."""
    return NONE if share is None else f"{100 * share:.0f}"


def _detector_table(report: CalibrationReport) -> Table:
    return Table(
        section=Section.SHORTCUTS,
        name="detectors",
        title="Tests at every threshold, and checks",
        note="Detection: share found of what was planted for the test. False alarms: share found "
        "of what it should not find, whatever its kind; for a check, of the native samples. J: "
        "detection less false alarms; the best threshold has the highest. p: chance of so many "
        "false alarms by luck at the threshold to choose, corrected by Holm.",
        head=(
            "detector", "at", "says", "planted", "detection", "by luck", "clean", "false alarms",
            "by luck", "p", "J",
        ),
        rows=tuple(
            (
                name_detector(row.detector),
                NONE if row.is_check else f"{row.threshold} of {row.n_models}",
                _write_says(row),
                *_write_rate(row.planted),
                *_write_rate(row.clean),
                write_p(row.p_leak),
                write_estimate(row.youden, row.youden_low, row.youden_high),
            )
            for row in report.calibration.detectors
        ),
        n_text_columns=3,
    )  # fmt: skip


def _write_says(row: DetectorRow) -> str:
    said = []
    if row.is_best and not row.is_check:
        said.append("best")
    if row.leaks:
        said.append("leaks")
    if row.is_powered is False:
        said.append("no power")
    return ", ".join(said)


def _write_rate(row: FindingRow | None) -> tuple[str, str, str]:
    if row is None:
        return "0", NONE, NONE
    rate = write_estimate(row.rate, row.rate_low, row.rate_high)
    return write_count(row.n_known), rate, write_percent(row.null)


def _finding_table(report: CalibrationReport, *, by_variant: bool) -> Table:
    rows = [row for row in report.calibration.findings if bool(row.variant) == by_variant]
    return Table(
        section=Section.TASKS,
        name="variants" if by_variant else "kinds",
        title=f"What is found of each {'variant' if by_variant else 'kind'}",
        note="Every test at every threshold. p: chance that guessing finds so many or more; not "
        "corrected, so of twenty rows one is below 0.05 by luck.",
        head=(
            "planted", "variant", "detector", "at", "should", "n", "found", "share %", "by luck",
            "p",
        ),
        rows=tuple(
            (
                row.kind,
                row.variant or "all",
                name_detector(row.detector),
                str(row.threshold or NONE),
                "yes" if row.should_find else "no",
                write_count(row.n_known),
                write_count(row.n_found),
                write_estimate(row.rate, row.rate_low, row.rate_high),
                write_percent(row.null),
                write_p(row.p_value),
            )
            for row in rows
        ),
        n_text_columns=5,
    )  # fmt: skip


def _model_table(report: CalibrationReport) -> Table:
    return Table(
        section=Section.ACCURACY,
        name="models",
        title="What each model answers",
        note="Accuracy over the answers that could be read, by kind of sample.",
        head=("planted", "diagnostic", "model", "n", "accuracy", "chance"),
        rows=tuple(
            (
                row.task,
                row.diagnostic,
                row.model,
                write_count(row.n_scored),
                write_estimate(row.accuracy, row.accuracy_low, row.accuracy_high),
                write_percent(row.chance),
            )
            for row in report.calibration.accuracy
        ),
        n_text_columns=3,
    )
