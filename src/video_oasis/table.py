"""Plan and store to the long table: one row for each (trial, model, draw)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import polars as pl

from video_oasis.answers import read_reply
from video_oasis.plan import Assignment
from video_oasis.schema import LONG_TABLE_COLUMNS, Answer, Reading, Sample, Status, Trial
from video_oasis.store import AnswerKey, Failure, Store
from video_oasis.trials import Unshown

_MODELS_READ_AT_ONCE: Final = 16
_SCHEMA = {name: getattr(pl, dtype) for name, dtype in LONG_TABLE_COLUMNS.items()}


def make_long_table(assignments: Sequence[Assignment], store: Store) -> pl.DataFrame:
    """Read every stored answer of the plan and score it.

    Args:
        assignments: the plan.
        store: the answers.

    Returns:
        A frame with the columns of ``LONG_TABLE_COLUMNS``, in the order of the plan. Trials without
        an answer are in it with status ``error`` (the last try failed) or ``missing``. A sample
        without evidence has one row with status ``error``, an empty ``request`` and a
        ``reason`` that says which evidence is lacking and why, such as ``video_truncated``; one
        that the test says nothing about has no row.
    """
    columns: dict[str, list[Any]] = {name: [] for name in LONG_TABLE_COLUMNS}
    # An asked model has one id under all benchmarks and diagnostics: its answers are read once.
    read_answers = lru_cache(_MODELS_READ_AT_ONCE)(store.answers)
    read_failures = lru_cache(_MODELS_READ_AT_ONCE)(store.failures)
    for assignment in assignments:
        model_id = assignment.model_id
        for row in _make_rows(assignment, read_answers(model_id), read_failures(model_id)):
            for name, values in columns.items():
                values.append(row[name])
    return pl.DataFrame(columns, schema=_SCHEMA)


def _make_rows(
    assignment: Assignment,
    answers: Mapping[AnswerKey, Answer],
    failures: Mapping[AnswerKey, Failure],
) -> Iterator[dict[str, Any]]:
    for trial in assignment.trials.asked:
        for draw in range(assignment.n_draws):
            key = assignment.key(trial, draw)
            yield {
                **_name(assignment, trial.sample, draw),
                "part": trial.part,
                "rotation": trial.rotation,
                "request": trial.request.id,
                **_score(trial, answers.get(key), failures.get(key)),
            }
    for unshown in assignment.trials.unshown:
        reading = read_lack(unshown)
        for draw in range(assignment.n_draws):
            yield {
                **_name(assignment, unshown.sample, draw),
                "part": 0,
                "rotation": 0,
                "request": "",
                "status": reading.status.value,
                "reason": reading.reason,
                "prediction": None,
                "correct": None,
                "target_probability": None,
            }


def _name(assignment: Assignment, sample: Sample, draw: int) -> dict[str, Any]:
    return {
        "benchmark": assignment.benchmark,
        "sample_id": sample.id,
        "video": sample.video.path,
        "task": sample.task,
        "diagnostic": assignment.diagnostic,
        "model": assignment.model_name,
        "draw": draw,
        "n_choices": len(sample.choices),
    }


def read_lack(unshown: Unshown) -> Reading:
    """Say of a sample without evidence what became of its trials, and which evidence is lacking."""
    if unshown.failure is None:
        return Reading(Status.MISSING, reason=f"{unshown.what}_not_prepared")
    return Reading(Status.ERROR, reason=f"{unshown.what}_{unshown.failure.kind}")


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
