"""Reads what an audit's answers come to: everything that its report shows."""

from collections import Counter
from collections.abc import Iterable
from importlib.metadata import version

from video_oasis.analysis.ambiguity import QueueRow
from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.samples import list_samples
from video_oasis.analysis.summary import summarise
from video_oasis.answered import read_answered
from video_oasis.audit import LoadedBenchmark, PreparedAudit
from video_oasis.config import AskingPlan, plain_settings
from video_oasis.distil.corrected_answers import arrange_corrected
from video_oasis.distil.decide import distil
from video_oasis.judgements.agreement import measure_agreement
from video_oasis.judgements.judgement import Judgement
from video_oasis.judgements.refinement import count_refinement
from video_oasis.judgements.rulings import Rulings, make_rulings
from video_oasis.lazy.left_out import Saving, count_savings, find_left_out, mark_not_needed
from video_oasis.media.frames import MediaFailure
from video_oasis.models.interface import FittedModel, MatchingModel
from video_oasis.plan import Assignment
from video_oasis.report.document import (
    AuditReport,
    BenchmarkRows,
    CutCount,
    ExcludedCount,
    LackingVideo,
    ModelFinding,
    ModelRecord,
    Refinement,
)
from video_oasis.sample_views import count_fates, view_samples
from video_oasis.schema import NOTE_TEXT_CUT
from video_oasis.store import Store


def make_report(
    audit: PreparedAudit, store: Store, judgements: Iterable[Judgement] = ()
) -> AuditReport:
    """Make a report from the answers there are; what is missing is counted as missing.

    Args:
        audit: the planned audit.
        store: its answers.
        judgements: what people decided about samples. Fates follow them; the other numbers are of
            the benchmarks as published.

    Raises:
        JudgementsError: a judgement corrects to a choice that its sample does not have.
    """
    rulings = make_rulings(judgements, audit.settings.decision_rule, audit.samples)
    answered = read_answered(audit, store)
    table, grid, tests = answered.table, answered.grid, answered.tests
    corrected = arrange_corrected(grid, table, audit.samples, rulings)
    savings: tuple[Saving, ...] = ()
    if audit.settings.plan is AskingPlan.LAZY:
        left_out = find_left_out(table, grid.only(tests), audit.settings.threshold)
        table = mark_not_needed(table, left_out)
        savings = count_savings(left_out, fitted=_list_fitted(audit.assignments))
    samples = {(sample.benchmark, sample.id): sample for sample in audit.samples}
    summary = summarise(
        table,
        groups={loaded.contents.benchmark: loaded.contents.group for loaded in audit.benchmarks},
        tests=tests,
        is_partial=audit.settings.plan is AskingPlan.LAZY,
        texts={key: (sample.question, sample.choices) for key, sample in samples.items()},
        threshold=answered.threshold,
        strict_consistency=audit.settings.strict_consistency,
        validators=audit.validators,
        with_spares=answered.whole if audit.spares else None,
        resampling=Resampling(n_resamples=audit.settings.n_resamples),
    )
    decided = distil(samples.values(), corrected.only(tests), answered.threshold, rulings)
    return AuditReport(
        version=version("video-oasis"),
        settings=plain_settings(audit.settings),
        rows=tuple(record_rows(loaded) for loaded in audit.benchmarks),
        models=record_models(audit.assignments),
        summary=summary,
        findings=_collect_findings(audit.assignments, store),
        samples=list_samples(grid.only(set(grid.tests) - grid.parted)),
        lacking=list_lacking(audit.assignments),
        excluded=count_excluded(audit.assignments),
        cut=_count_cut(audit.assignments, store),
        skipped=audit.skipped,
        threshold=answered.threshold,
        fates=count_fates(decided, audit.assignments),
        views=view_samples(samples, decided, summary.queue, audit.assignments, table),
        savings=savings,
        refinement=_count_refinement(rulings, summary.queue, audit.settings.n_resamples),
    )


def _count_refinement(
    rulings: Rulings, queue: Iterable[QueueRow], n_resamples: int
) -> Refinement | None:
    if rulings.record is None:
        return None
    queued: dict[str, list[tuple[str, str]]] = {}
    for row in queue:
        queued.setdefault(row.check, []).append((row.benchmark, row.sample_id))
    return Refinement(
        record=rulings.record,
        rows=count_refinement(queued, rulings),
        agreement=measure_agreement(rulings.standing, n_resamples=n_resamples),
    )


def _list_fitted(assignments: tuple[Assignment, ...]) -> set[str]:
    return {each.model_name for each in assignments if isinstance(each.model, FittedModel)}


def list_lacking(assignments: tuple[Assignment, ...]) -> tuple[LackingVideo, ...]:
    """List what each video lacks, once, with the samples that a model could not be asked about."""
    samples: dict[tuple[str, str, str, MediaFailure], dict[str, None]] = {}
    for assignment in assignments:
        for unshown in assignment.trials.unshown:
            if unshown.failure is not None:
                path = unshown.sample.video.path
                key = (assignment.benchmark, path, unshown.what, unshown.failure)
                samples.setdefault(key, {})[unshown.sample.id] = None
    return tuple(
        LackingVideo(benchmark, path, f"{what}_{failure.kind}", failure.message, tuple(its_samples))
        for (benchmark, path, what, failure), its_samples in samples.items()
    )


def count_excluded(assignments: tuple[Assignment, ...]) -> tuple[ExcludedCount, ...]:
    """Count the samples that a model was not asked, as the diagnostic says nothing about them."""
    return tuple(
        ExcludedCount(
            assignment.benchmark, assignment.diagnostic, assignment.model_name, reason, n_samples
        )
        for assignment in assignments
        for reason, n_samples in Counter(
            excluded.reason for excluded in assignment.trials.excluded
        ).items()
    )


def _count_cut(assignments: tuple[Assignment, ...], store: Store) -> tuple[CutCount, ...]:
    """Count samples whose text was cut: by our limit, or by the model that read it."""
    return tuple(
        CutCount(assignment.benchmark, assignment.diagnostic, assignment.model_name, n_samples)
        for assignment in assignments
        if (n_samples := _count_cut_of(assignment, store))
    )


def _count_cut_of(assignment: Assignment, store: Store) -> int:
    if not isinstance(assignment.model, MatchingModel):
        return len(assignment.trials.cut)
    answers = store.answers(assignment.model_id)
    keys = {assignment.key(trial, 0) for trial in assignment.trials.asked}
    return sum(answers[key].note == NOTE_TEXT_CUT for key in keys & answers.keys())


def record_rows(loaded: LoadedBenchmark) -> BenchmarkRows:
    """Return what became of the rows of a benchmark's files."""
    contents = loaded.contents
    return BenchmarkRows(
        benchmark=contents.benchmark,
        group=contents.group,
        path=str(loaded.entry.path),
        n_rows=len(contents.samples) + len(contents.open_questions) + len(contents.bad_rows),
        n_samples=len(contents.samples),
        n_audited=len(loaded.samples),
        n_open_questions=len(contents.open_questions),
        bad_rows=tuple(map(str, contents.bad_rows)),
    )


def record_models(assignments: tuple[Assignment, ...]) -> tuple[ModelRecord, ...]:
    """Return what is recorded of each model, in the order of the plan."""
    by_name: dict[str, list[Assignment]] = {}
    for assignment in assignments:
        by_name.setdefault(assignment.model_name, []).append(assignment)
    return tuple(
        ModelRecord(
            name=name,
            description={
                key: value for key, value in its[0].description.items() if key != "trials"
            },
            ids=tuple(dict.fromkeys(assignment.model_id for assignment in its)),
        )
        for name, its in by_name.items()
    )


def _collect_findings(
    assignments: tuple[Assignment, ...], store: Store
) -> tuple[ModelFinding, ...]:
    findings = [
        ModelFinding(diagnostic=assignment.diagnostic, model=assignment.model_name, **finding)
        for assignment in assignments
        for finding in store.findings(assignment.model_id)
    ]
    findings.sort(
        key=lambda finding: (
            finding.benchmark,
            finding.diagnostic,
            finding.task,
            finding.model,
            -finding.effect,
        )
    )
    return tuple(findings)
