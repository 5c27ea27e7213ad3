"""Blind: question and choices in published order, one trial a sample, nothing of the video."""

from collections.abc import Callable

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.schema import Sample, Video


def test_the_request_holds_question_and_choices_only(make_sample: Callable[..., Sample]) -> None:
    sample = make_sample(
        video=Video("secret_name.mp4", 3.0, 7.0), metadata={"subtitles_text": "secret words"}
    )
    (trial,) = DIAGNOSTICS["blind"].trials(sample, Evidence())
    assert trial.order == (0, 1, 2, 3)
    assert trial.request.letters == ("A", "B", "C", "D")
    assert sample.question in trial.request.text
    assert all(choice in trial.request.text for choice in sample.choices)
    assert "secret" not in trial.request.text


def test_the_target_does_not_change_the_request(make_sample: Callable[..., Sample]) -> None:
    requests = {
        DIAGNOSTICS["blind"].trials(make_sample(target=target), Evidence())[0].request.id
        for target in range(4)
    }
    assert len(requests) == 1
