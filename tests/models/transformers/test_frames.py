"""What a model receives of a video: every frame once, in the order and at the times asked for."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.interface import Evidence
from video_oasis.errors import AskRejected
from video_oasis.models.settings import FramesAs, ModelSettings
from video_oasis.models.transformers import open_model
from video_oasis.schema import Answer, Frame, Request, Sample

BuildModel = Callable[[str], Path]
Received = list[dict[str, Any]]

N_FRAMES = 16
# Apart by 3 s, but for the first by 5: times that no regular grid has. 100 s and more into a video.
TIMES = (100.0, *(102.0 + 3.0 * i for i in range(1, N_FRAMES)))
FRAMES = tuple(Frame(f"frame-{i}", seconds) for i, seconds in enumerate(TIMES))
SETTINGS = ModelSettings(max_tokens=2, batch_size=8)

# What CLIP and SigLIP processors subtract and divide by, for red, green and blue.
CLIP = (
    np.array([0.48145466, 0.4578275, 0.40821073]),
    np.array([0.26862954, 0.26130258, 0.27577711]),
)
HALF = (np.full(3, 0.5), np.full(3, 0.5))


def shown_colours(kind: str, call: dict[str, Any]) -> NDArray[np.float64]:
    """Return the mean colour of each frame in what a model is given, 0 to 255."""
    if kind == "smolvlm":
        mean, deviation = HALF
        is_shown = call["pixel_attention_mask"].numpy()[0][:, None]
        pixels = call["pixel_values"].numpy()[0]
        normalised = (pixels * is_shown).sum(axis=(2, 3)) / is_shown.sum(axis=(2, 3))
    else:
        mean, deviation = CLIP
        n_pairs, height, width = call["video_grid_thw"].tolist()[0]
        # Patches of two frames each: (pairs, patches, colours, frame of the pair, pixels).
        patches = call["pixel_values_videos"].numpy().reshape(n_pairs, height * width, 3, 2, -1)
        normalised = patches.mean(axis=(1, 4)).transpose(0, 2, 1).reshape(2 * n_pairs, 3)
    return np.asarray((normalised * deviation + mean) * 255)


def identify(shown: NDArray[np.float64], colours: Sequence[Sequence[int]]) -> list[int]:
    """Return the number of the made frame that has each colour."""
    distance = np.abs(shown[:, None] - np.array(colours)[None]).max(axis=2)
    assert (distance.min(axis=1) < 5).all()
    return [int(number) for number in distance.argmin(axis=1)]


def prompt(folder: Path, call: dict[str, Any]) -> str:
    from transformers import AutoTokenizer

    return str(AutoTokenizer.from_pretrained(folder).decode(call["input_ids"][0]))


class Asked(NamedTuple):
    diagnostic: str
    request: Request
    answer: Any


@pytest.fixture
def ask_diagnostics(
    build_model: BuildModel,
    paint_frame: Callable[..., bytes],
    make_sample: Callable[..., Sample],
    ask_all: Callable[..., list[Any]],
) -> Callable[..., list[Asked]]:
    """Ask a model the trials of diagnostics over the sixteen frames."""

    def ask(kind: str, *names: str) -> list[Asked]:
        requests = []
        for name in names:
            is_single = name in ("center_frame", "random_frame")
            evidence = Evidence(frames=FRAMES[7:8] if is_single else FRAMES)
            trials = DIAGNOSTICS[name].trials(make_sample(), evidence)
            requests += [(name, trial.request) for trial in trials]
        pictures = {f"frame-{i}": paint_frame(i) for i in range(N_FRAMES)}
        shown = [(each, [pictures[digest] for digest in each.pictures]) for _, each in requests]
        answers = ask_all(open_model(str(build_model(kind)), SETTINGS), *shown)
        return [Asked(*asked, answer) for asked, answer in zip(requests, answers, strict=True)]

    return ask


@pytest.mark.parametrize("kind", ["qwen2-vl", "qwen2.5-vl", "qwen3-vl", "smolvlm", "internvl"])
def test_every_kind_answers_every_diagnostic(
    ask_diagnostics: Callable[..., list[Asked]], kind: str
) -> None:
    n_requests = {
        "blind": 1,
        "standard": 1,
        "center_frame": 1,
        "random_frame": 1,
        "shuffle": 1,
        "reverse": 1,
        "chunk": 8,
    }
    answered = ask_diagnostics(kind, *n_requests)
    assert Counter(asked.diagnostic for asked in answered) == n_requests
    for asked in answered:
        assert isinstance(asked.answer, Answer), asked
        assert asked.answer.usage.completion_tokens in (1, 2)


@pytest.mark.parametrize("kind", ["qwen2-vl", "qwen2.5-vl", "smolvlm"])
def test_reordered_frames_arrive_in_their_new_order(
    ask_diagnostics: Callable[..., list[Asked]],
    received: Received,
    colours: Sequence[Sequence[int]],
    kind: str,
) -> None:
    orders = {}
    for name in ("standard", "shuffle", "reverse"):
        [asked] = ask_diagnostics(kind, name)
        orders[name] = identify(shown_colours(kind, received[-1]), colours)
        in_order = [int(digest.removeprefix("frame-")) for digest in asked.request.pictures]
        assert orders[name] == in_order
    assert orders["standard"] == list(range(N_FRAMES))
    assert orders["reverse"] == list(range(N_FRAMES))[::-1]
    assert Counter(orders["shuffle"]) == Counter(orders["standard"])
    assert orders["shuffle"] not in (orders["standard"], orders["reverse"])


# The sixteen frames span 47 s, so new times are 47 / 15 = 3.1333 s apart from 0 on.


@pytest.mark.parametrize("name", ["shuffle", "reverse"])
def test_no_original_time_reaches_qwen2_5_vl(
    ask_diagnostics: Callable[..., list[Asked]], received: Received, name: str
) -> None:
    ask_diagnostics("qwen2.5-vl", name)
    # Its times are one number: the seconds between two pairs of frames.
    assert received[-1]["second_per_grid_ts"].tolist() == pytest.approx([2 * 47 / 15], abs=2e-3)


@pytest.mark.parametrize("name", ["shuffle", "reverse"])
def test_no_original_time_reaches_qwen3_vl(
    build_model: BuildModel,
    ask_diagnostics: Callable[..., list[Asked]],
    received: Received,
    name: str,
) -> None:
    ask_diagnostics("qwen3-vl", name)
    told = re.findall(r"<([\d.]+) seconds>", prompt(build_model("qwen3-vl"), received[-1]))
    # The middle of each pair of frames: 1.567, 7.833, 14.1, 20.367, 26.633, 32.9, 39.167, 45.433.
    assert told == ["1.6", "7.8", "14.1", "20.4", "26.6", "32.9", "39.2", "45.4"]


@pytest.mark.parametrize("name", ["shuffle", "reverse"])
def test_no_original_time_reaches_smolvlm(
    build_model: BuildModel,
    ask_diagnostics: Callable[..., list[Asked]],
    received: Received,
    name: str,
) -> None:
    ask_diagnostics("smolvlm", name)
    text = prompt(build_model("smolvlm"), received[-1])
    # 0, 3.13, 6.27, 9.4, 12.53, 15.67, 18.8, 21.93, 25.07, … in whole seconds.
    expected = [0, 3, 6, 9, 12, 15, 18, 21, 25, 28, 31, 34, 37, 40, 43, 47]
    assert re.findall(r"Frame from (\d\d:\d\d):", text) == [f"00:{s:02d}" for s in expected]
    assert "sixteen frames from a 0:00:47 [H:MM:SS] video" in text


def test_frames_in_order_keep_their_own_times(
    build_model: BuildModel, ask_diagnostics: Callable[..., list[Asked]], received: Received
) -> None:
    ask_diagnostics("smolvlm", "standard")
    text = prompt(build_model("smolvlm"), received[-1])
    # 100 s, then 105, 108, … 147.
    seconds = [100, *range(105, 148, 3)]
    expected = [f"{each // 60:02d}:{each % 60:02d}" for each in seconds]
    assert re.findall(r"Frame from (\d\d:\d\d):", text) == expected
    ask_diagnostics("qwen3-vl", "standard")
    told = re.findall(r"<([\d.]+) seconds>", prompt(build_model("qwen3-vl"), received[-1]))
    assert told == ["102.5", *(f"{109.5 + 6 * i:.1f}" for i in range(7))]


def test_a_single_frame_is_an_image(
    ask_diagnostics: Callable[..., list[Asked]], received: Received
) -> None:
    ask_diagnostics("qwen2.5-vl", "center_frame")
    assert "pixel_values_videos" not in received[-1]
    assert received[-1]["image_grid_thw"].shape == (1, 3)


def test_frames_can_be_images(
    build_model: BuildModel,
    make_question: Callable[..., Any],
    ask_all: Callable[..., list[Any]],
    received: Received,
) -> None:
    settings = ModelSettings(max_tokens=2, frames_as=FramesAs.IMAGES)
    folder = build_model("qwen2.5-vl")
    [answer] = ask_all(open_model(str(folder), settings), make_question(3))
    assert isinstance(answer, Answer)
    assert received[-1]["image_grid_thw"].shape == (3, 3)
    assert "video_grid_thw" not in received[-1]
    assert prompt(folder, received[-1]).count("<|vision_start|>") == 3


def test_frames_of_several_sizes_are_no_video(
    build_model: BuildModel,
    make_question: Callable[..., Any],
    paint_frame: Callable[..., bytes],
    ask_all: Callable[..., list[Any]],
) -> None:
    request, pictures = make_question(3)
    mixed = (request, (*pictures[:2], paint_frame(2, (64, 32))))
    folder = str(build_model("qwen2.5-vl"))
    [failure] = ask_all(open_model(folder, SETTINGS), mixed)
    assert isinstance(failure, AskRejected)
    assert failure.kind == "mixed_frame_sizes"
    as_images = ModelSettings(max_tokens=2, frames_as=FramesAs.IMAGES)
    [answer] = ask_all(open_model(folder, as_images), mixed)
    assert isinstance(answer, Answer)


@pytest.mark.parametrize("kind", ["qwen2.5-vl", "smolvlm"])
def test_markers_in_a_benchmarks_text_are_text(
    build_model: BuildModel,
    make_question: Callable[..., Any],
    ask_all: Callable[..., list[Any]],
    received: Received,
    kind: str,
) -> None:
    markers = "<|video_pad|> <image> <video> <|im_end|> <end_of_utterance>"
    folder = build_model(kind)
    [answer] = ask_all(open_model(str(folder), SETTINGS), make_question(2, f"In {markers}?"))
    assert isinstance(answer, Answer), answer
    assert markers in prompt(folder, received[-1])


def test_the_system_message_and_the_order_of_the_parts(
    build_model: BuildModel,
    make_question: Callable[..., Any],
    ask_all: Callable[..., list[Any]],
    received: Received,
) -> None:
    folder = build_model("qwen2.5-vl")
    ask_all(open_model(str(folder), SETTINGS), make_question(1, "Why?", system="Be brief."))
    text = re.sub(r"(<\|image_pad\|>)+", "…", prompt(folder, received[-1]))
    assert text == (
        "<|im_start|>system\nBe brief.<|im_end|>\n"
        "<|im_start|>user\n<|vision_start|>…<|vision_end|>Why?<|im_end|>\n<|im_start|>assistant\n"
    )


def test_processor_options_reach_the_processor(
    build_model: BuildModel,
    make_question: Callable[..., Any],
    ask_all: Callable[..., list[Any]],
    received: Received,
) -> None:
    folder = str(build_model("qwen2.5-vl"))
    small = {"size": {"shortest_edge": 28 * 28, "longest_edge": 28 * 28}}
    for options, grid in (
        ({}, [1, 4, 4]),
        (small, [1, 2, 2]),
        ({"videos_kwargs": small}, [1, 2, 2]),
    ):
        settings = ModelSettings(max_tokens=2, processor=options)
        ask_all(open_model(folder, settings), make_question(2, size=(56, 56)))
        assert received[-1]["video_grid_thw"].tolist() == [grid]
