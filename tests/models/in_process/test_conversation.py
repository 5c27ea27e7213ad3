"""A question as messages and arrays: what times a processor can read out of it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from video_oasis.models.in_process.conversation import (
    Question,
    chat_messages,
    decode_media,
    video_metadata,
)
from video_oasis.models.settings import FramesAs
from video_oasis.schema import Frame

MakeQuestion = Callable[..., Any]


@pytest.mark.parametrize(
    ("seconds", "step"),
    [
        ((0.0, 0.5, 1.0, 1.5), 0.5),
        ((60.25, 61.25, 64.25), 2.0),  # the mean of 1 and 3
        ((0.0, 3599.9), 3599.9),
        ((7.0, 7.004), 0.004),
    ],
)
def test_processors_read_the_frames_own_times(seconds: tuple[float, ...], step: float) -> None:
    from transformers.video_utils import VideoMetadata

    frames = [Frame(str(i), time) for i, time in enumerate(seconds)]
    metadata = VideoMetadata(**video_metadata(frames))
    assert metadata.timestamps == pytest.approx(seconds, abs=1e-9)
    assert 1 / metadata.sampled_fps == pytest.approx(step, rel=1e-6)
    assert metadata.duration == pytest.approx(seconds[-1])


def test_frames_are_decoded_in_the_order_shown(
    make_question: MakeQuestion, colours: tuple[tuple[int, int, int], ...]
) -> None:
    request, pictures = make_question(3, size=(6, 4))
    question = Question(request, 0, pictures)
    video = decode_media(question, FramesAs.VIDEO).video
    assert video is not None
    assert video.shape == (3, 4, 6, 3)
    assert np.abs(video[:, 0, 0].astype(int) - colours[:3]).max() <= 3
    images = decode_media(question, FramesAs.IMAGES).images
    assert [image.size for image in images] == [(6, 4)] * 3
    assert np.array_equal(np.stack([np.asarray(image) for image in images]), video)


@pytest.mark.parametrize("frames_as", list(FramesAs))
@pytest.mark.parametrize(("n_frames", "kinds"), [(0, []), (1, ["image"])])
def test_fewer_than_two_frames_are_no_video(
    make_question: MakeQuestion, frames_as: FramesAs, n_frames: int, kinds: list[str]
) -> None:
    request, pictures = make_question(n_frames, "Why?")
    media = decode_media(Question(request, 0, pictures), frames_as)
    assert media.video_metadata is None
    [message] = chat_messages(request, media)
    assert [part["type"] for part in message["content"]] == [*kinds, "text"]
    assert message["content"][-1]["text"] == "Why?"
