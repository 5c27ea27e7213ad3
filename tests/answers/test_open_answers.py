"""What a reply to an open question answers, and which replies answer nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.answers.open_answers import read_open_answer
from video_oasis.schema import Answer, FinishReason


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("a cat", "a cat"),
        ("Answer: a cat", "a cat"),
        ("**Answer:** a cat", "a cat"),
        ("The answer is: red.", "red."),
        ("<think>cat or dog?</think>\ncat", "cat"),
        ("<answer>cat</answer>", "cat"),
        (r"So it is \boxed{cat}", "cat"),
        ("I cannot see the video, but my best guess is: cat", "cat"),
        ("I'm unable to view videos. My best guess would be a red car.", "a red car."),
        ("Sorry, I can't watch the video, but it is probably a dog.", "probably a dog."),
        ("I think he can't see the step.", "I think he can't see the step."),
        ("He can't see the step.", "He can't see the step."),
        ("It cannot see the ball.", "It cannot see the ball."),
        ("As a result, he is unable to help.", "As a result, he is unable to help."),
        ("no", "no"),
        ("No video games are played.", "No video games are played."),
        ("not enough salt", "not enough salt"),
        ("timeout", "timeout"),
        ("rate limit sign", "rate limit sign"),
        ("504 Gateway street", "504 Gateway street"),
        ("unknown soldier memorial, as far as the plaque says so", None),
        ("I'm not sure, but a cat", "I'm not sure, but a cat"),
        ("He says sorry.", "He says sorry."),
        ("unknown man", "unknown man"),
        ("no evidence", "no evidence"),
        ("The man holds a pan.\nSo the answer is: a pan", "a pan"),
        ("It is dark outside. Final answer: at night", "at night"),
        ("The correct answer is: red", "red"),
    ],
)
def test_an_answer_is_read(text: str, answer: str | None) -> None:
    assert read_open_answer(Answer(text)) == (text if answer is None else answer, "")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty"),
        ("  \n", "empty"),
        ("<answer></answer>", "empty"),
        ("<think>it may be", "cut_off"),
        ("Cannot be determined without seeing the video.", "refusal"),
        ("Unable to determine.", "refusal"),
        ("Not enough information.", "refusal"),
        ("There is not enough context to answer.", "refusal"),
        ("I am not able to view videos.", "refusal"),
        ("I'm sorry, but I can't see the video.", "refusal"),
        ("As an AI, I cannot watch videos.", "refusal"),
        ("Without the video, I cannot answer this question.", "refusal"),
        ("I don't have access to the video.", "refusal"),
        ("It is not possible to tell from the question alone.", "refusal"),
        ("The answer cannot be determined.", "refusal"),
        ("I don't know.", "refusal"),
        ("N/A", "refusal"),
        ("No video provided.", "refusal"),
        ("Please provide the video.", "refusal"),
        ("There isn't enough information to answer.", "refusal"),
        ("I cannot tell, but if you share the video, I can help.", "refusal"),
        ("I cannot tell. Answer: unknown", "refusal"),
        ("unknown", "refusal"),
        ("无法确定", "refusal"),
        ("I cannot see the video, but I cannot answer either.", "refusal"),
        ("<html><body>502</body></html>", "server_failure"),
        ('{"error": "overloaded"}', "server_failure"),
        ("Error: 502", "server_failure"),
        ("RuntimeError: CUDA out of memory", "server_failure"),
        ("Internal server error", "server_failure"),
    ],
)
def test_what_answers_nothing_says_why(text: str, reason: str) -> None:
    assert read_open_answer(Answer(text)) == ("", reason)


def test_how_it_ended_counts() -> None:
    assert read_open_answer(Answer("cat", FinishReason.FILTERED)) == ("", "filtered")
    assert read_open_answer(Answer("a long answ", FinishReason.LENGTH)) == ("a long answ", "")


@given(st.text())
def test_any_reply_is_an_answer_or_has_a_reason(text: str) -> None:
    answer, reason = read_open_answer(Answer(text))
    assert bool(answer) != bool(reason)
