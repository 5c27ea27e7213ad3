"""Answers, probes and what judges say of them, as one table for the analysis."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

import polars as pl

from video_oasis.open_ended.answers import OpenAnswer
from video_oasis.open_ended.judging import Grades, JudgedPair
from video_oasis.open_ended.probes import ProbeAnswer
from video_oasis.schema import GRADE_TABLE_COLUMNS, Grade, GradeStatus, OpenQuestion, Probe, Status

_SCHEMA: Final = {name: getattr(pl, dtype) for name, dtype in GRADE_TABLE_COLUMNS.items()}


def make_grade_table(
    answers: Sequence[OpenAnswer],
    probes: Sequence[ProbeAnswer],
    judged: Mapping[str, Grades],
    models: Collection[str],
    families: Mapping[str, str],
) -> pl.DataFrame:
    """Put everything into one table, one row for each answer and judge.

    Args:
        answers: what models answered.
        probes: the answers whose right verdict is known.
        judged: what each judge says of each pair.
        models: the judges that are models.
        families: the family of every answering model and of every judge that is a model.

    Returns:
        A frame with the columns of ``GRADE_TABLE_COLUMNS``: judge by judge, models' answers first.
    """
    columns: dict[str, list[Any]] = {name: [] for name in GRADE_TABLE_COLUMNS}
    described = [
        *(_describe_answer(answer, families) for answer in answers),
        *map(_describe_probe, probes),
    ]
    for judge, grades in judged.items():
        of_judge = {
            "judge": judge,
            "judge_is_model": judge in models,
            "judge_family": families[judge] if judge in models else "",
        }
        for row in described:
            for name, value in (row | of_judge | _grade(row, grades)).items():
                columns[name].append(value)
    return pl.DataFrame(columns, schema=_SCHEMA)


def _describe_answer(answer: OpenAnswer, families: Mapping[str, str]) -> dict[str, Any]:
    is_ok = answer.status is Status.OK
    return {
        **_describe_question(answer.question),
        "diagnostic": answer.diagnostic,
        "model": answer.model,
        "model_family": families[answer.model],
        "draw": answer.draw,
        "probe": Probe.NONE.value,
        "pair": JudgedPair(answer.question, answer.text).id if is_ok else "",
        "answer": answer.text if is_ok else None,
        "answer_status": answer.status.value,
        "reason": answer.reason,
    }


def _describe_probe(probe: ProbeAnswer) -> dict[str, Any]:
    return {
        **_describe_question(probe.question),
        "diagnostic": "",
        "model": "",
        "model_family": "",
        "draw": 0,
        "probe": probe.probe.value,
        "pair": JudgedPair(probe.question, probe.text).id,
        "answer": probe.text,
        "answer_status": Status.OK.value,
        "reason": "",
    }


def _describe_question(question: OpenQuestion) -> dict[str, Any]:
    return {
        "benchmark": question.benchmark,
        "sample_id": question.id,
        "video": question.video.path,
        "task": question.task,
        "reference": question.reference,
    }


def _grade(row: Mapping[str, Any], grades: Grades) -> dict[str, Any]:
    grade = grades[row["pair"]] if row["pair"] else _no_grade(row)
    return {
        "status": grade.status.value,
        "reason": grade.reason,
        "correct": grade.correct,
        "score": grade.score,
    }


def _no_grade(row: Mapping[str, Any]) -> Grade:
    return Grade(GradeStatus.MISSING, reason=f"answer_{row['reason']}")
