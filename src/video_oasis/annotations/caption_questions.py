"""The file form of question sets made from captions: MSVD-QA and MSRVTT-QA, by the same authors."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from video_oasis.annotations.files import read_file
from video_oasis.annotations.gold import AnswerForm
from video_oasis.annotations.rows import Parts, RawRow, read_rows
from video_oasis.schema import BadRow, OpenQuestion, Sample, Video

_TYPES: Final = frozenset({"what", "who", "how", "when", "where"})
_OTHER_TYPE: Final = "other"
_FIRST_WORD: Final = re.compile(r"[^\W\d_]+")


def read_caption_questions(
    benchmark: str, path: Path, *, root: Path, name_video: Callable[[RawRow], str]
) -> Iterator[Sample | OpenQuestion | BadRow]:
    """Read the questions of one split; the task is the type of question.

    Args:
        benchmark: the benchmark's name.
        path: ``test_qa.json``, or the file of another split.
        root: the folder (or file) the user gave.
        name_video: gives the path of a row's video; may raise ``RowFault``.
    """

    def take(row: RawRow) -> Parts:
        question = row.required_text("question", expected="a question")
        return Parts(
            video=Video(name_video(row)),
            question=question,
            choices=None,
            answer=row.value("answer"),
            answer_column="answer",
            answer_form=AnswerForm.TEXT,
            task=name_question_type(question),
            metadata=row.without("id", "video_id", "question", "answer"),
        )

    rows = read_file(path, root=root)
    return read_rows(benchmark, rows, identify=lambda row: row.name("id"), take=take)


def name_question_type(question: str) -> str:
    """Return the type that results are reported by: what, who, how, when or where.

    It is the question's first word; a question that begins with another word is of type other.
    """
    first = _FIRST_WORD.search(question.casefold())
    return first[0] if first and first[0] in _TYPES else _OTHER_TYPE
