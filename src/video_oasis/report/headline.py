"""The few sentences that an audit comes down to."""

from video_oasis.analysis.summary import DiagnosticHeadline, Headline, TaskFinding
from video_oasis.report.document import AuditReport
from video_oasis.report.numbers import write_count, write_estimate, write_percent

_TASKS_NAMED = 4


def write_headlines(report: AuditReport) -> dict[str, tuple[str, ...]]:
    """Return the sentences for each benchmark, by its name."""
    return {
        headline.benchmark: tuple(
            sentence
            for diagnostic in headline.diagnostics
            for sentence in _write_diagnostic(report, headline, diagnostic)
        )
        for headline in report.summary.benchmarks
    }


def _write_diagnostic(
    report: AuditReport, headline: Headline, diagnostic: DiagnosticHeadline
) -> list[str]:
    best = diagnostic.best
    if best.accuracy is None:
        return [
            f"{diagnostic.diagnostic}: no answer was read, so nothing can be said about these "
            f"{write_count(headline.n_samples)} samples."
        ]
    accuracy = write_estimate(best.accuracy, best.accuracy_low, best.accuracy_high)
    beyond = "which is above chance" if best.above_chance else "which cannot be told from chance"
    sentences = [
        f"{diagnostic.diagnostic}: {best.model} answers {accuracy} % right where guessing gives "
        f"{write_percent(best.chance)} %, {beyond}."
    ]
    if diagnostic.diagnostic not in report.summary.tests:
        return sentences
    tasks = [
        task
        for task in report.summary.tasks
        if task.best.benchmark == headline.benchmark
        and task.best.diagnostic == diagnostic.diagnostic
    ]
    sentences.append(_write_tasks(tasks))
    consensus = diagnostic.consensus
    if consensus is not None and consensus.n_models > 1 and consensus.observed is not None:
        sentences.append(
            f"All {consensus.n_models} models are right on {write_percent(consensus.observed)} % "
            f"of the samples; guessing as they do gives {write_percent(consensus.null)} %, which "
            f"leaves {write_percent(consensus.corrected)} % beyond chance."
        )
    return sentences


def _write_tasks(tasks: list[TaskFinding]) -> str:
    given_away = [task for task in tasks if task.is_given_away]
    n_tasks = f"{len(tasks)} task" + ("s" if len(tasks) != 1 else "")
    if not given_away:
        return f"Of {n_tasks}, none is given away beyond doubt."
    named = ", ".join(
        f"{task.best.task} ({write_percent(task.best.accuracy)} against "
        f"{write_percent(task.best.chance)})"
        for task in given_away[:_TASKS_NAMED]
    )
    if len(given_away) > _TASKS_NAMED:
        named += f" and {len(given_away) - _TASKS_NAMED} more"
    verb = "is" if len(given_away) == 1 else "are"
    return f"Of {n_tasks}, {len(given_away)} {verb} given away beyond doubt: {named}."
