"""What the diagnostics that show text made from the video show, and the bag of frames."""

from collections.abc import Callable

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Axis, Evidence, Need
from video_oasis.schema import Form, Frame, Sample, Trial, Video

LINES = ("[0:01–0:03] first the onion", "[0:04–0:06] then the stove")


def show(name: str, sample: Sample, *texts: str, seed: int = 0) -> Trial:
    (trial,) = DIAGNOSTICS[name].trials(sample, Evidence(texts=texts, seed=seed))
    return trial


@pytest.mark.parametrize("name", ["audio", "summary", "summary_shuffle"])
def test_a_request_holds_the_text_the_question_and_nothing_of_where_it_is_from(
    name: str, make_sample: Callable[..., Sample]
) -> None:
    sample = make_sample(video=Video("secret_name.mp4", 3.0, 7.0))
    request = show(name, sample, *LINES).request
    for part in (*LINES, sample.question, *sample.choices):
        assert part in request.text
    assert "secret" not in request.text
    assert request.frames == ()


def test_speech_is_shown_line_by_line_in_order(make_sample: Callable[..., Sample]) -> None:
    trial = show("audio", make_sample(), *LINES)
    assert trial.context == "\n".join(LINES)
    assert trial.context in trial.request.text


def test_captions_are_numbered_in_order(make_sample: Callable[..., Sample]) -> None:
    trial = show("summary", make_sample(), "A pan.", "A stove\nis lit.")
    assert trial.context == "1. A pan.\n2. A stove is lit."


def test_shuffled_captions_are_the_same_captions_in_another_order(
    make_sample: Callable[..., Sample],
) -> None:
    captions = [f"part {letter}" for letter in "abcdefgh"]
    in_order = show("summary", make_sample(), *captions).context
    shuffled = show("summary_shuffle", make_sample(), *captions).context
    texts = [line.partition(". ")[2] for line in shuffled.split("\n")]
    assert sorted(texts) == captions
    assert shuffled != in_order
    assert show("summary_shuffle", make_sample(), *captions).context == shuffled
    assert show("summary_shuffle", make_sample(), *captions, seed=1).context != shuffled


def test_what_is_needed_and_counted() -> None:
    facts = {
        name: (DIAGNOSTICS[name].need, DIAGNOSTICS[name].axis)
        for name in ("audio", "summary", "summary_shuffle")
    }
    assert facts == {
        "audio": (Need.SPEECH, Axis.VISUAL),
        "summary": (Need.CAPTIONS, Axis.VISUAL),
        "summary_shuffle": (Need.CAPTIONS, Axis.CONTROL),
    }


def test_a_bag_holds_frames_and_texts_apart(make_sample: Callable[..., Sample]) -> None:
    frames = tuple(Frame(f"d{i}", float(i)) for i in range(300))
    diagnostic = DIAGNOSTICS["bag_of_frames"]
    sample = make_sample()
    (trial,) = diagnostic.trials(sample, Evidence(frames))
    assert diagnostic.form is Form.MATCHING
    assert trial.request.text == sample.question
    assert trial.request.choices == sample.choices
    assert trial.request.frames == frames


def test_a_bag_is_one_frame_a_second_up_to_2048(make_sample: Callable[..., Sample]) -> None:
    take = DIAGNOSTICS["bag_of_frames"].sampling
    assert take is not None
    sampling = take(make_sample(), FrameSettings(max_frames=16))
    assert sampling is not None
    assert sampling.times(3.0) == (0.5, 1.5, 2.5)
    assert len(sampling.times(10_000.0)) == 2048


def test_a_sample_without_a_question_has_nothing_to_match(
    make_sample: Callable[..., Sample],
) -> None:
    evidence = Evidence((Frame("d", 0.0),))
    assert list(DIAGNOSTICS["bag_of_frames"].trials(make_sample(question=""), evidence)) == []
