"""The tables of a report as texts in cells: what one is, and how places are named in it."""

from dataclasses import dataclass
from enum import StrEnum

from video_oasis.analysis.accuracy import AccuracyRow
from video_oasis.analysis.cells import Level
from video_oasis.analysis.consensus import ConsensusRow
from video_oasis.analysis.contribution import ContributionRow
from video_oasis.report.document import AuditReport


class Section(StrEnum):
    """What a table is about; the tables of a report are sorted by it, in this order."""

    SHORTCUTS = "Shortcuts"
    TASKS = "Tasks"
    VIDEO = "What the video adds"
    VALIDITY = "Whether the verdicts hold"
    ACCURACY = "Accuracy and agreement"
    PEOPLE = "For a person to look at"
    ANSWERS = "Answers, videos and files"


@dataclass(frozen=True, slots=True)
class Table:
    """A table to show.

    Attributes:
        section: what it is about.
        name: a short name, for file names and links.
        title: its title.
        note: how to read it.
        head: the column titles.
        rows: the cells, one text for each column.
        n_text_columns: how many of the first columns hold text; the rest hold numbers.
    """

    section: Section
    name: str
    title: str
    note: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    n_text_columns: int = 1


def name_task(report: AuditReport, benchmark: str, task: str) -> str:
    """Name a task, with its benchmark where the report is about several."""
    return task if len(report.summary.benchmarks) == 1 else f"{benchmark}: {task}"


def write_place(row: AccuracyRow | ConsensusRow | ContributionRow) -> str:
    """Say in words what set of samples a row is about; tasks apart."""
    match row.level:
        case Level.POOLED:
            return "all, pooled"
        case Level.MACRO:
            return f"all, mean of {row.n_benchmarks} benchmarks"
        case Level.GROUP_POOLED:
            return f"{row.group}, pooled"
        case Level.GROUP_MACRO:
            return f"{row.group}, mean of {row.n_benchmarks}"
    return row.benchmark
