"""Reads what models answered to open questions."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from video_oasis.answers.open_answers import read_open_answer
from video_oasis.plan import Assignment
from video_oasis.schema import Answer, OpenQuestion, SampleKey, Status
from video_oasis.store import Failure, Store
from video_oasis.table import read_lack

_MODELS_READ_AT_ONCE: Final = 16
_STATUSES: Final = {
    "empty": Status.UNPARSED,
    "cut_off": Status.UNPARSED,
    "filtered": Status.REFUSED,
    "refusal": Status.REFUSED,
    "server_failure": Status.ERROR,
}


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """What became of one open question asked of one model.

    Attributes:
        question: the question.
        diagnostic: what the model was shown.
        model: the model.
        draw: which of several independent answers.
        status: what became of it; ``unparsed`` where the reply says nothing.
        reason: a constant word for why there is no answer; empty if there is.
        text: the answer; empty if there is none.
    """

    question: OpenQuestion
    diagnostic: str
    model: str
    draw: int
    status: Status
    reason: str = ""
    text: str = ""


def read_answers(
    assignments: Sequence[Assignment], questions: Mapping[SampleKey, OpenQuestion], store: Store
) -> list[OpenAnswer]:
    """Read every answer of the plan, in its order.

    Args:
        assignments: the plan.
        questions: the questions that its samples were made of.
        store: the answers.
    """
    stored = lru_cache(_MODELS_READ_AT_ONCE)(store.answers)
    failed = lru_cache(_MODELS_READ_AT_ONCE)(store.failures)
    answers = []
    for assignment in assignments:
        model_id = assignment.model_id
        for trial in assignment.trials.asked:
            question = questions[trial.sample.benchmark, trial.sample.id]
            for draw in range(assignment.n_draws):
                key = assignment.key(trial, draw)
                status, reason, text = _read(stored(model_id).get(key), failed(model_id).get(key))
                answers.append(
                    OpenAnswer(
                        question,
                        assignment.diagnostic,
                        assignment.model_name,
                        draw,
                        status,
                        reason,
                        text,
                    )
                )
        answers += _list_unshown(assignment, questions)
    return answers


def _read(answer: Answer | None, failure: Failure | None) -> tuple[Status, str, str]:
    if answer is None:
        if failure is not None:
            return Status.ERROR, failure.kind, ""
        return Status.MISSING, "not_asked", ""
    text, reason = read_open_answer(answer)
    return (_STATUSES[reason], reason, "") if reason else (Status.OK, "", text)


def _list_unshown(
    assignment: Assignment, questions: Mapping[SampleKey, OpenQuestion]
) -> Iterator[OpenAnswer]:
    for unshown in assignment.trials.unshown:
        reading = read_lack(unshown)
        question = questions[unshown.sample.benchmark, unshown.sample.id]
        for draw in range(assignment.n_draws):
            yield OpenAnswer(
                question,
                assignment.diagnostic,
                assignment.model_name,
                draw,
                reading.status,
                reading.reason,
            )
