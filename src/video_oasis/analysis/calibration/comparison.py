"""Compares what an audit found of planted samples with what was planted in them."""

from collections.abc import Collection, Mapping
from typing import Any

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow, measure_accuracy
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.calibration.detectors import list_checks, list_tests
from video_oasis.analysis.calibration.judging import choose_threshold, judge, mark_chosen
from video_oasis.analysis.calibration.measuring import list_sets, measure
from video_oasis.analysis.calibration.rows import Calibration, Planted
from video_oasis.analysis.cells import Level
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid, arrange
from video_oasis.errors import SchemaError


def calibrate(
    table: pl.DataFrame,
    truth: Mapping[tuple[str, str], Planted],
    *,
    tests: Collection[str],
    strict_consistency: bool = False,
    resampling: Resampling | None = None,
) -> Calibration:
    """Compare what an audit found with what was planted.

    Args:
        table: the audit's long table.
        truth: what was planted in each sample, by benchmark and sample id.
        tests: the diagnostics whose verdicts make up the union.
        strict_consistency: whether the consistency check flags only samples on which all models
            differ.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: the table has a sample of which nothing is known, or breaks its rules.
    """
    resampling = resampling or Resampling()
    grid = arrange(table)
    planted = _look_up(grid, truth)
    kinds = [each.kind for each in planted]
    sets = list_sets(planted)

    test_list = list(list_tests(grid.only(tests), planted))
    of_tests = measure(test_list, sets, grid, resampling)
    test_rows = judge(test_list, of_tests[0], kinds, resampling)
    threshold = choose_threshold(test_rows)

    union = test_list[-1]
    check_list = list(
        list_checks(
            grid,
            table,
            planted,
            tests=tests,
            threshold=threshold,
            is_strict=strict_consistency,
            native=union.should_not & union.judged,
        )
    )
    of_checks = measure(check_list, sets, grid, resampling)
    check_rows = judge(check_list, of_checks[0], kinds, resampling)
    return Calibration(
        resampling=resampling,
        detectors=tuple(
            mark_chosen([*test_rows, *check_rows], threshold, alpha=1 - resampling.confidence)
        ),
        findings=tuple(
            row
            for of_set in zip(of_tests[1:], of_checks[1:], strict=True)
            for measured in of_set
            for each in measured
            for row in each.rows
            if row.n
        ),
        accuracy=_measure_models(table, truth, resampling),
    )


def _look_up(grid: AnswerGrid, truth: Mapping[tuple[str, str], Planted]) -> list[Planted]:
    planted = []
    for benchmark, sample_id in grid.samples.select(SAMPLE_KEY).iter_rows():
        found = truth.get((benchmark, sample_id))
        if found is None:
            raise SchemaError(
                f"{benchmark} sample {sample_id!r}: nothing is known of what was planted in it; "
                f"expected the truth of every sample"
            )
        planted.append(found)
    return planted


def _measure_models(
    table: pl.DataFrame, truth: Mapping[tuple[str, str], Planted], resampling: Resampling
) -> tuple[AccuracyRow, ...]:
    kinds = pl.DataFrame(
        [(*key, planted.kind) for key, planted in truth.items()],
        schema=[*SAMPLE_KEY, "kind"],
        orient="row",
    )
    by_kind = table.with_columns(
        table.select(pl.col(SAMPLE_KEY).cast(pl.String))
        .join(kinds, on=SAMPLE_KEY, how="left", maintain_order="left")["kind"]
        .alias("task")
    )
    rows = measure_accuracy(arrange(by_kind), resampling=resampling)
    columns: Any = rows.filter(pl.col("level") == Level.TASK.value).iter_rows(named=True)
    return tuple(AccuracyRow(**row) for row in columns)
