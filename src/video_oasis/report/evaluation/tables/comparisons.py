"""Tables of models against each other, sets against each other, and ours against published."""

from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import SetFindings
from video_oasis.analysis.gap import GapRow
from video_oasis.hashing import canonical_json
from video_oasis.report.evaluation.document import Contender, EvaluationReport
from video_oasis.report.evaluation.lookup import (
    find_accuracy,
    find_change,
    list_benchmarks,
    list_labels,
)
from video_oasis.report.evaluation.tables.overview import name_for_files
from video_oasis.report.numbers import (
    NONE,
    write_change,
    write_count,
    write_estimate,
    write_p,
    write_percent,
)
from video_oasis.report.tables.table import Section, Table


def pair_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show every two models against each other."""
    levels = [Level.POOLED.value]
    if len(list_benchmarks(findings)) > 1:
        levels.append(Level.MACRO.value)
    return Table(
        section=Section.ACCURACY,
        name=f"pairs_{name_for_files(report, findings.name)}",
        title=f"Models against each other, {findings.name}",
        note="Over the samples that both answered; difference in points, both resampled together. "
        "Better: samples that the one gets right and the other does not. p: the larger of "
        "McNemar's exact test and its form that is robust to shared videos; Holm: corrected for "
        "all rows of the same average.",
        head=(
            "model", "other model", "average", "n", "accuracy", "other", "difference", "better",
            "other better", "p", "p, Holm",
        ),
        rows=tuple(
            (
                row.first,
                row.second,
                "pooled" if row.level == Level.POOLED else f"mean of {row.n_benchmarks}",
                write_count(row.n),
                write_percent(row.first_accuracy),
                write_percent(row.second_accuracy),
                write_change(row.difference, row.difference_low, row.difference_high),
                write_count(row.n_first_better),
                write_count(row.n_second_better),
                write_p(row.p_value),
                write_p(row.p_holm),
            )
            for level in levels
            for row in findings.pairs
            if row.level == level
        ),
        n_text_columns=3,
    )  # fmt: skip


def gap_table(report: EvaluationReport, name: str) -> Table:
    """Show what each model loses from the original set to another one, by benchmark."""
    rows = report.gaps[name]
    several = len({row.benchmark for row in rows if row.benchmark}) > 1
    shown = [row for row in rows if several or row.level == Level.BENCHMARK]
    return Table(
        section=Section.ACCURACY,
        name=f"gap_{name_for_files(report, name)}",
        title=f"From original to {name}",
        note="Gap in points, both accuracies over the same draws of videos. n: scored samples. "
        "A model that helped to choose the set has a gap for that alone; the page says which.",
        head=(
            "samples of", "model", "n, original", f"n, {name}", "% of original", "original",
            "chance", name, "chance", "gap",
        ),
        rows=tuple(
            (
                _write_place(row),
                row.model,
                write_count(row.n_original),
                write_count(row.n_distilled),
                write_percent(row.n_distilled / row.n_original),
                write_estimate(row.original, row.original_low, row.original_high),
                write_percent(row.original_chance),
                write_estimate(row.distilled, row.distilled_low, row.distilled_high),
                write_percent(row.distilled_chance),
                write_change(row.gap, row.gap_low, row.gap_high),
            )
            for row in shown
        ),
        n_text_columns=2,
    )  # fmt: skip


def _write_place(row: GapRow) -> str:
    if row.level == Level.POOLED:
        return "all, pooled"
    return row.benchmark or f"all, mean of {row.n_benchmarks} benchmarks"


def budget_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show how accuracy goes with the number of frames, for models asked with several budgets."""
    by_asking: dict[str, list[Contender]] = {}
    for contender in report.contenders:
        by_asking.setdefault(_identify_but_for_budget(contender), []).append(contender)
    rows = []
    for its in by_asking.values():
        if len({each.max_frames for each in its}) > 1:
            before: Contender | None = None
            for contender in sorted(its, key=lambda each: each.max_frames):
                cells = _write_budget(findings, contender, before=before)
                rows.append((contender.model, contender.diagnostic, *cells))
                before = contender
    return Table(
        section=Section.ACCURACY,
        name=f"frames_{name_for_files(report, findings.name)}",
        title=f"Accuracy against frames, {findings.name}",
        note="The same model, asked in the same way but for its frame budget. Change: from the "
        "line above, over the samples that both answered; p as in the table of models against "
        "each other.",
        head=(
            "model", "under", "at most, frames", "shown on average", "n", "accuracy", "chance",
            "change", "p, Holm",
        ),
        rows=tuple(rows),
        n_text_columns=2,
    )  # fmt: skip


def _identify_but_for_budget(contender: Contender) -> str:
    """Return what is the same for contenders that differ in nothing but their frame budget."""
    frames = {**contender.protocol.get("frames", {}), "max_frames": None}
    asked = {**contender.protocol, "frames": frames, "max_frames": None}
    return canonical_json([contender.model, dict(contender.description), asked])


def _write_budget(
    findings: SetFindings, contender: Contender, *, before: Contender | None
) -> tuple[str, ...]:
    row = find_accuracy(findings.whole, contender.label, Level.POOLED)
    change = None if before is None else find_change(findings, contender.label, before.label)
    return (
        str(contender.max_frames),
        NONE if contender.mean_frames is None else f"{contender.mean_frames:.1f}",
        NONE if row is None else write_count(row.n_scored),
        NONE if row is None else write_estimate(row.accuracy, row.accuracy_low, row.accuracy_high),
        NONE if row is None else write_percent(row.chance),
        NONE if change is None else write_change(*change[:3]),
        NONE if change is None else write_p(change[3]),
    )


def reproduction_table(report: EvaluationReport) -> Table:
    """Show published scores beside ours."""
    order = {label: number for number, label in enumerate(list_labels(report))}
    rows = sorted(report.reproduction, key=lambda row: order.get(row.model, len(order)))
    return Table(
        section=Section.VALIDITY,
        name="reproduction",
        title="Published scores and ours",
        note="Accuracy on the original set. Difference: ours less the published one, in points, "
        "with our interval, which allows for other questions being drawn. Both are over the same "
        "questions, so a published score inside it agrees no more than roughly, and one outside "
        "differs by more than the choice of questions explains; of twenty, one is outside by luck.",
        head=(
            "model",
            "benchmark",
            "published in",
            "published",
            "n",
            "ours",
            "difference",
            "inside",
        ),
        rows=tuple(
            (
                row.model,
                row.benchmark,
                row.source,
                write_percent(row.official),
                write_count(row.n_scored),
                write_estimate(row.ours, row.ours_low, row.ours_high),
                write_change(row.difference, row.difference_low, row.difference_high),
                NONE if row.is_inside is None else ("yes" if row.is_inside else "no"),
            )
            for row in rows
        ),
        n_text_columns=3,
    )
