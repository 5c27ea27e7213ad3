import json
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.consensus import UNION
from video_oasis.analysis.summary import AuditSummary, StatusCount, count_statuses, summarise
from video_oasis.errors import SchemaError

MakeTable = Callable[[list[dict[str, Any]]], pl.DataFrame]
MakeVotes = Callable[..., pl.DataFrame]
QUICK = Resampling(n_resamples=200)


@pytest.fixture(scope="module")
def table(make_votes: MakeVotes) -> pl.DataFrame:
    """Two benchmarks; in ``leaky`` task t0 is solved by model-1 and nothing else is."""
    generator = np.random.default_rng(9)
    tables = []
    for benchmark in ("leaky", "tight"):
        targets = generator.integers(0, 4, 120)
        picks = generator.integers(0, 4, (1, 3, 120))
        tasks = np.array([f"t{s % 3}" for s in range(120)])
        if benchmark == "leaky":
            picks[0, 1] = np.where(tasks == "t0", targets, picks[0, 1])
        tables.append(make_votes(picks, targets, benchmark=benchmark, task=tasks))
    return pl.concat(tables)


@pytest.fixture(scope="module")
def summary(table: pl.DataFrame) -> AuditSummary:
    return summarise(table, groups={"leaky": "g", "tight": "h"}, resampling=QUICK)


def test_what_guessing_would_give_is_withheld_where_answers_were_left_out(
    table: pl.DataFrame, summary: AuditSummary
) -> None:
    partial = summarise(
        table, groups={"leaky": "g", "tight": "h"}, is_partial=True, resampling=QUICK
    )
    assert {row.null for row in partial.consensus} == {None}
    assert {row.corrected for row in partial.consensus} == {None}
    assert [row.observed for row in partial.consensus] == [
        row.observed for row in summary.consensus
    ]
    assert partial.overall is not None
    assert partial.overall.union is not None
    assert partial.overall.union.null is None


def test_puts_the_task_most_given_away_first(summary: AuditSummary) -> None:
    first, *others = summary.tasks
    assert (first.best.benchmark, first.best.task, first.best.model) == ("leaky", "t0", "model-1")
    assert first.best.accuracy == 1
    assert first.is_given_away is True
    assert first.consensus is not None
    assert (first.consensus.test, first.consensus.threshold) == ("test-0", 3)
    assert len(others) == 5
    assert not any(task.is_given_away for task in others)
    excesses = [task.best.excess or 0 for task in summary.tasks]
    assert excesses == sorted(excesses, reverse=True)


def test_p_values_are_corrected_over_tasks_and_models(summary: AuditSummary) -> None:
    first = summary.tasks[0]
    # 2 benchmarks x 3 tasks x 3 models.
    assert first.best.p_value is not None
    assert first.p_holm == pytest.approx(18 * first.best.p_value)


def test_headlines_name_the_best_model_and_the_full_consensus(summary: AuditSummary) -> None:
    leaky, tight = summary.benchmarks
    assert (leaky.benchmark, leaky.group, tight.benchmark) == ("leaky", "g", "tight")
    assert (leaky.n_samples, leaky.n_videos, leaky.n_tasks) == (120, 120, 3)
    (headline,) = leaky.diagnostics
    assert (headline.diagnostic, headline.best.model) == ("test-0", "model-1")
    assert headline.consensus is not None
    assert headline.consensus.threshold == headline.consensus.n_models == 3
    assert leaky.union is not None
    assert (leaky.union.test, leaky.union.benchmark, leaky.union.task) == (UNION, "leaky", "")
    assert summary.overall is not None
    assert (summary.overall.n_samples, summary.overall.n_videos) == (240, 240)
    assert summary.overall.diagnostics[0].best.level == "pooled"


def test_carries_every_number_as_json(summary: AuditSummary) -> None:
    plain = json.loads(json.dumps(summary.to_plain(), allow_nan=False))
    assert plain["tests"] == ["test-0"]
    assert plain["resampling"] == {"n_resamples": 200, "confidence": 0.95, "seed": 0}
    assert plain["tasks"][0]["best"]["accuracy"] == 1
    levels = {row["level"] for row in plain["accuracy"]}
    assert levels == {"task", "benchmark", "pooled", "group_macro", "macro"}
    assert {row["n"] for row in plain["agreement"]} == {120, 240}


def test_union_is_over_the_tests_named(make_table: MakeTable, table: pl.DataFrame) -> None:
    chunk = {"diagnostic": "chunk", "model": "m", "prediction": 0, "correct": True}
    parts = [
        {"sample_id": "s00000", "benchmark": "leaky", "task": "t0", **chunk, "part": part}
        for part in range(2)
    ]
    both = pl.concat([table, make_table(parts)])
    summary = summarise(both, resampling=QUICK)
    assert summary.tests == ("test-0",)
    chunk_findings = [task for task in summary.tasks if task.best.diagnostic == "chunk"]
    assert [finding.consensus for finding in chunk_findings] == [None]
    with pytest.raises(SchemaError, match="chunk"):
        summarise(both, tests=["chunk"], resampling=QUICK)
    with pytest.raises(SchemaError, match="shuffle"):
        summarise(both, tests=["shuffle"], resampling=QUICK)
    assert summarise(both, tests=[], resampling=QUICK).consensus == ()


def test_statuses_by_reason(make_table: MakeTable) -> None:
    row = {"model": "m", "status": "unparsed"}
    table = make_table(
        [
            {**row, "sample_id": "a", "reason": "several_candidates"},
            {**row, "sample_id": "b", "reason": "several_candidates"},
            {**row, "sample_id": "c", "reason": None},
            {**row, "sample_id": "d", "reason": ""},
        ]
    )
    expected = [
        StatusCount("bench", "blind", "m", "unparsed", "", 2),
        StatusCount("bench", "blind", "m", "unparsed", "several_candidates", 2),
    ]
    assert [StatusCount(**row) for row in count_statuses(table).iter_rows(named=True)] == expected
    assert summarise(table, resampling=QUICK).statuses == tuple(expected)


def test_all_missing_is_a_summary_of_nothing_known(make_table: MakeTable) -> None:
    row = {"model": "m", "status": "missing"}
    summary = summarise(make_table([{**row, "sample_id": name} for name in "ab"]))
    (finding,) = summary.tasks
    assert (finding.best.accuracy, finding.p_holm, finding.is_given_away) == (None, None, None)
    json.dumps(summary.to_plain(), allow_nan=False)


def test_empty_table_is_an_empty_summary(make_table: MakeTable) -> None:
    summary = summarise(make_table([]))
    assert summary.overall is None
    for found in (
        summary.benchmarks,
        summary.tasks,
        summary.accuracy,
        summary.consensus,
        summary.agreement,
        summary.bias,
        summary.statuses,
    ):
        assert found == ()


def test_a_threshold_that_no_test_reaches_makes_no_shortcut(make_table: MakeTable) -> None:
    # As where a test with more models applies to no sample at all.
    row = {"sample_id": "a", "model": "m", "prediction": 0, "correct": True}
    rows = [row, {**row, "diagnostic": "standard"}]
    summary = summarise(make_table(rows), tests=["blind"], threshold=3)
    (difficulty,) = [each for each in summary.difficulty if each.level == "benchmark"]
    assert (difficulty.n, difficulty.n_second) == (1, 1)
