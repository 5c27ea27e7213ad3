"""How answers come about: batches, letters, sampling, endings and reasoning."""

import asyncio
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.answers.cleaning import remove_reasoning
from video_oasis.errors import AskInterrupted
from video_oasis.models.settings import ModelSettings, Output
from video_oasis.models.transformers import open_model
from video_oasis.schema import Answer, FinishReason

BuildModel = Callable[[str], Path]
MakeQuestion = Callable[..., Any]
AskAll = Callable[..., list[Any]]

KINDS = ["qwen2.5-vl", "qwen3-vl", "smolvlm", "internvl"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("output", [Output.TEXT, Output.LOGPROBS])
def test_a_batch_is_answered_as_one_by_one(
    build_model: BuildModel,
    make_question: MakeQuestion,
    ask_all: AskAll,
    received: list[dict[str, Any]],
    kind: str,
    output: Output,
) -> None:
    texts = ("Why?", "What does the cook do before the pan is hot?", "How many, and since when?")
    questions = [make_question(n, text) for n in (0, 1, 4) for text in texts]
    questions += [make_question(4, "Why?", size=(32, 48)), make_question(3, "Why?")]
    max_tokens = 6 if output is Output.TEXT else None

    def ask(batch_size: int) -> list[Any]:
        settings = ModelSettings(output=output, max_tokens=max_tokens, batch_size=batch_size)
        return ask_all(open_model(str(build_model(kind)), settings), *questions)

    together, alone = ask(3), ask(1)
    # Three of no frame, of one, of four; then those of other sizes and numbers alone.
    assert [len(call["input_ids"]) for call in received] == [3, 3, 3, 1, 1] + [1] * 11
    for one, other in zip(together, alone, strict=True):
        assert isinstance(one, Answer), one
        assert (one.text, one.finish_reason, one.usage) == (
            other.text,
            other.finish_reason,
            other.usage,
        )
        assert one.letter_probabilities == pytest.approx(other.letter_probabilities, abs=1e-4)
    assert len({answer.letter_probabilities or answer.text for answer in alone}) > 5


def test_a_tokenizer_without_padding_is_batched(
    copy_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    folder = copy_model("qwen2.5-vl")
    path = folder / "tokenizer_config.json"
    tokenizer = json.loads(path.read_text())
    del tokenizer["pad_token"]
    path.write_text(json.dumps(tokenizer))
    model = open_model(str(folder), ModelSettings(max_tokens=3, batch_size=2))
    answers = ask_all(model, make_question(0, "Why?"), make_question(0, "For how long?"))
    assert all(isinstance(answer, Answer) for answer in answers), answers


def test_letters_are_scored_by_the_first_token(
    build_model: BuildModel,
    make_question: MakeQuestion,
    ask_all: AskAll,
    received: list[dict[str, Any]],
) -> None:
    import torch
    from transformers import AutoModelForImageTextToText, AutoTokenizer

    folder = build_model("smolvlm")
    settings = ModelSettings(output=Output.LOGPROBS)
    [answer] = ask_all(open_model(str(folder), settings), make_question(2, letters="ABC"))
    model = AutoModelForImageTextToText.from_pretrained(folder)
    names = ("input_ids", "attention_mask", "pixel_values", "pixel_attention_mask")
    with torch.inference_mode():
        logits = model(**{name: received[-1][name] for name in names}).logits[0, -1]
    scores = [logits[AutoTokenizer.from_pretrained(folder).convert_tokens_to_ids(x)] for x in "ABC"]
    total = sum(math.exp(score) for score in scores)
    expected = [math.exp(score) / total for score in scores]
    assert answer.letter_probabilities == pytest.approx(expected, rel=1e-4)
    assert answer.text == "ABC"[expected.index(max(expected))]
    assert answer.finish_reason is FinishReason.STOP
    assert answer.usage.completion_tokens == 1


def test_sampling_is_fixed_by_seed_and_draw_and_not_by_the_batch(
    build_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    questions = [make_question(0, text) for text in ("Why?", "Who?", "When?")]

    def ask(*shown: Any, seed: int | None = 5, draw: int = 0, batch_size: int = 3) -> list[str]:
        settings = ModelSettings(temperature=1.5, seed=seed, max_tokens=8, batch_size=batch_size)
        model = open_model(str(build_model("qwen2.5-vl")), settings)
        return [answer.text for answer in ask_all(model, *shown, draw=draw)]

    first = ask(*questions)
    assert ask(*questions, batch_size=1) == first
    assert ask(questions[2], questions[0]) == [first[2], first[0]]
    second = ask(*questions, draw=1)
    assert second != first
    assert ask(*questions, seed=6) == second
    assert ask(*questions, seed=None) != ask(*questions, seed=None)


def test_a_models_own_sampling_settings_do_not_shape_the_draw(
    copy_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    folder = copy_model("qwen2.5-vl")
    path = folder / "generation_config.json"
    own = json.loads(path.read_text())
    path.write_text(json.dumps({**own, "do_sample": True, "top_k": 1, "temperature": 0.01}))
    settings = ModelSettings(temperature=1.5, max_tokens=8)
    answers = ask_all(open_model(str(folder), settings), *[make_question(0)] * 4)
    assert len({answer.text for answer in answers}) > 1
    greedy = ModelSettings(temperature=None, max_tokens=8)
    answers = ask_all(open_model(str(folder), greedy), *[make_question(0)] * 2)
    assert len({answer.text for answer in answers}) == 1


def test_endings(
    copy_model: BuildModel,
    make_question: MakeQuestion,
    ask_all: AskAll,
    received: list[dict[str, Any]],
) -> None:
    from transformers import AutoTokenizer

    folder = copy_model("qwen2.5-vl")
    question = make_question(2)
    settings = ModelSettings(max_tokens=5, temperature=1.5, seed=3)
    [cut] = ask_all(open_model(str(folder), settings), question)
    assert cut.finish_reason is FinishReason.LENGTH
    assert cut.usage.completion_tokens == 5
    assert cut.usage.prompt_tokens == received[-1]["input_ids"].shape[1]
    # Make what it says third the token that ends a reply.
    [said] = received[-1]["said"]
    assert len(said) == 5
    assert said[2] not in said[:2]
    path = folder / "generation_config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "eos_token_id": [said[2], 257]}))
    [ended] = ask_all(open_model(str(folder), settings), question)
    assert ended.finish_reason is FinishReason.STOP
    assert ended.usage.completion_tokens == 3
    assert ended.text == AutoTokenizer.from_pretrained(folder).decode(said[:2])


def test_reasoning_opened_by_the_template_is_kept(
    copy_model: BuildModel, make_question: MakeQuestion, ask_all: AskAll
) -> None:
    folder = copy_model("qwen2.5-vl")
    template = folder / "chat_template.jinja"
    begin = "<|im_start|>assistant\n"
    template.write_text(template.read_text().replace(begin, f"{begin}<think>\n"))
    [answer] = ask_all(open_model(str(folder), ModelSettings(max_tokens=4)), make_question(1))
    assert answer.text.startswith("<think>\n")
    assert answer.finish_reason is FinishReason.LENGTH
    assert remove_reasoning(answer.text) is None


def test_tags_that_are_special_tokens_are_kept(
    copy_model: BuildModel,
    make_question: MakeQuestion,
    ask_all: AskAll,
    received: list[dict[str, Any]],
) -> None:
    folder = copy_model("qwen2.5-vl")
    ask_all(open_model(str(folder), ModelSettings(max_tokens=3)), make_question(1))
    # The second token it says is renamed to a tag, and made special.
    tokenizer_file = folder / "tokenizer.json"
    second = received[-1]["said"][0][1]
    tokenizer = json.loads(tokenizer_file.read_text())
    vocabulary = tokenizer["model"]["vocab"]
    old = next(token for token, number in vocabulary.items() if number == second)
    del vocabulary[old]
    vocabulary["</think>"] = second
    added = {**tokenizer["added_tokens"][0], "id": second, "content": "</think>"}
    tokenizer["added_tokens"].insert(0, added)
    tokenizer_file.write_text(json.dumps(tokenizer))
    [answer] = ask_all(open_model(str(folder), ModelSettings(max_tokens=3)), make_question(1))
    assert received[-1]["said"][0][1] == second
    assert "</think>" in answer.text


def test_closing_ends_the_answer_under_way(
    build_model: BuildModel, make_question: MakeQuestion, received: list[dict[str, Any]]
) -> None:
    model = open_model(str(build_model("qwen2.5-vl")), ModelSettings(max_tokens=3000))

    async def close_while_it_answers() -> None:
        await model.check()
        request, pictures = make_question(0)
        asking = asyncio.create_task(model.ask(request, 0, pictures))
        while len(received) < 2:  # the first is that of the check
            await asyncio.sleep(0.01)
        await model.close()
        with pytest.raises(AskInterrupted, match="closed"):
            await asking

    asyncio.run(close_while_it_answers())
