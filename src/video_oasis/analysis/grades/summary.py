"""Everything the grades say of the judges, in one plain structure."""

from dataclasses import dataclass

import polars as pl

from video_oasis.analysis.bootstrap import Resampling
from video_oasis.analysis.grades.accuracy import GradeAccuracyRow, measure_grade_accuracy
from video_oasis.analysis.grades.contradictions import (
    Contradiction,
    ContradictionRow,
    find_contradictions,
)
from video_oasis.analysis.grades.grid import Judge, arrange_grades
from video_oasis.analysis.grades.judge_agreement import JudgeAgreementRow, measure_judge_agreement
from video_oasis.analysis.grades.judge_differences import (
    JudgeDifferenceRow,
    JudgeDifferenceSummary,
    compare_judges,
    summarise_judges,
)
from video_oasis.analysis.grades.length import LengthRow, measure_length
from video_oasis.analysis.grades.people import PeopleComparison, compare_with_people
from video_oasis.analysis.grades.self_preference import SelfPreferenceRow, measure_self_preference
from video_oasis.analysis.grades.traps import Traps, measure_traps


@dataclass(frozen=True, slots=True)
class GradeSummary:
    """What the grade table says, analysis by analysis.

    Attributes:
        resampling: how the intervals were made.
        judges: the judges in the table's order.
        accuracy: every model under every diagnostic by every judge.
        differences: every two judges of every model under every diagnostic.
        difference_summaries: every two judges over these results.
        agreement: every two judges over single answers.
        contradictions: how often each judge that is a model contradicts itself.
        contradiction_examples: all of these grades.
        self_preference: each judge that can be tested for it.
        length: each judge.
        traps: what the probes say.
        people: what people say; None where none were asked.
    """

    resampling: Resampling
    judges: tuple[Judge, ...]
    accuracy: tuple[GradeAccuracyRow, ...]
    differences: tuple[JudgeDifferenceRow, ...]
    difference_summaries: tuple[JudgeDifferenceSummary, ...]
    agreement: tuple[JudgeAgreementRow, ...]
    contradictions: tuple[ContradictionRow, ...]
    contradiction_examples: tuple[Contradiction, ...]
    self_preference: tuple[SelfPreferenceRow, ...]
    length: tuple[LengthRow, ...]
    traps: Traps
    people: PeopleComparison | None


def summarise_grades(
    table: pl.DataFrame,
    *,
    people: pl.DataFrame | None = None,
    reference: str | None = None,
    resampling: Resampling | None = None,
) -> GradeSummary:
    """Make every analysis of a grade table.

    Args:
        table: the columns of ``schema.GRADE_TABLE_COLUMNS``; judges keep its order.
        people: people's grades, as ``compare_with_people`` takes them; None where none were asked.
        reference: the judge that others are compared with; by default the table's first.
        resampling: how intervals are made; by default 1000 resamples, 95 percent, seed 0.

    Raises:
        SchemaError: a table breaks its rules, or there is no judge of the reference's name.
    """
    resampling = resampling or Resampling()
    grid = arrange_grades(table)
    differences = compare_judges(grid, reference=reference, resampling=resampling)
    contradictions, examples = find_contradictions(grid, resampling=resampling)
    return GradeSummary(
        resampling=resampling,
        judges=grid.judges,
        accuracy=measure_grade_accuracy(grid, resampling=resampling),
        differences=differences,
        difference_summaries=summarise_judges(differences),
        agreement=measure_judge_agreement(grid, resampling=resampling),
        contradictions=contradictions,
        contradiction_examples=examples,
        self_preference=measure_self_preference(grid, resampling=resampling),
        length=measure_length(grid, resampling=resampling),
        traps=measure_traps(grid, resampling=resampling),
        people=None if people is None else compare_with_people(grid, people, resampling=resampling),
    )
