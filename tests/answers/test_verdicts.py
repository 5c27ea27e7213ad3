"""What a judge's reply says, in the forms that judges reply in."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.answers.verdicts import read_verdict
from video_oasis.schema import Answer, FinishReason, Grade, GradeStatus


def _read(text: str, finish_reason: FinishReason = FinishReason.STOP) -> Grade:
    return read_verdict(Answer(text, finish_reason))


@pytest.mark.parametrize(
    ("text", "correct", "score"),
    [
        ('{"verdict": "yes", "score": 4}', True, 4),
        ('{"verdict":"no","score":0}', False, 0),
        ('{\n    "verdict": "yes",\n    "score": 0\n}', True, 0),
        ("{'pred': 'no', 'score': 2.5}", False, 2.5),
        ('```json\n{"verdict": "Yes", "score": "5"}\n```', True, 5),
        ('{"verdict": true, "score": 3}', True, 3),
        ('{"score": 1, "verdict": "incorrect"}', False, 1),
        ("Verdict: yes\nScore: 4", True, 4),
        ("**Verdict:** No\n**Score:** 1/5", False, 1),
        ("Yes. Score: 3", True, 3),
        ("Verdict - yes, score - 3", True, 3),
        ("No, 2", False, 2),
        ("yes 5", True, 5),
        ("Correct. Rating: 4 out of 5", True, 4),
        ("<think>no, score: 1? hm</think>Verdict: yes, score: 4", True, 4),
        ("Verdict: yes, score: 4. So the verdict is yes and the score is 4/5.", True, 4),
        ("The judgement is no; the score is 1", False, 1),
    ],
)
def test_a_verdict_with_its_score_is_read(text: str, correct: bool, score: float) -> None:
    assert _read(text) == Grade(GradeStatus.OK, correct, score)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("   \n", "empty"),
        ("<think>the answer says the same, so", "cut_off"),
        ("The answer says what the reference says.", "no_verdict"),
        ("Score: 4", "no_verdict"),
        ("yes", "no_score"),
        ('{"verdict": "no"}', "no_score"),
        ('{"verdict": "yes", "score": 7}', "score_out_of_range"),
        ('{"verdict": "yes", "score": -1}', "score_out_of_range"),
        ('{"verdict": "yes", "score": 4} {"verdict": "no", "score": 4}', "several_verdicts"),
        ("Verdict: yes, score: 4 ... score: 2", "several_scores"),
        ('{"verdict": "yes" or "no", "score": a whole number from 0 to 5}', "no_verdict"),
        ('"verdict": yes/no, "score": 0-5', "no_verdict"),
        ("I cannot determine whether this is right.", "refusal"),
    ],
)
def test_what_is_no_verdict_is_invalid_and_says_why(text: str, reason: str) -> None:
    assert _read(text) == Grade(GradeStatus.INVALID, reason=reason)


def test_how_a_reply_ended_is_the_reason_only_where_it_says_nothing() -> None:
    assert _read("The answer", FinishReason.LENGTH).reason == "cut_off"
    assert _read("", FinishReason.FILTERED).reason == "filtered"
    assert _read("Verdict: no, score: 1", FinishReason.LENGTH).correct is False


def test_a_failure_text_is_an_error() -> None:
    assert _read("Error: 502 bad gateway") == Grade(GradeStatus.ERROR, reason="server_failure")


@given(st.text())
def test_any_text_gives_a_grade_and_never_a_verdict_by_chance(text: str) -> None:
    grade = _read(text)
    if grade.status is GradeStatus.OK:
        assert any(word in text.casefold() for word in ("yes", "no", "true", "false", "correct"))
        assert any(character.isdigit() for character in text)


@given(st.booleans(), st.integers(0, 5))
def test_the_form_asked_for_is_always_read(correct: bool, score: int) -> None:
    reply = json.dumps({"verdict": "yes" if correct else "no", "score": score})
    assert _read(reply) == Grade(GradeStatus.OK, correct, score)
