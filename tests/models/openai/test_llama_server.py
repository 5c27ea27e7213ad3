"""The backend against a real llama.cpp server with a real, small base model."""

import asyncio
import json
import urllib.request
from io import BytesIO

import pytest
from PIL import Image

from video_oasis.answers import read_reply
from video_oasis.errors import AskRejected, ModelUnavailable
from video_oasis.models import open_model
from video_oasis.models.interface import AskedModel
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.prompts import blind_question, choice_letters
from video_oasis.schema import Answer, FinishReason, Frame, Request, Status

Questions = tuple[tuple[str, tuple[str, ...]], ...]

QUESTIONS: Questions = (
    ("What colour is a clear sky at noon?", ("red", "blue", "green")),
    ("How many legs does a dog have?", ("three", "four")),
)


def ask_all(
    url: str, output: Output, max_tokens: int | None, questions: Questions = QUESTIONS
) -> list[Answer]:
    async def main() -> list[Answer]:
        settings = ModelSettings(output=output, max_tokens=max_tokens, max_retries=0)
        model = open_model(f"openai/gemma@{url}", settings)
        assert isinstance(model, AskedModel)
        requests = (
            Request("", blind_question(question, choices), choice_letters(len(choices)))
            for question, choices in questions
        )
        try:
            return await asyncio.gather(*(model.ask(request, 0, ()) for request in requests))
        finally:
            await model.close()

    return asyncio.run(main())


def test_free_text_is_kept_and_counted(llama_url: str) -> None:
    (answer,) = ask_all(llama_url, Output.TEXT, max_tokens=3, questions=QUESTIONS[:1])
    assert answer.text
    assert answer.finish_reason is FinishReason.LENGTH
    assert answer.usage.completion_tokens == 3
    assert (answer.usage.prompt_tokens or 0) > 20


def test_a_schema_holds_a_base_model_to_json(llama_url: str) -> None:
    # Each token costs a walk through the grammar with a vocabulary of 262,144: keep it short.
    (answer,) = ask_all(llama_url, Output.JSON, max_tokens=10, questions=QUESTIONS[1:])
    # Blanks are legal between the parts of an object, and a base model may get lost in them.
    start = "".join(answer.text.split())[:11]
    assert '{"answer":"'.startswith(start)
    reading = read_reply(answer, QUESTIONS[1][1], choice_letters(2))
    assert reading.status is (Status.OK if start else Status.UNPARSED)


def test_letters_are_scored(llama_url: str) -> None:
    answers = ask_all(llama_url, Output.LOGPROBS, max_tokens=None)
    for answer, (_, choices) in zip(answers, QUESTIONS, strict=True):
        assert answer.letter_probabilities is not None
        assert len(answer.letter_probabilities) == len(choices)
        assert sum(answer.letter_probabilities) == pytest.approx(1)
        reading = read_reply(answer, choices, choice_letters(len(choices)))
        best = max(range(len(choices)), key=answer.letter_probabilities.__getitem__)
        assert reading.position == best


def test_a_prompt_beyond_the_context_is_named(llama_url: str) -> None:
    async def main() -> None:
        model = open_model(f"openai/gemma@{llama_url}", ModelSettings(max_retries=0))
        assert isinstance(model, AskedModel)
        try:
            await model.ask(Request("", "word " * 5000, ("A", "B")), 0, ())
        finally:
            await model.close()

    with pytest.raises(AskRejected, match="longer context") as caught:
        asyncio.run(main())
    assert caught.value.kind == "context_length"


@pytest.mark.parametrize(
    ("n_frames", "frames_as", "kind", "hint"),
    [
        (1, None, "images_unsupported", "mmproj"),
        (3, FramesAs.IMAGES, "images_unsupported", "mmproj"),
        (3, FramesAs.VIDEO, "video_unsupported", 'frames_as = "images"'),
    ],
)
def test_frames_that_a_text_model_cannot_see_are_refused(
    llama_url: str, n_frames: int, frames_as: FramesAs | None, kind: str, hint: str
) -> None:
    frames = tuple(Frame(f"f{i}", float(i)) for i in range(n_frames))
    buffer = BytesIO()
    Image.new("RGB", (32, 32), "red").save(buffer, "JPEG")

    async def main() -> None:
        settings = ModelSettings(max_retries=0, frames_as=frames_as)
        model = open_model(f"openai/gemma@{llama_url}", settings)
        assert isinstance(model, AskedModel)
        try:
            request = Request("", "What colour?", ("A", "B"), frames)
            await model.ask(request, 0, [buffer.getvalue()] * n_frames)
        finally:
            await model.close()

    with pytest.raises(AskRejected, match=hint) as caught:
        asyncio.run(main())
    assert caught.value.kind == kind


def test_check_finds_the_listed_model_and_a_wrong_address(llama_url: str) -> None:
    async def check(name: str) -> None:
        model = open_model(name, ModelSettings())
        assert isinstance(model, AskedModel)
        try:
            await model.check()
        finally:
            await model.close()

    with urllib.request.urlopen(f"{llama_url}/models") as reply:
        listed = json.load(reply)["data"][0]["id"]
    asyncio.run(check(f"openai/{listed}@{llama_url}"))
    with pytest.raises(ModelUnavailable, match="address"):
        asyncio.run(check(f"openai/{listed}@{llama_url}/nowhere"))
