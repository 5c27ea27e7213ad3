"""Tables of how often and how alike models answer."""

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place
from video_oasis.report.numbers import NONE, write_count, write_estimate, write_percent, write_ratio
from video_oasis.report.tables.table import Section, Table, write_place


def accuracy_table(report: AuditReport) -> Table:
    """Show how often each model is right under each diagnostic."""
    rows = [row for row in report.summary.accuracy if row.level != Level.TASK]
    # A single benchmark is its own mean: rows that would repeat it say nothing.
    if len(report.summary.benchmarks) == 1:
        rows = [row for row in rows if row.level == Level.BENCHMARK]
    models = list(dict.fromkeys(row.model for row in rows))
    lines: dict[tuple[str, str], dict[str, AccuracyRow]] = {}
    for row in rows:
        lines.setdefault((row.diagnostic, write_place(row)), {})[row.model] = row
    return Table(
        section=Section.ACCURACY,
        name="accuracy",
        title="Accuracy",
        note=(
            "Percent right of the answers that could be read, with the 95 % interval of a "
            "bootstrap over whole videos. Chance is the mean of 1/n over the same samples."
        ),
        head=("shown", "samples of", "n", "chance", *models),
        rows=tuple(
            (
                diagnostic,
                place,
                write_count(max(row.n_samples for row in by_model.values())),
                write_percent(next(iter(by_model.values())).chance),
                *(
                    write_estimate(cell.accuracy, cell.accuracy_low, cell.accuracy_high)
                    if (cell := by_model.get(model))
                    else NONE
                    for model in models
                ),
            )
            for (diagnostic, place), by_model in lines.items()
        ),
        n_text_columns=2,
    )


def agreement_table(report: AuditReport) -> Table:
    """Show how alike every two models of a test answer."""
    level = Level.POOLED if len(report.summary.benchmarks) > 1 else Level.BENCHMARK
    return Table(
        section=Section.ACCURACY,
        name="agreement",
        title="How alike the models answer",
        note=(
            "Same: percent of samples with the same answer. Kappa corrects it for each model's "
            "habit of picking certain positions. Phi: correlation of being right."
        ),
        head=("test", "model", "other model", "n", "same", "kappa", "phi"),
        rows=tuple(
            (
                row.test,
                row.model,
                row.other_model,
                write_count(row.n),
                write_percent(row.same),
                write_ratio(row.kappa),
                write_ratio(row.phi),
            )
            for row in report.summary.agreement
            if row.level == level
        ),
        n_text_columns=3,
    )


def rotation_table(report: AuditReport) -> Table:
    """Show how far models stand by a choice when it is shown in another place."""
    return Table(
        section=Section.ACCURACY,
        name="rotations",
        title="What models answer when the choices are rotated",
        note=(
            "Same: samples that get the same choice under every rotation. Right: mean over the "
            "rotations. Always: right under every one, which is what counts as a vote; guessing: "
            "what that would be if the right choice were any of the sample's."
        ),
        head=("samples of", "test", "model", "n", "same", "right", "always", "guessing"),
        rows=tuple(
            (
                name_place(row.benchmark),
                row.diagnostic,
                row.model,
                write_count(row.n),
                write_percent(row.same),
                write_percent(row.accuracy),
                write_percent(row.always_right),
                write_percent(row.always_right_chance),
            )
            for row in report.summary.rotations
            if row.level == Level.BENCHMARK or len(report.summary.benchmarks) > 1
        ),
        n_text_columns=3,
    )
