"""Tables of what a person should look at."""

from video_oasis.analysis.cells import Level
from video_oasis.report.document import AuditReport
from video_oasis.report.headline import name_place
from video_oasis.report.numbers import write_count
from video_oasis.report.tables.table import Section, Table


def ambiguity_table(report: AuditReport) -> Table:
    """Show how many samples each check flags."""
    several = len(report.summary.benchmarks) > 1
    return Table(
        section=Section.PEOPLE,
        name="ambiguity",
        title="Samples that a person should look at",
        note=(
            "Consistency: shown the whole video, models scatter. Redundancy: a model is right on "
            "every chunk alone. Sensitivity: frames out of order suffice, and no other test drops "
            "the sample; a person may find that order matters. tables/queue.csv has the samples in "
            "the order to look at them."
        ),
        head=("samples of", "check", "n", "flagged", "unknown"),
        rows=tuple(
            (
                name_place(row.benchmark),
                row.check,
                write_count(row.n),
                write_count(row.n_flagged),
                write_count(row.n_unknown),
            )
            for row in report.summary.ambiguity
            if row.n and (several or row.level == Level.BENCHMARK)
        ),
        n_text_columns=2,
    )
