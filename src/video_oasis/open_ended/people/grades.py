"""What people say of answers: one grade, the file of a run's grades, and which of them stand."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars as pl

from video_oasis.errors import SchemaError
from video_oasis.growing_file import GrowingFile
from video_oasis.hashing import content_id
from video_oasis.open_ended.people.sampling import ChosenPair
from video_oasis.schema import MAX_GRADE
from video_oasis.standing import find_standing


@dataclass(frozen=True, slots=True)
class PersonGrade:
    """What one person says of one answer; never changed, only followed by others.

    Attributes:
        pair: content id of question, reference and answer.
        benchmark: the benchmark of the question that the person saw.
        sample_id: that question.
        reviewer: who says so.
        correct: whether the answer is right; None if the person cannot say, which is no opinion.
        score: how good it is, from 0 to ``MAX_GRADE``; None if not given.
        note: what the person adds.
        made_at: when; any time zone is turned into UTC.
        takes_back: whether this only takes back the person's grade of the answer that stands.
    """

    pair: str
    benchmark: str
    sample_id: str
    reviewer: str
    correct: bool | None
    score: int | None
    note: str
    made_at: datetime
    takes_back: bool = False

    def __post_init__(self) -> None:
        """Check the fields and turn the time into UTC.

        Raises:
            SchemaError: one breaks its rule; the message begins with the field's name.
        """
        for name in ("pair", "benchmark", "sample_id", "reviewer"):
            if not getattr(self, name).strip():
                raise SchemaError(f"{name} is empty")
        if self.score is not None and not 0 <= self.score <= MAX_GRADE:
            raise SchemaError(f"score is {self.score}; expected 0 to {MAX_GRADE}, or nothing")
        if self.score is not None and self.correct is None:
            raise SchemaError(
                f"score is {self.score} and correct is not given; expected a score only with it"
            )
        if self.takes_back and self.correct is not None:
            raise SchemaError("takes_back is true; expected no grade with it")
        if self.made_at.tzinfo is None:
            raise SchemaError(
                f"made_at is {self.made_at.isoformat()!r}, without a time zone; expected one, such "
                f"as {self.made_at.isoformat()}Z for UTC"
            )
        object.__setattr__(self, "made_at", self.made_at.astimezone(UTC))

    @property
    def key(self) -> str:
        """What is graded: the pair."""
        return self.pair

    @property
    def id(self) -> str:
        """Content id over all fields."""
        return content_id("person-grade1", self.plain())

    def plain(self) -> dict[str, str | bool | int | None]:
        """Return the fields as plain data, in the one form that the file and ids have them in."""
        return asdict(self) | {"made_at": self.made_at.isoformat(timespec="microseconds")}


class GradeFile(GrowingFile[PersonGrade]):
    """The grades that people gave answers of a run, in the order in which they were made."""

    def __init__(self, path: Path) -> None:
        """Name the file; it need not exist yet."""
        super().__init__(path, parse=parse_grade, to_plain=PersonGrade.plain, what="grade")


def parse_grade(row: Any) -> PersonGrade:
    """Make a grade of a row as ``PersonGrade.plain`` gives it.

    Raises:
        SchemaError: a field is missing, unknown, or not what it should be; the message names it.
    """
    names = [each.name for each in fields(PersonGrade)]
    if not isinstance(row, dict) or row.keys() != set(names):
        raise SchemaError(f"found {row!r}; expected an object with the fields {', '.join(names)}")
    for name, value in row.items():
        if name in ("correct", "takes_back"):
            fits, words = isinstance(value, bool), "true or false"
        elif name == "score":
            fits, words = isinstance(value, int) and not isinstance(value, bool), "a whole number"
        else:
            fits, words = isinstance(value, str), "text"
        if name in ("correct", "score"):
            fits, words = fits or value is None, f"{words}, or null"
        if not fits:
            raise SchemaError(f"{name} is {value!r}; expected {words}")
    try:
        made_at = datetime.fromisoformat(row["made_at"])
    except ValueError:
        raise SchemaError(f"made_at is {row['made_at']!r}; expected a time") from None
    return PersonGrade(**{**row, "made_at": made_at})


def list_standing(grades: Iterable[PersonGrade]) -> tuple[PersonGrade, ...]:
    """List each person's latest grade of each pair that is not taken back, in their order."""
    return find_standing(
        grades,
        place=lambda each: (each.pair, each.reviewer),
        takes_back=lambda each: each.takes_back,
    )


def to_frame(grades: Iterable[PersonGrade], chosen: Iterable[ChosenPair]) -> pl.DataFrame:
    """Make a table of the grades that stand.

    Args:
        grades: all that were made, in their order.
        chosen: the answers that were chosen; grades of others are left out.

    Returns:
        A row for each pair and reviewer: ``pair``, ``reviewer``, ``correct`` (null if the person
        cannot say), ``score`` (0 to ``MAX_GRADE``, null if not given), and the ``weight`` of the
        pair.
    """
    weights = {each.pair: each.weight for each in chosen}
    return pl.DataFrame(
        [
            (each.pair, each.reviewer, each.correct, each.score, weights[each.pair])
            for each in list_standing(grades)
            if each.pair in weights
        ],
        schema={
            "pair": pl.String(),
            "reviewer": pl.String(),
            "correct": pl.Boolean(),
            "score": pl.Float64(),
            "weight": pl.Float64(),
        },
        orient="row",
    )
