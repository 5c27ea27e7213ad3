"""ActivityNet-QA (arXiv 1906.02467): open questions on long videos, answers in a second file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import find_file, read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, RowFault, read_rows
from video_oasis.benchmarks.interface import Benchmark, Row
from video_oasis.errors import BenchmarkError
from video_oasis.schema import Video

_NAME = "activitynet-qa"
_QUESTIONS_END = "_q.json"
_ANSWERS_END = "_a.json"
_TYPES: Final = (
    "motion",
    "spatial relationship",
    "temporal relationship",
    "yes/no",
    "color",
    "object",
    "location",
    "number",
    "other",
)
"""What the published codes 0 to 8 stand for; from 3 on they are types of answers."""


def _read(root: Path) -> Iterator[Row]:
    path = find_file(root, "test_q.json", "dataset/test_q.json")
    if not path.name.endswith(_QUESTIONS_END):
        raise BenchmarkError(
            f"{path}: expected a file of questions whose name ends in {_QUESTIONS_END}"
        )
    folder = root if root.is_dir() else path.parent
    questions = read_file(path, root=folder)
    answers = read_file(
        path.with_name(path.name.removesuffix(_QUESTIONS_END) + _ANSWERS_END), root=folder
    )
    by_id: dict[str, RawRow] = {}
    for answer in answers:
        by_id.setdefault(_id(answer), answer)
    used: set[int] = set()

    def take(question: RawRow) -> Parts:
        answer = by_id.get(_id(question))
        if answer is None:
            raise RowFault("question_id", "answer_missing", f"no answer in {answers[0].file}")
        used.add(answer.number)
        return _take(question, answer)

    def refuse(answer: RawRow) -> Parts:
        first = by_id[_id(answer)]
        if first is answer:
            raise RowFault("question_id", "question_missing", f"no question in {questions[0].file}")
        raise RowFault("question_id", "answer_repeated", f"a second answer; see row {first.number}")

    yield from read_rows(_NAME, questions, identify=_identify, take=take)
    for answer in answers:
        if answer.number not in used:
            yield from read_rows(_NAME, [answer], identify=_identify, take=refuse)


def _id(row: RawRow) -> str:
    return str(row.columns.get("question_id"))


def _identify(row: RawRow) -> str:
    return row.name("question_id")


def _take(question: RawRow, answer: RawRow) -> Parts:
    try:
        reference = answer.required_text("answer", expected="an answer")
        task = _type(answer)
    except RowFault as fault:
        fault.row = answer
        raise
    return Parts(
        video=Video(f"v_{question.name('video_name')}.mp4"),
        question=question.required_text("question", expected="a question"),
        choices=None,
        answer=reference,
        answer_column="answer",
        answer_form=AnswerForm.TEXT,
        task=task,
        metadata=question.without("question_id", "video_name", "question")
        | answer.without("question_id", "answer", "type"),
    )


def _type(answer: RawRow) -> str:
    code = answer.text("type")
    names = dict(zip(map(str, range(len(_TYPES))), _TYPES, strict=True))
    if code not in names:
        raise RowFault(
            "type", "value_unreadable", f"{code!r}; expected a number from 0 to {len(_TYPES) - 1}"
        )
    return names[code]


ACTIVITYNET_QA: Final = Benchmark(_NAME, "open", "test_q.json, test_a.json", _read)
