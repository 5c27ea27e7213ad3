"""Reads a judge's verdict and score from its reply."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from video_oasis.answers.cleaning import remove_decoration, remove_reasoning
from video_oasis.answers.refusals import is_refusal, is_server_failure
from video_oasis.schema import MAX_GRADE, Answer, FinishReason, Grade, GradeStatus

_RIGHT: Final = frozenset({"yes", "true", "correct"})
_WORD: Final = r"yes|no|true|false|correct|incorrect"
_NUMBER: Final = r"-?\d+(?:\.\d+)?"
# A model that repeats the form it was asked for has not decided.
_NO_OTHER_WORD: Final = r"(?!\W{0,3}(?:or\b|/|\|))"
_NO_RANGE: Final = r"(?![\d.]*\s?(?:to|or|[-–])\s?\d)"
_PUNCTUATION: Final = r"(?:\s[-–]\s|[^\w-]{1,4})"

_VERDICT: Final = re.compile(
    rf"\b(?:verdict|judge?ment|pred|prediction){_PUNCTUATION}(?:is\s)?(?P<value>{_WORD})\b"
    rf"{_NO_OTHER_WORD}",
    re.IGNORECASE,
)
_FIRST_WORD: Final = re.compile(rf"\W*(?P<value>{_WORD})\b{_NO_OTHER_WORD}", re.IGNORECASE)
_SCORE: Final = re.compile(
    rf"\b(?:score|rating){_PUNCTUATION}(?:is\s)?(?P<value>{_NUMBER}){_NO_RANGE}", re.IGNORECASE
)
_SCORE_OF_MOST: Final = re.compile(rf"(?P<value>{_NUMBER})\s?(?:/|out of)\s?{MAX_GRADE}\b")
_NUMBER_AFTER_WORD: Final = re.compile(
    rf"\W*(?:{_WORD}){_PUNCTUATION}(?P<value>{_NUMBER})\W*", re.IGNORECASE
)

Value = TypeVar("Value")


def read_verdict(answer: Answer) -> Grade:
    """Return the verdict and the score in a judge's reply, or why there are none.

    Both have to be there, each said once, or more than once alike: as a JSON object, as
    ``Verdict: yes, score: 4``, as ``Yes, 4`` or ``No. Score: 1/5``. A reply that names both
    verdicts, or repeats the form that it was asked for, is invalid.

    Args:
        answer: the reply as it came.

    Returns:
        A grade. Reasons where it is invalid: ``empty``, ``cut_off``, ``filtered``, ``refusal``,
        ``no_verdict``, ``several_verdicts``, ``no_score``, ``several_scores`` and
        ``score_out_of_range``; ``server_failure`` where it is an error.
    """
    kept = remove_reasoning(answer.text)
    if kept is None:
        return _invalid("cut_off")
    text = remove_decoration(kept)
    if is_server_failure(text):
        return Grade(GradeStatus.ERROR, reason="server_failure")
    verdicts = _list_values(text, (_VERDICT,), _is_right) or _list_first(text)
    scores = _list_values(text, (_SCORE, _SCORE_OF_MOST), float) or _list_alone(text)
    if len(verdicts) == 1 and len(scores) == 1:
        (correct,), (score,) = verdicts, scores
        if not 0 <= score <= MAX_GRADE:
            return _invalid("score_out_of_range")
        return Grade(GradeStatus.OK, correct, score)
    return _invalid(_say_why(answer, text, verdicts, scores))


def _say_why(answer: Answer, text: str, verdicts: set[bool], scores: set[float]) -> str:
    reasons = {
        "several_verdicts": len(verdicts) > 1,
        "several_scores": len(scores) > 1,
        "cut_off": answer.finish_reason is FinishReason.LENGTH,
        "filtered": answer.finish_reason is FinishReason.FILTERED,
        "empty": not text,
        "refusal": not verdicts and is_refusal(text),
        "no_verdict": not verdicts,
        "no_score": True,
    }
    return next(reason for reason, holds in reasons.items() if holds)


def _list_values(
    text: str, patterns: tuple[re.Pattern[str], ...], read: Callable[[str], Value]
) -> set[Value]:
    return {read(found["value"]) for pattern in patterns for found in pattern.finditer(text)}


def _list_first(text: str) -> set[bool]:
    found = _FIRST_WORD.match(text)
    return {_is_right(found["value"])} if found else set()


def _list_alone(text: str) -> set[float]:
    found = _NUMBER_AFTER_WORD.fullmatch(text)
    return {float(found["value"])} if found else set()


def _is_right(word: str) -> bool:
    return word.casefold() in _RIGHT


def _invalid(reason: str) -> Grade:
    return Grade(GradeStatus.INVALID, reason=reason)
