"""Tables of what judges make of the models' answers."""

from collections.abc import Callable

from video_oasis.analysis.grades.accuracy import GradeAccuracyRow
from video_oasis.analysis.grades.grid import BLIND
from video_oasis.report.numbers import NONE, write_count
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.open_ended.estimates import write_difference, write_share, write_value
from video_oasis.report.open_ended.tables.places import list_shown, name_place
from video_oasis.report.tables.table import Section, Table


def accuracy_table(report: JudgeReport) -> Table:
    """Make the table of the share of answers that each judge accepts."""
    return _by_judge(
        report,
        lambda row: f"{write_share(row.accuracy)} of {write_count(row.n_graded)}",
        name="judged_accuracy",
        title="Answers that each judge accepts, %",
        note="Of the answers that the judge gave a grade: judges that leave some out are not over "
        "the same answers (the table of two judges is). Blind is what a model gets right without "
        "any of the video: compare the others with it. Intervals resample whole videos.",
    )


def score_table(report: JudgeReport) -> Table:
    """Make the table of the mean scores that judges give."""
    return _by_judge(
        report,
        lambda row: write_value(row.score),
        name="judged_score",
        title="Mean score by each judge, 0 to 5",
        note="Over answers with a grade. What rules give is five times how alike the words are.",
    )


def _by_judge(
    report: JudgeReport,
    write: Callable[[GradeAccuracyRow], str],
    *,
    name: str,
    title: str,
    note: str,
) -> Table:
    judges = [judge.name for judge in report.judges]
    cells: dict[tuple[str, str, str], dict[str, GradeAccuracyRow]] = {}
    for row in list_shown(report, report.summary.accuracy):
        cells.setdefault((name_place(row), row.model, row.diagnostic), {})[row.judge] = row
    return Table(
        section=Section.ACCURACY,
        name=name,
        title=title,
        note=note,
        head=("benchmark", "model", "shown", "answers", *judges),
        rows=tuple(
            (
                *place,
                write_count(max(row.n_answered for row in by_judge.values())),
                *(write(by_judge[judge]) if judge in by_judge else NONE for judge in judges),
            )
            for place, by_judge in cells.items()
        ),
        n_text_columns=3,
    )


def text_only_table(report: JudgeReport) -> Table:
    """Make the table of what each input adds to text alone, judge by judge."""
    rows = [row for row in list_shown(report, report.summary.accuracy) if row.diagnostic != BLIND]
    return Table(
        section=Section.VIDEO,
        name="above_text_only",
        title="What the pictures add to text alone, points",
        note="Accepted answers with the pictures less those without any, by the same model and "
        "judge, over the questions graded under both.",
        head=("benchmark", "model", "shown", "judge", "questions", "blind, %", "added"),
        rows=tuple(
            (
                name_place(row),
                row.model,
                row.diagnostic,
                row.judge,
                write_count(row.n_text_only),
                write_share(row.text_only),
                write_difference(row.above_text_only),
            )
            for row in rows
            if row.n_text_only
        ),
        n_text_columns=4,
    )


def corrected_table(report: JudgeReport) -> Table:
    """Make the table of accuracies corrected for the judges' errors on the probes."""
    return Table(
        section=Section.VALIDITY,
        name="corrected_accuracy",
        title="Accuracy corrected for the judge's errors on answers of known verdict, %",
        note="What the accuracy would be without the judge's errors, if it erred on models' "
        "answers as it does on probes, which are plainer. There is no such number where the judge "
        "does not tell right probes from wrong ones.",
        head=("benchmark", "model", "shown", "judge", "accepted", "corrected"),
        rows=tuple(
            (
                name_place(row),
                row.model,
                row.diagnostic,
                row.judge,
                write_share(row.accuracy),
                write_share(row.corrected),
            )
            for row in list_shown(report, report.summary.traps.corrected)
        ),
        n_text_columns=4,
    )
