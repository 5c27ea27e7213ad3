"""Tables of who judges, what became of what was asked, and examples to look at."""

from video_oasis.report.numbers import NONE, write_count, write_ratio
from video_oasis.report.open_ended.document import JudgeReport
from video_oasis.report.page import shorten
from video_oasis.report.tables.table import Section, Table
from video_oasis.schema import Probe

_SHOWN_OF_A_JUDGE = 10
_CHARACTERS = 160


def judge_table(report: JudgeReport) -> Table:
    """Make the table of what each judge is."""
    return Table(
        section=Section.ANSWERS,
        name="judges",
        title="The judges",
        note="Models are asked with our own prompt for a verdict and a score at once.",
        head=("judge", "given as", "kind", "family", "rule"),
        rows=tuple(
            (
                judge.name,
                judge.given,
                "model" if judge.is_model else "rule",
                judge.family or NONE,
                judge.rule or NONE,
            )
            for judge in report.judges
        ),
        n_text_columns=5,
    )


def status_table(report: JudgeReport) -> Table:
    """Make the table of what became of answers and grades."""
    return Table(
        section=Section.ANSWERS,
        name="statuses",
        title="What became of answers and grades",
        note="Only those with status ok count in any accuracy: what failed, was refused or cannot "
        "be read is never a wrong answer, nor a verdict. Grades of probes are counted here.",
        head=("who", "what", "status", "reason", "n"),
        rows=tuple(
            (count.who, count.what, count.status, count.reason or NONE, write_count(count.n))
            for count in report.statuses
        ),
        n_text_columns=4,
    )


def row_table(report: JudgeReport) -> Table:
    """Make the table of what became of the benchmarks' rows."""
    return Table(
        section=Section.ANSWERS,
        name="rows",
        title="Questions",
        note="Questions with choices are not asked here.",
        head=("benchmark", "rows", "open questions", "asked", "with choices", "left out as bad"),
        rows=tuple(
            (
                row.benchmark,
                write_count(row.n_rows),
                write_count(row.n_open_questions),
                write_count(row.n_audited),
                write_count(row.n_samples),
                write_count(len(row.bad_rows)),
            )
            for row in report.rows
        ),
    )


def lacking_table(report: JudgeReport) -> Table:
    """Make the table of videos that lack what some diagnostic shows."""
    return Table(
        section=Section.ANSWERS,
        name="lacking",
        title="Videos without what a model should be shown",
        note="Their questions are counted as errors, never as wrong answers.",
        head=("benchmark", "video", "reason", "questions"),
        rows=tuple(
            (video.benchmark, video.path, video.reason, write_count(len(video.sample_ids)))
            for video in report.lacking
        ),
        n_text_columns=3,
    )


def excluded_table(report: JudgeReport) -> Table:
    """Make the table of questions that a diagnostic does not apply to."""
    return Table(
        section=Section.ANSWERS,
        name="excluded",
        title="Questions that were not asked",
        note="What would have been shown says nothing about them, or withholds nothing.",
        head=("benchmark", "model", "shown", "reason", "questions"),
        rows=tuple(
            (row.benchmark, row.model, row.diagnostic, row.reason, write_count(row.n_samples))
            for row in report.excluded
        ),
        n_text_columns=4,
    )


def caught_table(report: JudgeReport) -> Table:
    """Make the table of probes that judges fell for."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for row in report.summary.traps.caught:
        if row.probe not in (Probe.ECHO, Probe.SWAPPED):
            continue
        rows.setdefault(row.judge, []).append(
            (
                row.judge,
                row.probe,
                row.benchmark,
                row.sample_id,
                shorten(row.reference, _CHARACTERS),
                shorten(row.answer, _CHARACTERS),
                write_ratio(row.score),
            )
        )
    return Table(
        section=Section.PEOPLE,
        name="caught",
        title="Answers of known verdict that judges got wrong",
        note=f"Of each judge the first {_SHOWN_OF_A_JUDGE} that are not padded; all are in "
        f"judges.json. Look for synonyms among the swapped: those are no fault of the judge.",
        head=("judge", "probe", "benchmark", "question", "reference", "answer", "score"),
        rows=tuple(cells for of_judge in rows.values() for cells in of_judge[:_SHOWN_OF_A_JUDGE]),
        n_text_columns=6,
    )


def contradiction_example_table(report: JudgeReport) -> Table:
    """Make the table of grades that contradict themselves."""
    rows: dict[str, list[tuple[str, ...]]] = {}
    for row in report.summary.contradiction_examples:
        rows.setdefault(row.judge, []).append(
            (
                row.judge,
                row.benchmark,
                row.sample_id,
                shorten(row.reference, _CHARACTERS),
                shorten(row.answer, _CHARACTERS),
                "yes" if row.correct else "no",
                write_ratio(row.score),
            )
        )
    return Table(
        section=Section.PEOPLE,
        name="contradicting",
        title="Grades that contradict themselves",
        note=f"Of each judge the first {_SHOWN_OF_A_JUDGE}; all are in judges.json.",
        head=("judge", "benchmark", "question", "reference", "answer", "verdict", "score"),
        rows=tuple(cells for of_judge in rows.values() for cells in of_judge[:_SHOWN_OF_A_JUDGE]),
        n_text_columns=6,
    )
