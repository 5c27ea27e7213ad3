"""Diagnostics that ask for an answer in words show the same and nothing of the reference."""

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.diagnostics.open_form import ask_openly
from video_oasis.errors import SettingsError
from video_oasis.schema import Form, Frame, OpenQuestion, Sample, Video

FRAMES = tuple(Frame(f"d{number}", float(number)) for number in range(8))


@pytest.fixture
def asked() -> Sample:
    question = OpenQuestion(
        "q1", "open", Video("v1.mp4"), "who opens the door?", "a PLUMBER", task="who"
    )
    return question.as_sample()


@pytest.mark.parametrize("name", ["blind", "center_frame", "random_frame", "shuffle", "standard"])
def test_the_frames_are_the_diagnostics_own_and_the_reference_is_not_shown(
    name: str, asked: Sample
) -> None:
    evidence = Evidence(frames=FRAMES[:1] if "frame" in name else FRAMES)
    (closed,) = DIAGNOSTICS[name].trials(asked, evidence)
    openly = ask_openly(DIAGNOSTICS[name])
    assert openly.form is Form.OPEN
    (trial,) = openly.trials(asked, evidence)
    assert trial.request.frames == closed.request.frames
    assert trial.request.letters == ()
    assert "who opens the door?" in trial.request.text
    assert "PLUMBER" in closed.request.text
    assert "PLUMBER" not in trial.request.text
    assert "option" not in trial.request.text.lower()


def test_the_wording_says_what_is_shown(asked: Sample) -> None:
    texts = {
        name: ask_openly(DIAGNOSTICS[name]).trials(asked, Evidence(frames=frames))[0].request.text
        for name, frames in (("blind", ()), ("center_frame", FRAMES[:1]), ("standard", FRAMES))
    }
    assert "not shown the video" in texts["blind"]
    assert "one frame" in texts["center_frame"]
    assert "shown" not in texts["standard"]


def test_speech_and_captions_are_shown_as_they_are(asked: Sample) -> None:
    for name, texts in (("audio", ("[0:00–0:02] Mind the step",)), ("summary", ("A hall.",) * 8)):
        (trial,) = ask_openly(DIAGNOSTICS[name]).trials(asked, Evidence(texts=texts))
        assert texts[0] in trial.request.text
        assert "PLUMBER" not in trial.request.text


def test_what_asks_several_requests_cannot_ask_openly() -> None:
    with pytest.raises(SettingsError, match="asks 8 requests of one question"):
        ask_openly(DIAGNOSTICS["chunk"])


def test_what_matches_choices_with_pictures_cannot_ask_openly() -> None:
    with pytest.raises(SettingsError, match="open questions have no choices"):
        ask_openly(DIAGNOSTICS["bag_of_frames"])
