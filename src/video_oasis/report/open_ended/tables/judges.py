"""Tables of what judges are worth: beside each other, and on answers of known verdict."""

from video_oasis.analysis.grades.traps import ProbeRow, TrustRow
from video_oasis.report.numbers import NONE, write_count, write_p, write_points, write_ratio
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.estimates import write_difference, write_share, write_value
from video_oasis.report.open_ended.tables.places import list_shown, name_place
from video_oasis.report.tables.table import Section, Table
from video_oasis.schema import Probe

_PROBES = {
    Probe.ECHO: "the reference",
    Probe.ECHO_PADDED: "the reference, padded",
    Probe.SWAPPED: "another's reference",
    Probe.SWAPPED_PADDED: "another's, padded",
}


def difference_summary_table(report: JudgeReport) -> Table:
    """Make the table of how far two judges are apart over all results."""
    return Table(
        section=Section.VALIDITY,
        name="judge_differences_summary",
        title="How far judges are apart over all results, points",
        note="A result is one model shown one thing of one benchmark. Of the second judge's share "
        "of accepted answers less the first's: the mean, and the standard deviation over results "
        "(n - 1), as in the last line of TVBench's table 3 (arXiv 2410.07752). A judge that is "
        "strict or mild to all alike has a mean but no deviation, and does not change who is best.",
        head=("first judge", "second judge", "results", "mean", "±"),
        rows=tuple(
            (
                row.first,
                row.second,
                write_count(len(row.summary.differences)),
                write_points(row.summary.mean),
                _write_spread(row.summary.standard_deviation),
            )
            for row in report.summary.difference_summaries
        ),
        n_text_columns=2,
    )


def _write_spread(share: float | None) -> str:
    return NONE if share is None else f"{100 * share:.1f}"


def difference_table(report: JudgeReport) -> Table:
    """Make the table of two judges of each result."""
    return Table(
        section=Section.VALIDITY,
        name="judge_differences",
        title="Two judges of the same answers, %",
        note="Over answers that both graded. p: McNemar's test and its form for shared videos, the "
        "larger, corrected by Holm over the table's rows.",
        head=(
            "benchmark", "model", "shown", "first judge", "second judge", "questions",
            "first", "second", "difference", "p",
        ),
        rows=tuple(
            (
                name_place(row),
                row.model,
                row.diagnostic,
                row.first,
                row.second,
                write_count(row.n_samples),
                write_share(row.first_accuracy),
                write_share(row.second_accuracy),
                write_difference(row.difference),
                write_p(row.p_holm),
            )
            for row in list_shown(report, report.summary.differences)
        ),
        n_text_columns=5,
    )  # fmt: skip


def agreement_table(report: JudgeReport) -> Table:
    """Make the table of how far judges agree about single answers."""
    return Table(
        section=Section.VALIDITY,
        name="judge_agreement",
        title="How far judges agree about single answers",
        note="Over different answers that both graded. Same: both accept or both reject, %. Kappa "
        "is Cohen's; Spearman and Kendall (tau-b) compare the order of the scores.",
        head=(
            "first judge", "second judge", "answers", "same", "kappa", "Spearman", "Kendall",
        ),
        rows=tuple(
            (
                row.first,
                row.second,
                write_count(row.n_pairs),
                write_share(row.same),
                write_value(row.kappa),
                write_value(row.spearman),
                write_ratio(row.kendall),
            )
            for row in report.summary.agreement
        ),
        n_text_columns=2,
    )  # fmt: skip


def probe_table(report: JudgeReport) -> Table:
    """Make the table of what judges say of answers whose right verdict is known."""
    trust = {
        (row.level, row.benchmark, row.judge): row
        for row in list_shown(report, report.summary.traps.trust)
    }
    probes: dict[tuple[str, str, str], dict[str, ProbeRow]] = {}
    for row in list_shown(report, report.summary.traps.probes):
        probes.setdefault((row.level, row.benchmark, row.judge), {})[row.probe] = row
    return Table(
        section=Section.VALIDITY,
        name="probes",
        title="Answers of known verdict that each judge accepts, %",
        note="The question's own reference is right; the reference of another question of its "
        "task, which shares no word with it, is a trap and all but always wrong (a synonym may be "
        "among them). Padded: the same in a longer sentence. Youden's J is the first less the "
        "third: 1 for a judge without fault, 0 for one that does not look.",
        head=("benchmark", "judge", "probes", *_PROBES.values(), "invalid", "Youden's J"),
        rows=tuple(
            _write_probes(key, by_probe, trust.get(key)) for key, by_probe in probes.items()
        ),
        n_text_columns=2,
    )


def _write_probes(
    key: tuple[str, str, str], by_probe: dict[str, ProbeRow], trust: TrustRow | None
) -> tuple[str, ...]:
    return (
        key[1] or "all, pooled",
        key[2],
        write_count(sum(row.n for row in by_probe.values())),
        *(
            write_share(by_probe[probe].accepted) if probe in by_probe else NONE
            for probe in _PROBES
        ),
        write_count(sum(row.n_invalid for row in by_probe.values())),
        NONE if trust is None else write_value(trust.youden),
    )


def contradiction_table(report: JudgeReport) -> Table:
    """Make the table of how often judges contradict themselves."""
    return Table(
        section=Section.VALIDITY,
        name="contradictions",
        title="Verdicts that contradict their score",
        note="Of judges that are models, over different answers graded. Rejected with a score of 4 "
        "or 5, or accepted with 0 or 1; in brackets those with the outermost score.",
        head=("judge", "answers", "rejected high", "accepted low", "share, %"),
        rows=tuple(
            (
                row.judge,
                write_count(row.n_pairs),
                f"{write_count(row.n_rejected_high)} ({write_count(row.n_rejected_highest)})",
                f"{write_count(row.n_accepted_low)} ({write_count(row.n_accepted_lowest)})",
                write_share(row.share),
            )
            for row in report.summary.contradictions
        ),
    )


def self_preference_table(report: JudgeReport) -> Table:
    """Make the table of whether judges favour models of their own family."""
    return Table(
        section=Section.VALIDITY,
        name="self_preference",
        title="Whether judges favour their own family, points",
        note="How much more a judge accepts than models of other families do, of models of its own "
        "family, less the same of other models, over the same questions. Families are told by the "
        "models' names, unless you state them.",
        head=(
            "judge", "family", "compared with", "own models", "other models", "n", "own", "others",
            "preference", "in score",
        ),
        rows=tuple(
            (
                row.judge,
                row.family,
                ", ".join(row.compared_with),
                ", ".join(row.own_models),
                ", ".join(row.other_models),
                write_count(row.n),
                write_difference(row.own_difference),
                write_difference(row.other_difference),
                write_difference(row.preference),
                write_value(row.score_preference, sign=True),
            )
            for row in report.summary.self_preference
        ),
        n_text_columns=5,
    )  # fmt: skip


def length_table(report: JudgeReport) -> Table:
    """Make the table of what the length of an answer does to judges."""
    return Table(
        section=Section.VALIDITY,
        name="length",
        title="What the length of an answer does to judges",
        note="Within: correlation of an answer's rank by words among the answers to its question "
        "with the judge's verdict and score; across: over all answers. Longer answers may well be "
        "better; padding is what length alone does: the share accepted of padded probes less that "
        "of the bare, in points.",
        head=(
            "judge", "answers", "within, verdict", "within, score", "across, score",
            "wrong, padded", "right, padded",
        ),
        rows=tuple(
            (
                row.judge,
                write_count(row.n_answers),
                write_value(row.within_correct, sign=True),
                write_value(row.within_score, sign=True),
                write_value(row.across_score, sign=True),
                write_difference(row.wrong_padded),
                write_difference(row.right_padded),
            )
            for row in report.summary.length
        ),
    )  # fmt: skip
