"""What became of each open question asked of each model."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.open_form import ask_openly
from video_oasis.errors import AskRejected
from video_oasis.open_ended.answers import OpenAnswer, read_answers
from video_oasis.plan import make_plan
from video_oasis.runner import run_plan
from video_oasis.schema import Answer, FinishReason, Form, OpenQuestion, Request, Status
from video_oasis.store import Store

REPLIES: Mapping[str, Answer | AskRejected] = {
    "what is cut?": Answer("Answer: an onion"),
    "who cuts?": Answer("I cannot see the video."),
    "where?": Answer("  "),
    "when?": Answer("<think>noon or", FinishReason.LENGTH),
    "why?": Answer("Error: 503"),
    "how?": AskRejected("http_400", "no"),
}


@pytest.fixture
def answers(
    ask_about: Callable[..., OpenQuestion], scripted_model: Callable[..., Any], tmp_path: Path
) -> dict[str, OpenAnswer]:
    """Ask the questions above, and leave one unasked."""
    questions = [ask_about(n, text, "onion") for n, text in enumerate([*REPLIES, "whose?"])]

    def reply(request: Request, _draw: int) -> Answer:
        (answer,) = (each for text, each in REPLIES.items() if text in request.text)
        if isinstance(answer, AskRejected):
            raise answer
        return answer

    model = scripted_model(reply)
    model.forms = frozenset({Form.OPEN})
    blind = ask_openly(DIAGNOSTICS["blind"])
    plan = make_plan([each.as_sample() for each in questions], [blind], {"m": model})
    asked = make_plan([each.as_sample() for each in questions[:-1]], [blind], {"m": model})
    with Store.create(tmp_path / "answers.sqlite") as store:
        run_plan(asked, store)
        by_key = {(each.benchmark, each.id): each for each in questions}
        return {each.question.question: each for each in read_answers(plan, by_key, store)}


@pytest.mark.parametrize(
    ("question", "status", "reason", "text"),
    [
        ("what is cut?", Status.OK, "", "an onion"),
        ("who cuts?", Status.REFUSED, "refusal", ""),
        ("where?", Status.UNPARSED, "empty", ""),
        ("when?", Status.UNPARSED, "cut_off", ""),
        ("why?", Status.ERROR, "server_failure", ""),
        ("how?", Status.ERROR, "http_400", ""),
        ("whose?", Status.MISSING, "not_asked", ""),
    ],
)
def test_each_answer_has_its_status(
    answers: Mapping[str, OpenAnswer], question: str, status: Status, reason: str, text: str
) -> None:
    found = answers[question]
    assert (found.status, found.reason, found.text) == (status, reason, text)
    assert (found.diagnostic, found.model, found.draw) == ("blind", "m", 0)
