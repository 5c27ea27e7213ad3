"""Picks out of a report what it comes down to, for each benchmark and for all of them pooled."""

import math
from dataclasses import dataclass

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import UNION, ConsensusRow
from video_oasis.analysis.contribution import ContributionRow
from video_oasis.analysis.summary import Headline, TaskFinding
from video_oasis.report.document import AuditReport, FateCount

Place = tuple[str, str]
"""Benchmark and task; the task is empty for a whole benchmark, both for all benchmarks."""


@dataclass(frozen=True, slots=True)
class DiagnosticVerdict:
    """What one diagnostic says about a benchmark.

    Attributes:
        diagnostic: the diagnostic.
        best: the model furthest above chance.
        consensus: shortcuts at the report's threshold; None if it is no test, or has fewer models.
        contribution: what it adds to the other tests; None where consensus is.
    """

    diagnostic: str
    best: AccuracyRow
    consensus: ConsensusRow | None
    contribution: ContributionRow | None


@dataclass(frozen=True, slots=True)
class TaskVerdict:
    """A task that is given away beyond doubt.

    Attributes:
        benchmark: its benchmark.
        task: the task.
        union: shortcuts in any test, at the report's threshold.
        worst: the test that gives it away most, of those that do beyond doubt.
    """

    benchmark: str
    task: str
    union: ConsensusRow
    worst: TaskFinding


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the audit says about one benchmark, or about all pooled.

    Attributes:
        headline: its size; its benchmark is empty for all pooled.
        fates: what becomes of its samples.
        union: shortcuts in any test, at the report's threshold; None without tests.
        diagnostics: what each diagnostic says.
        tasks: the tasks to mend, first the one with most shortcuts beyond guessing.
    """

    headline: Headline
    fates: FateCount
    union: ConsensusRow | None
    diagnostics: tuple[DiagnosticVerdict, ...]
    tasks: tuple[TaskVerdict, ...]

    @property
    def benchmark(self) -> str:
        """The benchmark; empty for all pooled."""
        return self.headline.benchmark

    @property
    def tests(self) -> tuple[DiagnosticVerdict, ...]:
        """The diagnostics that are tests and have enough models to reach the threshold."""
        return tuple(each for each in self.diagnostics if each.consensus is not None)


def find_verdicts(report: AuditReport) -> tuple[Verdict, ...]:
    """Return one verdict for each benchmark, and first of all for several of them pooled."""
    summary = report.summary
    headlines = list(summary.benchmarks)
    if len(headlines) > 1 and summary.overall is not None:
        headlines.insert(0, summary.overall)
    consensus = {
        (row.benchmark, row.task, row.test): row
        for row in summary.consensus
        if row.threshold == report.threshold
        and row.level in (Level.TASK, Level.BENCHMARK, Level.POOLED)
    }
    contribution = {
        (row.benchmark, row.test): row
        for row in summary.contribution
        if row.threshold == report.threshold and row.level in (Level.BENCHMARK, Level.POOLED)
    }
    fates = {fate.benchmark: fate for fate in report.fates}
    tasks = _find_tasks(report, consensus)
    return tuple(
        Verdict(
            headline=headline,
            fates=fates[headline.benchmark],
            union=consensus.get((headline.benchmark, "", UNION)),
            diagnostics=tuple(
                DiagnosticVerdict(
                    diagnostic=each.diagnostic,
                    best=each.best,
                    consensus=consensus.get((headline.benchmark, "", each.diagnostic)),
                    contribution=contribution.get((headline.benchmark, each.diagnostic)),
                )
                for each in headline.diagnostics
            ),
            tasks=tuple(task for task in tasks if headline.benchmark in ("", task.benchmark)),
        )
        for headline in headlines
    )


def _find_tasks(
    report: AuditReport, consensus: dict[tuple[str, str, str], ConsensusRow]
) -> list[TaskVerdict]:
    worst: dict[Place, TaskFinding] = {}
    for finding in report.summary.tasks:
        if finding.is_given_away and finding.best.diagnostic in report.summary.tests:
            worst.setdefault((finding.best.benchmark, finding.best.task), finding)
    tasks = [
        TaskVerdict(benchmark, task, consensus[benchmark, task, UNION], finding)
        for (benchmark, task), finding in worst.items()
        if (benchmark, task, UNION) in consensus
    ]
    return sorted(tasks, key=lambda task: -_corrected(task.union))


def _corrected(row: ConsensusRow) -> float:
    return -math.inf if row.corrected is None else row.corrected
