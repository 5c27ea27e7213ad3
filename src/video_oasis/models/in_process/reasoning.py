"""Finds out whether a chat template starts the reply with reasoning."""

from typing import Any

from video_oasis.answers.cleaning import remove_reasoning
from video_oasis.errors import ModelUnavailable
from video_oasis.models.settings import Output


def opened_reasoning(processor: Any) -> str:
    """Return the reasoning block that a chat template opens in the prompt, empty if it opens none.

    Such a model's reply goes on inside the block and has no opening tag of its own. Stored without
    it, a reply cut short would pass for an answer; so this text belongs before every reply.

    Args:
        processor: a transformers processor with a chat template.
    """
    messages = [{"role": "user", "content": [{"type": "text", "text": "?"}]}]
    prompt = processor.apply_chat_template(messages, tokenize=False)
    with_reply = processor.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
    begun = with_reply.removeprefix(prompt)
    starts = range(len(begun) - 1, -1, -1)
    return next((begun[i:] for i in starts if remove_reasoning(begun[i:]) is None), "")


def check_reasoning(model: str, opened: str, output: Output) -> None:
    """Check that a model whose replies begin with reasoning may write it.

    Args:
        model: the model's full name, for messages.
        opened: the reasoning block that its chat template opens.
        output: how it is made to answer.

    Raises:
        ModelUnavailable: it is held to a letter from its first token on.
    """
    if opened and output is not Output.TEXT:
        raise ModelUnavailable(
            f"model {model}: output {output.value} reads the first token, and this model's replies "
            f"begin with reasoning ({opened.strip()}); choose output text"
        )
