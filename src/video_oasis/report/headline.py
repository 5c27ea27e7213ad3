"""The few sentences that an audit comes down to."""

from collections import Counter
from typing import Final

from video_oasis.lazy.left_out import NOT_NEEDED
from video_oasis.report.document import AuditReport, FateCount
from video_oasis.report.numbers import write_count, write_estimate, write_percent, write_several
from video_oasis.report.verdicts import DiagnosticVerdict, Verdict, find_verdicts
from video_oasis.schema import Status

_TASKS_NAMED: Final = 4
_STANDARD: Final = "standard"


def write_headlines(report: AuditReport) -> dict[str, tuple[str, ...]]:
    """Return the sentences for each benchmark by its name, first for all if there are several."""
    return {
        name_place(verdict.benchmark): tuple(_write_verdict(report, verdict))
        for verdict in find_verdicts(report)
    }


def name_place(benchmark: str) -> str:
    """Name a benchmark, or all of them pooled if the name is empty."""
    return benchmark or "all, pooled"


def write_rule(report: AuditReport) -> str:
    """Say in words what makes a sample a shortcut in this report."""
    threshold = report.threshold
    largest = max((row.n_models for row in report.summary.consensus), default=threshold)
    if threshold < largest:
        who = f"at least {threshold} of {largest} models are"
    elif largest > 1:
        who = f"all {largest} models are"
    else:
        who = "the model is"
    tests = report.summary.tests
    where = f"in at least one of {len(tests)} tests" if len(tests) > 1 else f"under {tests[0]}"
    return f"{where} {who} right"


def write_caveats(report: AuditReport) -> tuple[str, ...]:
    """Say what keeps the headline from meaning more than it does."""
    summary = report.summary
    asked = dict.fromkeys(row.diagnostic for row in summary.accuracy)
    caveats = []
    if not summary.tests:
        caveats.append(
            "None of the diagnostics asked is a test that withholds something, so nothing is said "
            "about shortcuts."
        )
    elif len(summary.tests) == 1:
        caveats.append(
            f"Only one test was run, {summary.tests[0]}: shortcuts that other tests would find are "
            f"not in the share."
        )
    if report.threshold == 1 and summary.tests:
        caveats.append(
            "One right answer makes a shortcut here, so luck makes many: read the share beside "
            "what guessing gives, and ask three models or more."
        )
    small = dict.fromkeys(row.test for row in summary.consensus if row.n_models < report.threshold)
    if small:
        caveats.append(
            f"{', '.join(small)}: fewer models were asked than the {report.threshold} that make a "
            f"shortcut, so nothing can be one there."
        )
    if summary.tests and _STANDARD not in asked:
        caveats.append(
            "No model was shown the whole video (standard): how much the video adds is not known."
        )
    deciding = {row.model for row in summary.accuracy if row.diagnostic in (summary.tests or asked)}
    backends = {
        model.description.get("backend") for model in report.models if model.name in deciding
    }
    if backends == {"learned"}:
        caveats.append(
            "All models that decide are learned ones, fitted to this benchmark by "
            "cross-validation. What they answer is given away by simple means; what they do not "
            "answer says nothing of models that read and see."
        )
    if report.refinement is not None:
        caveats.append(
            "What becomes of the samples follows people's judgements; every share and accuracy is "
            "of the benchmark as published."
        )
    if report.savings:
        caveats.append(
            "The lazy plan asked only what it takes to know which samples are shortcuts: their "
            "share is complete; all other numbers are of the answers asked, a chosen part."
        )
    return tuple(caveats)


def write_faults(report: AuditReport, benchmark: str) -> tuple[str, ...]:
    """Say what went wrong with a benchmark, or with all if the name is empty."""
    counts: Counter[str] = Counter()
    n_not_needed = 0
    for row in report.summary.statuses:
        if benchmark in ("", row.benchmark):
            if row.reason == NOT_NEEDED:
                n_not_needed += row.n
            else:
                counts[row.status] += row.n
    faults = []
    n_answers = counts.total()
    if n_answers == counts[Status.OK]:
        faults.append(f"All {write_count(n_answers)} answers were read.")
    else:
        kinds = ", ".join(
            f"{write_count(counts[status])} {status}" for status in Status if counts[status]
        )
        faults.append(f"Of {write_several(n_answers, 'answer')}: {kinds}.")
    if n_not_needed:
        faults.append(f"{write_several(n_not_needed, 'answer')} not asked, as none is needed.")
    videos = {
        (video.benchmark, video.path)
        for video in report.lacking
        if benchmark in ("", video.benchmark)
    }
    if videos:
        fate = next(fate for fate in report.fates if fate.benchmark == benchmark)
        faults.append(
            f"{write_several(len(videos), 'video')} lacking something that a test shows, under "
            f"{write_several(fate.n_lacking, 'sample')}."
        )
    n_bad = sum(len(rows.bad_rows) for rows in report.rows if benchmark in ("", rows.benchmark))
    if n_bad:
        faults.append(f"{write_several(n_bad, 'row')} of the files left out as unreadable.")
    return tuple(faults)


def _write_verdict(report: AuditReport, verdict: Verdict) -> list[str]:
    sentences = [_write_share(report, verdict)]
    if len(report.summary.tests) > 1:
        sentences += _write_contributions(verdict)
    if report.summary.tests:
        sentences += [_write_tasks(verdict), _write_fates(verdict.fates)]
    sentences += [_write_best(each) for each in verdict.diagnostics]
    return [*sentences, *write_faults(report, verdict.benchmark)]


def _write_share(report: AuditReport, verdict: Verdict) -> str:
    n_samples = write_several(verdict.headline.n_samples, "sample")
    union = verdict.union
    if union is None:
        return f"{n_samples}; no test was asked, so nothing is said about shortcuts."
    if union.observed is None:
        return f"{n_samples}; too few answers were read to tell of any whether it is a shortcut."
    share = write_estimate(union.observed, union.observed_low, union.observed_high)
    corrected = write_estimate(union.corrected, union.corrected_low, union.corrected_high)
    of = write_several(union.n_known, "sample")
    shortcuts = f"{share} % of {of} are shortcuts: {write_rule(report)}."
    if union.null is None:
        return f"{shortcuts} What guessing alone would give cannot be told from these answers."
    return (
        f"{shortcuts} Guessing as these models do gives {write_percent(union.null)} %; corrected "
        f"for it, {corrected} %."
    )


def _write_contributions(verdict: Verdict) -> list[str]:
    parts = [
        f"{each.diagnostic} {write_count(each.contribution.n_shortcuts)} "
        f"({write_count(each.contribution.n_unique)})"
        for each in verdict.tests
        if each.contribution is not None
    ]
    if not parts:
        return []
    return [f"Shortcuts by test, and in brackets those no other finds: {', '.join(parts)}."]


def _write_tasks(verdict: Verdict) -> str:
    n_tasks = write_several(verdict.headline.n_tasks, "task")
    if not verdict.tasks:
        return f"Of {n_tasks}, none is given away beyond doubt."
    named = ", ".join(
        f"{task.task if verdict.benchmark else f'{task.benchmark}: {task.task}'} "
        f"({task.worst.best.diagnostic}: {write_percent(task.worst.best.accuracy)} against "
        f"{write_percent(task.worst.best.chance)})"
        for task in verdict.tasks[:_TASKS_NAMED]
    )
    if len(verdict.tasks) > _TASKS_NAMED:
        named += f" and {len(verdict.tasks) - _TASKS_NAMED} more"
    verb = "is" if len(verdict.tasks) == 1 else "are"
    return f"Of {n_tasks}, {len(verdict.tasks)} {verb} given away beyond doubt: {named}."


def _write_fates(fates: FateCount) -> str:
    n_judged = fates.n_judged_defective
    judged = f"{write_count(n_judged)} judged defective by people, " if n_judged else ""
    return (
        f"Of {write_several(fates.n_samples, 'sample')}, {write_count(fates.n_dropped)} are "
        f"shortcuts, {judged}{write_count(fates.n_kept)} kept, "
        f"{write_count(fates.n_undecided)} undecided "
        f"and {write_count(fates.n_untested)} outside every test."
    )


def _write_best(each: DiagnosticVerdict) -> str:
    best = each.best
    if best.accuracy is None:
        return f"{each.diagnostic}: no answer was read."
    accuracy = write_estimate(best.accuracy, best.accuracy_low, best.accuracy_high)
    beyond = "above chance" if best.above_chance else "not told from chance"
    return (
        f"{each.diagnostic}: the best model, {best.model}, answers {accuracy} % right; chance is "
        f"{write_percent(best.chance)} %, so this is {beyond}."
    )
