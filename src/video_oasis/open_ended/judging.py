"""Plans what judges that are models are asked about answers, and reads what all judges say.

An answer is put to a model as the trial of its question, so that planning, asking and storing are
the audit's own. Equal answers to one question are asked about once.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from video_oasis.answers.verdicts import read_verdict
from video_oasis.hashing import content_id
from video_oasis.judges import JUDGES
from video_oasis.judges.interface import Pair
from video_oasis.models.interface import AskedModel
from video_oasis.plan import Assignment, assign
from video_oasis.prompts import VERDICTS, judge_request
from video_oasis.schema import (
    MAX_GRADE,
    Answer,
    Grade,
    GradeStatus,
    OpenQuestion,
    ReplyField,
    Request,
    Trial,
)
from video_oasis.store import AnswerKey, Failure, Store, make_model_id
from video_oasis.trials import Trials

JUDGE: Final = "judge"
"""The name of these trials in the place of a diagnostic's."""
_FIELDS: Final = (
    ReplyField("verdict", VERDICTS),
    ReplyField("score", tuple(range(MAX_GRADE + 1))),
)

Grades = Mapping[str, Grade]
"""What one judge says of each pair, by the pair's id."""


@dataclass(frozen=True)
class JudgedPair:
    """An answer to a question, whoever gave it.

    Attributes:
        question: the question.
        answer: the answer.
    """

    question: OpenQuestion
    answer: str

    @cached_property
    def id(self) -> str:
        """Content id of what a judge sees: the question, its reference and the answer."""
        question = self.question
        return content_id("pair1", [question.question, question.reference, self.answer])

    @cached_property
    def request(self) -> Request:
        """What a judge that is a model is asked."""
        question = self.question
        return Request(
            system="",
            text=judge_request(question.question, question.reference, self.answer),
            letters=(),
            fields=_FIELDS,
        )


def plan_judges(
    pairs: Iterable[JudgedPair], judges: Mapping[str, AskedModel]
) -> tuple[Assignment, ...]:
    """Plan one request about each pair for each judge that is a model.

    Args:
        pairs: the pairs.
        judges: the models by the name to show them under.
    """
    by_benchmark: dict[str, list[Trial]] = {}
    for pair in pairs:
        trial = Trial(
            sample=pair.question.as_sample(),
            diagnostic=JUDGE,
            part=0,
            request=pair.request,
            order=(0,),
        )
        by_benchmark.setdefault(pair.question.benchmark, []).append(trial)
    return tuple(
        assign(benchmark, JUDGE, name, judge, Trials(tuple(trials)))
        for name, judge in judges.items()
        for benchmark, trials in by_benchmark.items()
    )


def read_grades(pairs: Iterable[JudgedPair], judge: AskedModel, store: Store) -> Grades:
    """Read what a judge that is a model says of each pair."""
    model_id = make_model_id(judge.describe())
    answers, failures = store.answers(model_id), store.failures(model_id)
    grades = {}
    for pair in pairs:
        key = AnswerKey(pair.request.id, 0)
        grades[pair.id] = _read(answers.get(key), failures.get(key))
    return grades


def _read(answer: Answer | None, failure: Failure | None) -> Grade:
    if answer is not None:
        return read_verdict(answer)
    if failure is not None:
        return Grade(GradeStatus.ERROR, reason=failure.kind)
    return Grade(GradeStatus.MISSING, reason="not_asked")


def apply_rule(pairs: Sequence[JudgedPair], judge: str) -> Grades:
    """Have a judge that is a rule grade each pair.

    Args:
        pairs: the pairs.
        judge: its name, and what it takes after ``/``.

    Raises:
        SettingsError: what stands after its name does not suit it.
        ModelUnavailable: something it needs is not there.
    """
    name, _, argument = judge.partition("/")
    plain = [Pair(pair.question.question, pair.question.reference, pair.answer) for pair in pairs]
    grades = JUDGES[name].grade(plain, argument)
    return {pair.id: grade for pair, grade in zip(pairs, grades, strict=True)}
