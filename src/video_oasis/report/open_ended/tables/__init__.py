"""The tables of the report on judges, as texts in cells.

``results`` is what judges make of the models, ``judges`` what judges make of each other and of
answers whose right verdict is known, ``people`` what people say, ``records`` what was asked and
what became of it.
"""

from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.tables.judges import (
    agreement_table,
    contradiction_table,
    difference_summary_table,
    difference_table,
    length_table,
    probe_table,
    self_preference_table,
)
from video_oasis.report.open_ended.tables.people import (
    beside_people_table,
    people_accuracy_table,
    people_table,
)
from video_oasis.report.open_ended.tables.records import (
    caught_table,
    contradiction_example_table,
    excluded_table,
    judge_table,
    lacking_table,
    row_table,
    status_table,
)
from video_oasis.report.open_ended.tables.results import (
    accuracy_table,
    corrected_table,
    score_table,
    text_only_table,
)
from video_oasis.report.tables.table import Table


def make_tables(report: JudgeReport) -> tuple[Table, ...]:
    """Make every table that there is something to show in, in the order to show them."""
    tables = (
        accuracy_table(report),
        score_table(report),
        text_only_table(report),
        corrected_table(report),
        difference_summary_table(report),
        difference_table(report),
        agreement_table(report),
        probe_table(report),
        contradiction_table(report),
        self_preference_table(report),
        length_table(report),
        beside_people_table(report),
        people_accuracy_table(report),
        people_table(report),
        caught_table(report),
        contradiction_example_table(report),
        judge_table(report),
        status_table(report),
        row_table(report),
        lacking_table(report),
        excluded_table(report),
    )
    return tuple(table for table in tables if table.rows)
