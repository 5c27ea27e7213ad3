"""The table of models that were shown the videos in several ways."""

from collections.abc import Callable, Sequence

from video_oasis.analysis.cells import Level
from video_oasis.analysis.evaluation import Findings, SetFindings
from video_oasis.analysis.model_pairs import ModelPairRow
from video_oasis.report.evaluation.document import EvaluationReport
from video_oasis.report.evaluation.lookup import list_places, name_places
from video_oasis.report.evaluation.tables.overview import name_for_files
from video_oasis.report.numbers import (
    NONE,
    write_change,
    write_count,
    write_p,
    write_percent,
)
from video_oasis.report.tables.table import Section, Table


def view_table(report: EvaluationReport, findings: SetFindings) -> Table:
    """Show what a model gains where it is shown the videos in another way, six lines for each."""
    places = list_places(report, findings)
    pairs = [(row.first, row.second) for row in findings.whole.views if row.level == Level.POOLED]
    return Table(
        section=Section.ACCURACY,
        name=f"views_{name_for_files(report, findings.name)}",
        title=f"What models are shown, {findings.name}",
        note="Each comparison is over the samples that the model answered both ways, so where not "
        "all are annotated over those that are. Difference in points, both resampled together; p "
        "as in the table of models against each other, Holm over the comparisons of a column.",
        head=("model", "line", *name_places(report, places)),
        rows=tuple(line for pair in pairs for line in _compare(pair, places)),
        n_text_columns=2,
    )


def _compare(pair: tuple[str, str], places: Sequence[Findings]) -> list[tuple[str, ...]]:
    first, second = pair
    lines: dict[str, Callable[[ModelPairRow], str]] = {
        second: lambda row: write_percent(row.second_accuracy),
        first: lambda row: write_percent(row.first_accuracy),
        "difference": lambda row: write_change(
            row.difference, row.difference_low, row.difference_high
        ),
        "p, Holm": lambda row: write_p(row.p_holm),
        "samples": lambda row: write_count(row.n),
        "chance": lambda row: write_percent(row.chance),
    }
    rows = [_find(pair, place) for place in places]
    return [
        (first, line, *(NONE if row is None else write(row) for row in rows))
        for line, write in lines.items()
    ]


def _find(pair: tuple[str, str], place: Findings) -> ModelPairRow | None:
    return next(
        (
            row
            for row in place.views
            if row.level == Level.POOLED and (row.first, row.second) == pair
        ),
        None,
    )
