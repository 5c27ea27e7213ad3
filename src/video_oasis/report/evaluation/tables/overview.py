"""Tables of what was evaluated, on what, and how it came out in all."""

from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import SetFindings
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.lookup import find_accuracy, list_benchmarks, list_labels
from video_oasis.report.numbers import NONE, write_count, write_estimate, write_percent
from video_oasis.report.tables.table import Section, Table

_ID_CHARACTERS = 20


def overview_table(report: EvaluationReport) -> Table:
    """Show every model on every set, the best on the last one first."""
    contenders = {each.label: each for each in report.contenders}
    head = ["model", "frames"]
    for findings in report.findings:
        head += [f"n, {findings.name}", f"accuracy, {findings.name}"]
        if len(list_benchmarks(findings)) > 1:
            head.append(f"mean of benchmarks, {findings.name}")
        head.append(f"chance, {findings.name}")
    return Table(
        section=Section.ACCURACY,
        name="overview",
        title="Accuracy",
        note="Percent right of the answers that could be read, every sample counting the same "
        "(micro average), with the 95 % interval of a bootstrap over whole videos. Mean of "
        "benchmarks: every benchmark counting the same (macro average). n: samples that the model "
        "was asked about. Frames: shown on average.",
        head=tuple(head),
        rows=tuple(
            (
                label,
                _write_frames(contenders[label].mean_frames),
                *(cell for each in report.findings for cell in _write_set(each, label)),
            )
            for label in list_labels(report)
        ),
    )


def _write_frames(mean_frames: float | None) -> str:
    return NONE if mean_frames is None else f"{mean_frames:.1f}"


def _write_set(findings: SetFindings, label: str) -> list[str]:
    pooled = find_accuracy(findings.whole, label, Level.POOLED)
    mean = find_accuracy(findings.whole, label, Level.MACRO)
    has_mean = len(list_benchmarks(findings)) > 1
    if pooled is None:
        return [NONE] * (3 + has_mean)
    cells = [
        write_count(pooled.n_samples),
        write_estimate(pooled.accuracy, pooled.accuracy_low, pooled.accuracy_high),
    ]
    if has_mean:
        cells.append(
            NONE
            if mean is None
            else write_estimate(mean.accuracy, mean.accuracy_low, mean.accuracy_high)
        )
    return [*cells, write_percent(pooled.chance)]


def status_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show what became of the answers about a set, and what the unread ones could change."""
    rows = [find_accuracy(findings.whole, label, Level.POOLED) for label in list_labels(report)]
    return Table(
        section=Section.ANSWERS,
        name=f"answers_{name_for_files(report, findings.name)}",
        title=f"What became of the answers, {findings.name}",
        note="Only answers with one readable choice are scored. Lowest and highest: the accuracy "
        "if all others were wrong, and if all were right.",
        head=(
            "model", "answers", "scored", "unparsed", "refused", "failed", "missing", "lowest",
            "highest",
        ),
        rows=tuple(
            (
                row.model,
                *map(
                    write_count,
                    (
                        row.n, row.n_scored, row.n_unparsed, row.n_refused, row.n_error,
                        row.n_missing,
                    ),
                ),
                write_percent(row.lower_bound),
                write_percent(row.upper_bound),
            )
            for row in rows
            if row is not None
        ),
    )  # fmt: skip


def set_table(report: EvaluationReport) -> Table:
    """Show which samples each set has."""
    return Table(
        section=Section.ANSWERS,
        name="sets",
        title="Sets of samples",
        note="The id is made from all that is published of the samples and their right choices. "
        "Corrected: scored by "
        "what people decided, not by the published answer. Absent: samples of the source that "
        "the runs do not have.",
        head=("set", "from", "id", "samples", "corrected", "absent"),
        rows=tuple(
            (
                each.name,
                each.source,
                each.id,
                write_count(each.n_samples),
                write_count(each.n_corrected),
                write_count(each.n_absent),
            )
            for each in report.sets
        ),
        n_text_columns=3,
    )


def contender_table(report: EvaluationReport) -> Table:
    """Show what each model is and how it was asked."""
    return Table(
        section=Section.ANSWERS,
        name="models",
        title="Models and how they were asked",
        note="Descriptions and settings in full are in evaluation.json.",
        head=("model", "under", "runs", "id", "at most, frames", "draws", "rotations"),
        rows=tuple(
            (
                each.label,
                each.diagnostic,
                ", ".join(each.runs),
                ", ".join(one[:_ID_CHARACTERS] for one in each.ids),
                write_count(each.max_frames),
                write_count(each.protocol["n_draws"]),
                write_count(each.protocol["n_rotations"]),
            )
            for each in report.contenders
        ),
        n_text_columns=4,
    )


def name_for_files(report: EvaluationReport, name: str) -> str:
    """Name a set in the names of files: folders can be called anything."""
    if name.isidentifier():
        return name
    return f"set-{[each.name for each in report.sets].index(name) + 1}"
