"""Which grades of people stand."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from video_oasis.open_ended.people.grades import GradeFile, PersonGrade, list_standing
from video_oasis.review.opinion_ledger import OpinionLedger, Refusals

_REFUSALS: Final = Refusals(
    record="You changed your grade of this answer meanwhile, in another tab. Nothing was saved "
    "now; it is shown as it stands.",
    undo="Your latest grade is another one by now, made in another tab. Nothing was undone; press "
    "again to undo that one.",
)


class GradeLedger(OpinionLedger[str, PersonGrade]):
    """The grades that people gave answers of a run, by pair."""

    def __init__(self, file: GradeFile) -> None:
        """Read a file of grades.

        Raises:
            RunError: it is damaged.
        """
        super().__init__(
            file, list_standing=list_standing, take_back=_take_back, refusals=_REFUSALS
        )


def _take_back(grade: PersonGrade) -> PersonGrade:
    return replace(
        grade, correct=None, score=None, note="", made_at=datetime.now(UTC), takes_back=True
    )
