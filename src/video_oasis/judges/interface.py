"""What a judge that needs no model is to the rest of the package."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from video_oasis.errors import SettingsError
from video_oasis.schema import MAX_GRADE, Grade, GradeStatus


@dataclass(frozen=True, slots=True)
class Pair:
    """An answer and what it is compared with.

    Attributes:
        question: the question.
        reference: the published answer.
        answer: the answer to judge.
    """

    question: str
    reference: str
    answer: str


@dataclass(frozen=True, slots=True)
class Judge:
    """A rule that grades answers.

    Attributes:
        name: its name on the command line and in every table.
        rule: when it takes an answer for right, and what its score is, in one sentence.
        grade: grades answers, one grade for each, in order. It is given the text after ``NAME/``
            in the settings, empty for none; raises ``SettingsError`` where that does not suit it,
            and ``ModelUnavailable`` where something it needs is not there.
        takes: what may stand after ``NAME/``, in words; empty for nothing.
    """

    name: str
    rule: str
    grade: Callable[[Sequence[Pair], str], Sequence[Grade]]
    takes: str = ""


def refuse_argument(name: str, argument: str) -> None:
    """Refuse a text after ``NAME/`` on behalf of a judge that takes none.

    Raises:
        SettingsError: there is one.
    """
    if argument:
        raise SettingsError(f"judge {name}/{argument}: {name} takes nothing after its name")


def grade_likeness(likeness: float, *, threshold: float) -> Grade:
    """Make a grade of how alike answer and reference are.

    Args:
        likeness: 0 for nothing in common, 1 for the same.
        threshold: so alike at least, and the answer counts as right.
    """
    return Grade(GradeStatus.OK, correct=likeness >= threshold, score=MAX_GRADE * likeness)
