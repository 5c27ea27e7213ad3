"""Tables of what people judged, and of how far they agree."""

from typing import Final

from video_oasis.judgements.agreement import ReviewerAgreement
from video_oasis.judgements.refinement import RefinementRow
from video_oasis.report.document import AuditReport, Refinement
from video_oasis.report.headline import name_place
from video_oasis.report.numbers import write_count, write_estimate, write_ratio, write_several
from video_oasis.report.tables.table import Section, Table

AGREEMENT_HEAD: Final = ("agreement on", "samples", "reviewers", "same", "kappa", "alpha")


def refinement_table(report: AuditReport) -> Table:
    """Show, check by check, what people made of the samples."""
    refinement = report.refinement
    rows = () if refinement is None else refinement.rows
    return Table(
        section=Section.PEOPLE,
        name="refinement",
        title="What people made of them",
        note="" if refinement is None else _explain(refinement),
        head=(
            "samples of",
            "check",
            "in queue",
            "open",
            "judged",
            "dropped",
            "restored",
            "corrected",
            "kept",
            "undecided",
            "no opinion",
            "conflicts",
            "wrong label",
            "ambiguous",
            "several right",
            "broken video",
            "other",
        ),
        rows=tuple((name_place(row.benchmark), row.check, *_write_counts(row)) for row in rows),
        n_text_columns=2,
    )


def reviewer_table(report: AuditReport) -> Table:
    """Show how far reviewers agree, on decisions and on what they come to."""
    rows = () if report.refinement is None else report.refinement.agreement
    return Table(
        section=Section.PEOPLE,
        name="reviewers",
        title="How far reviewers agree",
        note=(
            "Over samples that at least two reviewers have an opinion of. Decision: the same one, "
            "and of corrections the same choice. Outcome: all reasons to drop count as one, and so "
            "do keeping and correcting. Same: percent of pairs of reviewers that agree. Kappa is "
            "Cohen's for two reviewers, else Fleiss'; alpha is Krippendorff's. Intervals: 95 %, of "
            "a bootstrap over samples."
        ),
        head=AGREEMENT_HEAD,
        rows=tuple(map(write_agreement, rows)),
    )


def write_agreement(row: ReviewerAgreement) -> tuple[str, ...]:
    """Write how far reviewers agree in one sense, in the cells of ``AGREEMENT_HEAD``."""
    return (
        row.split,
        write_count(row.n_samples),
        write_count(row.n_reviewers),
        write_estimate(row.same, row.same_low, row.same_high),
        _write_coefficient(row.kappa, row.kappa_low, row.kappa_high),
        _write_coefficient(row.alpha, row.alpha_low, row.alpha_high),
    )


def _explain(refinement: Refinement) -> str:
    record = refinement.record
    return (
        f"{write_several(record.n_judgements, 'standing judgement')} of "
        f"{write_several(record.n_reviewers, 'reviewer')}, put together by the rule {record.rule}. "
        f"In queue: samples that the check puts before a person; open: those nobody judged. "
        f"Judged: samples judged under this check, then by what their judgements come to. "
        f"Restored: no shortcut under shuffle. Corrected: another choice is right. Undecided: the "
        f"opinions decide nothing by the rule, and change nothing. Conflicts: samples, of whatever "
        f"outcome, on which opinions differ. The last columns divide the dropped by reason."
    )


def _write_counts(row: RefinementRow) -> tuple[str, ...]:
    counts = (
        row.n_queued,
        row.n_open,
        row.n_judged,
        row.n_dropped,
        row.n_restored,
        row.n_corrected,
        row.n_kept,
        row.n_undecided,
        row.n_skipped,
        row.n_conflicts,
        row.n_wrong_label,
        row.n_ambiguous,
        row.n_several_right,
        row.n_broken_video,
        row.n_other,
    )
    return tuple(map(write_count, counts))


def _write_coefficient(value: float | None, low: float | None, high: float | None) -> str:
    if low is None or high is None:
        return write_ratio(value)
    return f"{write_ratio(value)} [{write_ratio(low)}, {write_ratio(high)}]"
