"""The model that answers open questions from similar ones on other videos."""

from collections.abc import Callable
from typing import Any

import pytest

from video_oasis.errors import SettingsError
from video_oasis.models import open_model
from video_oasis.models.interface import FittedModel
from video_oasis.schema import Form, OpenQuestion, Request, Trial, Video


@pytest.fixture
def ask() -> Callable[..., list[str]]:
    """Answer questions given as (video, question, reference)."""

    def answer(*rows: tuple[str, str, str]) -> list[str]:
        model = open_model("recall/similar_questions")
        assert isinstance(model, FittedModel)
        fitted = model.answer_all([_make_trial(n, *row) for n, row in enumerate(rows)], _no_picture)
        return [each.text for each in fitted.answers]

    return answer


def _make_trial(number: int, video: str, question: str, reference: str) -> Trial:
    asked = OpenQuestion(f"q{number}", "open", Video(video), question, reference, task="who")
    request = Request(system="", text=question, letters=())
    return Trial(asked.as_sample(), "blind", 0, request, order=(0,))


def _no_picture(_digest: str) -> bytes:
    raise AssertionError


def test_the_nearest_questions_on_other_videos_decide(ask: Callable[..., list[str]]) -> None:
    answers = ask(
        ("v1", "who is singing a song?", "girl"),
        ("v2", "who is singing the song?", "girl"),
        ("v3", "what colour is the car?", "red"),
        ("v4", "what colour is the van?", "red"),
    )
    assert answers == ["girl", "girl", "red", "red"]


def test_a_question_never_sees_its_own_video(ask: Callable[..., list[str]]) -> None:
    answers = ask(
        ("v1", "who is singing?", "girl"),
        ("v1", "who is singing?", "girl"),
        ("v2", "who is singing?", "boy"),
    )
    assert answers == ["boy", "boy", "girl"]


def test_where_there_is_no_other_video_there_is_no_answer(ask: Callable[..., list[str]]) -> None:
    assert ask(("v1", "who sings?", "girl"), ("v1", "who plays?", "boy")) == ["", ""]


def test_questions_without_a_word_are_answered_too(ask: Callable[..., list[str]]) -> None:
    assert ask(("v1", "???", "girl"), ("v2", "???", "boy")) == ["boy", "girl"]


def test_it_answers_open_questions_only() -> None:
    model: Any = open_model("recall/similar_questions")
    assert model.forms == {Form.OPEN}
    with pytest.raises(SettingsError, match="expected recall/similar_questions"):
        open_model("recall/other")


def test_its_identity_covers_every_question_and_reference() -> None:
    model: Any = open_model("recall/similar_questions")
    rows = [("v1", "who sings?", "girl"), ("v2", "who sings?", "boy")]
    trials = [_make_trial(n, *row) for n, row in enumerate(rows)]
    changed = [_make_trial(0, "v1", "who sings?", "woman"), trials[1]]
    assert model.describe(trials) != model.describe(changed)
    assert model.describe(trials) == model.describe(list(trials))
