"""What the engine would be given, and how what it gives back is read; no engine runs here."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import AskInterrupted, AskRejected
from video_oasis.models.in_process.conversation import Question
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.models.vllm.protocol import (
    engine_arguments,
    engine_prompt,
    explain_failure,
    read_output,
    sampling_arguments,
)
from video_oasis.schema import Answer, FinishReason, Usage

BuildModel = Callable[[str], Path]
MakeQuestion = Callable[..., Any]

VIDEO = ModelSettings()
IMAGES = ModelSettings(frames_as=FramesAs.IMAGES)


@pytest.fixture(scope="module")
def load_processor(build_model: BuildModel) -> Callable[[str], Any]:
    """Load the processor of a small model."""

    def load(kind: str) -> Any:
        from transformers import AutoProcessor

        return AutoProcessor.from_pretrained(build_model(kind))

    return load


def ask(shown: tuple[Any, tuple[bytes, ...]], draw: int = 0) -> Question:
    return Question(shown[0], draw, shown[1])


@pytest.mark.parametrize("kind", ["qwen2.5-vl", "qwen3-vl"])
def test_a_video_goes_in_with_its_times_and_is_not_sampled_again(
    load_processor: Callable[[str], Any], make_question: MakeQuestion, kind: str
) -> None:
    prompt = engine_prompt(ask(make_question(4, "Why?")), load_processor(kind), VIDEO)
    assert prompt["prompt"] == (
        "<|im_start|>user\n<|vision_start|><|video_pad|><|vision_end|>Why?<|im_end|>\n"
        "<|im_start|>assistant\n"
    )
    assert set(prompt["multi_modal_data"]) == {"video"}
    [(frames, metadata)] = prompt["multi_modal_data"]["video"]
    assert frames.shape == (4, 32, 48, 3)
    # Four frames at 10, 11, 12 and 13 s, counted in milliseconds.
    assert metadata == {
        "total_num_frames": 4000,
        "fps": 1000.0,
        "frames_indices": [10_000, 11_000, 12_000, 13_000],
        "duration": 13.0,
        "do_sample_frames": False,
    }
    assert prompt["mm_processor_kwargs"] == {"do_sample_frames": False}


def test_the_engines_processor_makes_of_it_what_transformers_is_given(
    build_model: BuildModel, load_processor: Callable[[str], Any], make_question: MakeQuestion
) -> None:
    from transformers import AutoModelForImageTextToText

    from video_oasis.models.transformers.generation import LoadedModel

    # As vLLM calls it: prompt, frames, and metadata without what is vLLM's own.
    question = ask(make_question(5, "Why?", system="Be brief."))
    processor = load_processor("qwen3-vl")
    prompt = engine_prompt(question, processor, VIDEO)
    [(frames, metadata)] = prompt["multi_modal_data"]["video"]
    del metadata["do_sample_frames"]
    given = processor(
        text=prompt["prompt"],
        videos=[[frames]],
        video_metadata=[[metadata]],
        return_tensors="pt",
        **prompt["mm_processor_kwargs"],
    )
    model = AutoModelForImageTextToText.from_pretrained(build_model("qwen3-vl"))
    expected = LoadedModel("here", model, processor, "", VIDEO).encode([question])
    assert given["input_ids"].tolist() == expected["input_ids"].tolist()
    assert given["pixel_values_videos"].equal(expected["pixel_values_videos"])


@pytest.mark.parametrize(
    ("settings", "n_frames", "n_images"), [(IMAGES, 3, 3), (IMAGES, 1, 1), (VIDEO, 1, 1)]
)
def test_images_go_in_one_by_one(
    load_processor: Callable[[str], Any],
    make_question: MakeQuestion,
    settings: ModelSettings,
    n_frames: int,
    n_images: int,
) -> None:
    question = ask(make_question(n_frames))
    prompt = engine_prompt(question, load_processor("smolvlm"), settings)
    assert prompt["prompt"].count("<image>") == n_images
    assert [image.size for image in prompt["multi_modal_data"]["image"]] == [(48, 32)] * n_images
    assert "mm_processor_kwargs" not in prompt


def test_text_alone(load_processor: Callable[[str], Any], make_question: MakeQuestion) -> None:
    prompt = engine_prompt(ask(make_question(0, "Why?")), load_processor("qwen2.5-vl"), VIDEO)
    assert prompt == {"prompt": "<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\n"}


def test_control_tokens_in_a_benchmarks_text_are_refused(
    load_processor: Callable[[str], Any], make_question: MakeQuestion
) -> None:
    question = ask(make_question(0, "What does <|im_end|> mean?"))
    with pytest.raises(AskRejected, match=r"holds <\|im_end\|>") as caught:
        engine_prompt(question, load_processor("qwen2.5-vl"), VIDEO)
    assert caught.value.kind == "control_token"


def test_what_the_engine_is_started_with() -> None:
    settings = ModelSettings(dtype="bfloat16", processor={"max_pixels": 200_000}, max_frames=64)
    arguments = engine_arguments("org/model", "abc", settings)
    assert arguments == {
        "model": "org/model",
        "revision": "abc",
        "tokenizer_revision": "abc",
        "dtype": "bfloat16",
        "trust_remote_code": False,
        "mm_processor_kwargs": {"max_pixels": 200_000},
        "limit_mm_per_prompt": {"image": 1, "video": 1},
    }
    assert "limit_mm_per_prompt" not in engine_arguments("here", None, VIDEO)


@pytest.mark.parametrize(
    ("frames_as", "max_frames", "limits"),
    [
        (FramesAs.IMAGES, 64, {"image": 64, "video": 0}),
        (FramesAs.VIDEO, 1, {"image": 1, "video": 0}),
        (FramesAs.VIDEO, 0, {"image": 0, "video": 0}),
    ],
)
def test_what_one_request_may_show(
    frames_as: FramesAs, max_frames: int, limits: dict[str, int]
) -> None:
    settings = ModelSettings(frames_as=frames_as, max_frames=max_frames)
    assert engine_arguments("here", None, settings)["limit_mm_per_prompt"] == limits


@pytest.mark.parametrize(
    ("settings", "more"),
    [
        ({}, {"temperature": 0.0, "max_tokens": 1024}),
        ({"temperature": None, "max_tokens": 9}, {"temperature": 0.0, "max_tokens": 9}),
        (
            {"temperature": 0.5, "seed": 3},
            {"temperature": 0.5, "max_tokens": 1024, "seed": 5},  # the third draw
        ),
        (
            {"output": Output.LOGPROBS},
            {"temperature": 0.0, "max_tokens": 1, "logprobs": 20},
        ),
        (
            {"output": Output.CHOICE},
            {
                "temperature": 0.0,
                "max_tokens": 1024,
                "structured_outputs": {"choice": ["A", "B", "C", "D"]},
            },
        ),
    ],
)
def test_sampling(
    make_question: MakeQuestion, settings: dict[str, Any], more: dict[str, Any]
) -> None:
    arguments = sampling_arguments(ask(make_question(0), draw=2), ModelSettings(**settings))
    assert arguments == {"skip_special_tokens": False, **more}


# As the engine's documentation describes its outputs.


@dataclass
class Logprob:
    logprob: float
    rank: int | None = None
    decoded_token: str | None = None


@dataclass
class CompletionOutput:
    text: str
    token_ids: list[int]
    finish_reason: str | None = "stop"
    logprobs: list[Mapping[int, Logprob]] | None = None
    index: int = 0


@dataclass
class RequestOutput:
    outputs: list[CompletionOutput]
    prompt_token_ids: list[int] = field(default_factory=lambda: [1, 2, 3])
    finished: bool = True


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("stop", FinishReason.STOP),
        ("length", FinishReason.LENGTH),
        ("abort", FinishReason.OTHER),
        (None, FinishReason.OTHER),
    ],
)
def test_a_reply(make_question: MakeQuestion, said: str | None, reason: FinishReason) -> None:
    output = RequestOutput([CompletionOutput("B.", [7, 8], said)])
    answer = read_output(output, ask(make_question(0)), VIDEO, "")
    assert answer == Answer("B.", reason, Usage(3, 2))


def test_a_reply_that_goes_on_inside_reasoning(make_question: MakeQuestion) -> None:
    output = RequestOutput([CompletionOutput("so A", [7], "length")])
    answer = read_output(output, ask(make_question(0)), VIDEO, "<think>\n")
    assert answer.text == "<think>\nso A"


def test_scored_letters(make_question: MakeQuestion) -> None:
    likeliest = {
        5: Logprob(math.log(0.5), 1, "The"),
        6: Logprob(math.log(0.3), 2, " B"),
        7: Logprob(math.log(0.1), 3, "A"),
        8: Logprob(math.log(0.01), 4, None),
    }
    output = RequestOutput([CompletionOutput("The", [5], "length", [likeliest])])
    settings = ModelSettings(output=Output.LOGPROBS)
    answer = read_output(output, ask(make_question(0)), settings, "")
    assert (answer.text, answer.finish_reason) == ("B", FinishReason.STOP)
    assert answer.letter_probabilities == pytest.approx((0.25, 0.75, 0.0, 0.0))
    del likeliest[6], likeliest[7]
    with pytest.raises(AskRejected, match="none of the 2 likeliest tokens"):
        read_output(output, ask(make_question(0)), settings, "")


def test_what_the_engines_exceptions_mean() -> None:
    long = "The decoder prompt (length 9000) is longer than the maximum model length of 4096."
    assert explain_failure(ValueError(long)).kind == "context_length"
    other = explain_failure(RuntimeError("no"))
    assert (type(other), other.kind) == (AskRejected, "model_failed")
    ended = type("EngineDeadError", (Exception,), {})("see above")
    assert isinstance(explain_failure(ended), AskInterrupted)
