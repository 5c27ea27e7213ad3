"""Plan and store to the long table: one row for each (trial, model, draw)."""

from collections.abc import Sequence
from typing import Any

import polars as pl

from video_oasis.answers import read_reply
from video_oasis.plan import Assignment
from video_oasis.schema import LONG_TABLE_COLUMNS, Answer, Reading, Status, Trial
from video_oasis.store import Failure, Store

_SCHEMA = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}


def make_long_table(assignments: Sequence[Assignment], store: Store) -> pl.DataFrame:
    """Read every stored answer of the plan and score it.

    Args:
        assignments: the plan.
        store: the answers.

    Returns:
        A frame with the columns of ``LONG_TABLE_COLUMNS``, in the order of the plan. Trials without
        an answer are in it with status ``error`` (the last try failed) or ``missing``.
    """
    columns: dict[str, list[Any]] = {name: [] for name in LONG_TABLE_COLUMNS}
    for assignment in assignments:
        answers = store.answers(assignment.model_id)
        failures = store.failures(assignment.model_id)
        for trial in assignment.trials:
            for draw in range(assignment.n_draws):
                key = assignment.key(trial, draw)
                row = {
                    "benchmark": assignment.benchmark,
                    "sample_id": trial.sample.id,
                    "video": trial.sample.video.path,
                    "task": trial.sample.task,
                    "diagnostic": trial.diagnostic,
                    "part": trial.part,
                    "model": assignment.model_name,
                    "draw": draw,
                    "request": trial.request.id,
                    "n_choices": len(trial.sample.choices),
                    **_score(trial, answers.get(key), failures.get(key)),
                }
                for name, values in columns.items():
                    values.append(row[name])
    return pl.DataFrame(columns, schema=_SCHEMA)


def _score(trial: Trial, answer: Answer | None, failure: Failure | None) -> dict[str, Any]:
    reading = _read(trial, answer, failure)
    choice = None if reading.position is None else trial.order[reading.position]
    return {
        "status": reading.status.value,
        "reason": reading.reason,
        "prediction": None if choice is None else trial.sample.answer(choice),
        "correct": None if choice is None else trial.sample.is_correct(choice),
        "target_probability": None if answer is None else _target_probability(trial, answer),
    }


def _read(trial: Trial, answer: Answer | None, failure: Failure | None) -> Reading:
    if answer is not None:
        return read_reply(answer, trial.shown_choices, trial.request.letters)
    if failure is not None:
        return Reading(Status.ERROR, reason=failure.kind)
    return Reading(Status.MISSING, reason="not_asked")


def _target_probability(trial: Trial, answer: Answer) -> float | None:
    if answer.letter_probabilities is None:
        return None
    return sum(
        probability
        for probability, choice in zip(answer.letter_probabilities, trial.order, strict=True)
        if trial.sample.is_correct(choice)
    )
