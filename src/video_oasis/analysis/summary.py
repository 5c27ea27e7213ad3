"""Everything one audit found, as one plain structure that a report renders without computing."""

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

import polars as pl

from video_oasis.analysis.accuracy import AccuracyRow, measure_accuracy
from video_oasis.analysis.agreement import AgreementRow, measure_agreement
from video_oasis.analysis.ambiguity import (
    AmbiguityCountRow,
    QueueRow,
    Texts,
    count_ambiguous,
    find_ambiguous,
    order_queue,
)
from video_oasis.analysis.bias import BiasRow, score_bias, summarise_bias
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import (
    UNION,
    ConsensusRow,
    decide_verdicts,
    measure_consensus,
)
from video_oasis.analysis.contribution import ContributionRow, measure_contribution
from video_oasis.analysis.dependence import REFERENCE, DependenceRow, measure_dependence
from video_oasis.analysis.frames import read_rows, row_schema
from video_oasis.analysis.grid import SAMPLE_KEY, AnswerGrid, arrange
from video_oasis.analysis.intersections import IntersectionRow, count_intersections
from video_oasis.analysis.overlap import OverlapRow
from video_oasis.analysis.rotations import RotationRow, measure_rotations
from video_oasis.analysis.validity import (
    CorrelationRow,
    RobustnessRow,
    measure_correlation,
    measure_difficulty_overlap,
    measure_robustness,
)
from video_oasis.holm import adjust_by_holm


@dataclass(frozen=True, slots=True)
class StatusCount:
    """How many answers of one model came to the same end, and why.

    Attributes:
        benchmark: the benchmark.
        diagnostic: the diagnostic.
        model: the model.
        status: a ``schema.Status``.
        reason: why there is no prediction; empty if there is one or no reason is recorded.
        n: rows of the long table.
    """

    benchmark: str
    diagnostic: str
    model: str
    status: str
    reason: str
    n: int


@dataclass(frozen=True, slots=True)
class DiagnosticHeadline:
    """What one diagnostic says about a benchmark.

    Attributes:
        diagnostic: the diagnostic.
        best: the model furthest above chance. It is the best of several, so its interval, made for
            one model, is a little too hopeful.
        consensus: shortcuts at the threshold of all models; None if it is no test of the union.
    """

    diagnostic: str
    best: AccuracyRow
    consensus: ConsensusRow | None


@dataclass(frozen=True, slots=True)
class Headline:
    """What the audit says about one benchmark, or about all pooled.

    Attributes:
        benchmark: empty for all pooled.
        group: the benchmark's group; empty if it has none.
        n_samples: samples in the long table.
        n_videos: videos in the long table.
        n_tasks: tasks in the long table.
        diagnostics: one for each diagnostic asked.
        union: shortcuts in any test, at the threshold of all models of the largest test; None if
            there are no tests.
    """

    benchmark: str
    group: str
    n_samples: int
    n_videos: int
    n_tasks: int
    diagnostics: tuple[DiagnosticHeadline, ...]
    union: ConsensusRow | None


@dataclass(frozen=True, slots=True)
class TaskFinding:
    """How far one task is given away under one diagnostic.

    Attributes:
        best: the model furthest above chance in this task.
        p_holm: its one-sided p value (cluster-robust score test), corrected by Holm over all tasks
            and models of the diagnostic, so that picking tasks and models by result is paid for;
            None with fewer than two videos.
        is_given_away: whether p_holm is below 1 - confidence; None where p_holm is.
        consensus: shortcuts at the threshold of all models; None if it is no test of the union.
    """

    best: AccuracyRow
    p_holm: float | None
    is_given_away: bool | None
    consensus: ConsensusRow | None


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """Everything that one audit's long table says.

    Attributes:
        tests: the diagnostics whose verdicts make up the union.
        resampling: how the intervals were made.
        overall: the headline of all benchmarks pooled; None for an empty table.
        benchmarks: the headline of each benchmark, by name.
        tasks: every task under every diagnostic, those furthest above chance first.
        accuracy: every model at every level; a row names its level.
        consensus: every test and the union at every threshold and level.
        contribution: what each test adds to the union, at every threshold.
        intersections: how many samples are shortcuts in exactly which tests, at every threshold.
        dependence: each model under ``standard`` against its own answers under other inputs; empty
            without ``standard``.
        ambiguity: how many samples each ambiguity check flags.
        queue: the flagged samples, in the order in which a person should look at them.
        difficulty: how far the distilled set is that of the samples which all models miss; empty
            without ``standard``.
        correlation: how many of each test's shortcuts validators solve; empty without validators.
        robustness: what other sets of models find and keep; empty without spare models.
        rotations: how far models stand by a choice shown elsewhere; empty unless choices were
            rotated.
        agreement: every two models of a test.
        bias: bias scores by task, the most biased first; empty without scoring models.
        statuses: what became of all answers.
    """

    tests: tuple[str, ...]
    resampling: Resampling
    overall: Headline | None
    benchmarks: tuple[Headline, ...]
    tasks: tuple[TaskFinding, ...]
    accuracy: tuple[AccuracyRow, ...]
    consensus: tuple[ConsensusRow, ...]
    contribution: tuple[ContributionRow, ...]
    intersections: tuple[IntersectionRow, ...]
    dependence: tuple[DependenceRow, ...]
    ambiguity: tuple[AmbiguityCountRow, ...]
    queue: tuple[QueueRow, ...]
    difficulty: tuple[OverlapRow, ...]
    correlation: tuple[CorrelationRow, ...]
    robustness: tuple[RobustnessRow, ...]
    rotations: tuple[RotationRow, ...]
    agreement: tuple[AgreementRow, ...]
    bias: tuple[BiasRow, ...]
    statuses: tuple[StatusCount, ...]

    def to_plain(self) -> dict[str, Any]:
        """Return nested dicts that JSON can carry; what is undefined is None."""
        return asdict(self)


def summarise(
    table: pl.DataFrame,
    *,
    groups: Mapping[str, str] | None = None,
    tests: Collection[str] | None = None,
    texts: Texts | None = None,
    is_partial: bool = False,
    threshold: int | None = None,
    strict_consistency: bool = False,
    validators: Collection[str] = (),
    with_spares: pl.DataFrame | None = None,
    bias_diagnostic: str = "blind",
    resampling: Resampling | None = None,
) -> AuditSummary:
    """Summarise one audit.

    Args:
        table: the long table, as ``arrange`` takes it, with ``reason``.
        groups: the group of each benchmark, for the group macro averages.
        tests: the diagnostics whose verdicts count; by default all that make one request of a
            sample.
        texts: question and choices of each sample, whose words of order sort the queue of the
            sensitivity check; None leaves them out.
        is_partial: whether answers were left out because of what others said, as a lazy plan does.
            What guessing alone would give cannot be told from such answers, so it is withheld.
        threshold: the right models that make a sample a shortcut, for the ambiguity checks and for
            what is said of the distilled set; None for all models of the largest test.
        strict_consistency: flag a sample for consistency only if all models differ.
        validators: the models that take no part in the tests.
        with_spares: the long table with the rows of models that have no vote, to put them in the
            place of those that do; None if there are none.
        bias_diagnostic: the diagnostic whose probabilities are bias scores.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: the table breaks its rules, or a test has no rows or several parts.
    """
    groups = groups or {}
    resampling = resampling or Resampling()
    grid = arrange(table)
    if tests is None:
        tests = [test for test in grid.tests if test not in grid.parted]
    test_grid = grid.only(tests)
    accuracy = read_rows(AccuracyRow, measure_accuracy(grid, groups=groups, resampling=resampling))
    several_groups = groups if len(set(groups.values())) > 1 else None
    consensus = read_rows(
        ConsensusRow, measure_consensus(test_grid, groups=several_groups, resampling=resampling)
    )
    if is_partial:
        consensus = tuple(
            replace(row, null=None, corrected=None, corrected_low=None, corrected_high=None)
            for row in consensus
        )
    unanimous = {
        (row.benchmark, row.task, row.test): row
        for row in consensus
        if row.threshold == row.n_models
        and row.level in (Level.TASK, Level.BENCHMARK, Level.POOLED)
    }
    voters = _list_voters(test_grid)
    threshold = threshold or max(map(len, voters.values()), default=1)
    found = find_ambiguous(
        grid, table, threshold=threshold, tests=tests, strict=strict_consistency, texts=texts
    )
    # Rotated, an answer is no longer one choice of one question: these compare single answers.
    published = (
        grid
        if table["rotation"].max() in (0, None)
        else arrange(table.filter(pl.col("rotation") == 0))
    )

    def head(benchmark: str, samples: pl.DataFrame) -> Headline:
        level = Level.BENCHMARK if benchmark else Level.POOLED
        rows = [row for row in accuracy if row.level == level and row.benchmark == benchmark]
        return Headline(
            benchmark=benchmark,
            group=groups.get(benchmark, ""),
            n_samples=samples.height,
            n_videos=samples.n_unique(["benchmark", "video"]),
            n_tasks=samples.n_unique(["benchmark", "task"]),
            diagnostics=tuple(
                DiagnosticHeadline(
                    diagnostic=diagnostic,
                    best=_furthest_above_chance(rows, diagnostic),
                    consensus=unanimous.get((benchmark, "", diagnostic)),
                )
                for diagnostic in sorted({row.diagnostic for row in rows})
            ),
            union=unanimous.get((benchmark, "", UNION)),
        )

    return AuditSummary(
        tests=tuple(test_grid.tests),
        resampling=resampling,
        overall=head("", grid.samples) if grid.samples.height else None,
        benchmarks=tuple(
            head(samples["benchmark"][0], samples)
            for samples in grid.samples.partition_by("benchmark", maintain_order=True)
        ),
        tasks=_find_tasks(accuracy, unanimous, alpha=1 - resampling.confidence),
        accuracy=accuracy,
        consensus=consensus,
        contribution=read_rows(
            ContributionRow, measure_contribution(test_grid, groups=several_groups)
        ),
        intersections=read_rows(
            IntersectionRow, count_intersections(test_grid, groups=several_groups)
        ),
        dependence=read_rows(DependenceRow, measure_dependence(published, resampling=resampling))
        if REFERENCE in grid.tests
        else (),
        ambiguity=read_rows(AmbiguityCountRow, count_ambiguous(found)),
        queue=read_rows(QueueRow, order_queue(found)),
        difficulty=read_rows(
            OverlapRow, measure_difficulty_overlap(grid, _mark_kept(test_grid, threshold))
        )
        if REFERENCE in grid.tests and tests
        else (),
        correlation=read_rows(
            CorrelationRow,
            measure_correlation(
                grid, tests=tests, validators=validators, threshold=threshold, resampling=resampling
            ),
        )
        if validators and tests
        else (),
        robustness=()
        if with_spares is None
        else read_rows(
            RobustnessRow,
            measure_robustness(arrange(with_spares), used=voters, threshold=threshold),
        ),
        rotations=read_rows(RotationRow, measure_rotations(grid, table)),
        agreement=read_rows(AgreementRow, measure_agreement(published.only(tests))),
        bias=read_rows(BiasRow, summarise_bias(score_bias(grid, diagnostic=bias_diagnostic))),
        statuses=read_rows(
            StatusCount, count_statuses(table if with_spares is None else with_spares)
        ),
    )


def _mark_kept(grid: AnswerGrid, threshold: int) -> pl.DataFrame:
    return (
        decide_verdicts(grid, threshold)
        .filter(pl.col("test") == UNION)
        .select(*SAMPLE_KEY, is_kept=~pl.col("shortcut"))
    )


def _list_voters(grid: AnswerGrid) -> dict[str, list[str]]:
    return {test: [slot.model for slot in grid.slots[slots]] for test, slots in grid.tests.items()}


def count_statuses(table: pl.DataFrame) -> pl.DataFrame:
    """Count the rows of a long table by benchmark, slot, status and reason.

    Returns:
        A frame with the columns of ``StatusCount``, sorted.
    """
    columns = ["benchmark", "diagnostic", "model", "status", "reason"]
    return (
        table.group_by(columns)
        .agg(n=pl.len().cast(pl.Int64))
        .with_columns(pl.col(columns).cast(pl.String).fill_null(""))
        .group_by(columns)
        .agg(pl.col("n").sum())
        .sort(columns)
        .select(row_schema(StatusCount).keys())
    )


def _excess(row: AccuracyRow) -> float:
    return -math.inf if row.excess is None else row.excess


def _furthest_above_chance(rows: Collection[AccuracyRow], diagnostic: str) -> AccuracyRow:
    return max((row for row in rows if row.diagnostic == diagnostic), key=_excess)


def _find_tasks(
    accuracy: Collection[AccuracyRow],
    unanimous: Mapping[tuple[str, str, str], ConsensusRow],
    *,
    alpha: float,
) -> tuple[TaskFinding, ...]:
    findings = []
    for diagnostic in sorted({row.diagnostic for row in accuracy}):
        family = [
            row for row in accuracy if row.level == Level.TASK and row.diagnostic == diagnostic
        ]
        adjusted = adjust_by_holm([row.p_value for row in family])
        p_holm = dict(zip(family, adjusted, strict=True))
        by_task: dict[tuple[str, str], list[AccuracyRow]] = {}
        for row in family:
            by_task.setdefault((row.benchmark, row.task), []).append(row)
        for (benchmark, task), rows in by_task.items():
            best = _furthest_above_chance(rows, diagnostic)
            p = p_holm[best]
            findings.append(
                TaskFinding(
                    best=best,
                    p_holm=p,
                    is_given_away=None if p is None else p < alpha,
                    consensus=unanimous.get((benchmark, task, diagnostic)),
                )
            )
    return tuple(sorted(findings, key=lambda finding: -_excess(finding.best)))
