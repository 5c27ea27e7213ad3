"""Makes answers from loaded weights: greedy or sampled text, or scored letters."""

import copy
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import torch
from transformers import StoppingCriteriaList

from video_oasis.errors import AskError, AskInterrupted, AskRejected
from video_oasis.models.in_process.batching import answer_together_or_alone
from video_oasis.models.in_process.conversation import Question, chat_messages, decode_media
from video_oasis.models.in_process.identity import resolve_frames_as
from video_oasis.models.letters import letter_of, letter_probabilities
from video_oasis.models.settings import ModelSettings, Output
from video_oasis.prompts import CHOICE_LETTERS
from video_oasis.schema import Answer, FinishReason, Usage

_SEEDED: Final = threading.Lock()
"""Held while the process's one random generator is set and used."""

_OUT_OF_MEMORY: Final = ("out of memory", "can't allocate memory")


class LoadedModel:
    """A model with its processor, answering batches of questions; used from one thread."""

    def __init__(
        self, name: str, model: Any, processor: Any, opened: str, settings: ModelSettings
    ) -> None:
        """Prepare the way of generating.

        Args:
            name: the model's full name, for messages.
            model: an image-text model of transformers.
            processor: its processor.
            opened: the reasoning block that its chat template opens in the prompt.
            settings: how to ask it.
        """
        self._name = name
        self._model = model
        self._processor = processor
        self._opened = opened
        self._settings = settings
        self._stopped = threading.Event()
        self._generation = _generation_config(model, processor.tokenizer, settings)

    def stop(self) -> None:
        """End the answer under way, from any thread."""
        self._stopped.set()

    def answer(self, questions: Sequence[Question], max_tokens: int) -> list[Answer | AskError]:
        """Answer questions that show the same number of frames of the same sizes.

        Args:
            questions: one or more.
            max_tokens: longest reply.

        Returns:
            An answer or a failure for each, in order.
        """
        return answer_together_or_alone(
            self._name,
            questions,
            lambda batch: self._answer_together(batch, max_tokens),
            _read_failure,
        )

    def encode(self, questions: Sequence[Question]) -> Any:
        """Return the model's inputs for questions, padded on the left."""
        frames_as = resolve_frames_as(self._settings)
        media = [decode_media(question, frames_as) for question in questions]
        options: dict[str, Any] = {
            **self._settings.processor,
            "padding": True,
            "padding_side": "left",
        }
        if media[0].video is not None:
            options["video_metadata"] = [dict(each.video_metadata or {}) for each in media]
            options["do_sample_frames"] = False
        return self._processor.apply_chat_template(
            [
                chat_messages(question.request, shown)
                for question, shown in zip(questions, media, strict=True)
            ],
            tokenize=True,
            return_dict=True,
            return_tensors="pt",
            add_generation_prompt=True,
            # A benchmark's text may hold what a model takes for a picture or the end of a message.
            sanitize_control_tokens=True,
            processor_kwargs=options,
        )

    def _answer_together(self, questions: Sequence[Question], max_tokens: int) -> list[Answer]:
        inputs = self.encode(questions)
        lengths = [int(length) for length in inputs["attention_mask"].sum(dim=1)]
        self._check_lengths(max(lengths), max_tokens)
        generated = self._generate(inputs, questions[0].draw, max_tokens)
        if self._stopped.is_set():
            raise AskInterrupted("closed", "the model was closed while it answered")
        if self._settings.output is Output.LOGPROBS:
            return [
                self._read_letters(scores, question, length)
                for scores, question, length in zip(
                    generated.logits[0], questions, lengths, strict=True
                )
            ]
        replies = generated.sequences[:, inputs["input_ids"].shape[1] :]
        return [
            self._read_reply(reply, length)
            for reply, length in zip(replies.tolist(), lengths, strict=True)
        ]

    def _check_lengths(self, prompt_tokens: int, max_tokens: int) -> None:
        context = getattr(self._model.config.get_text_config(), "max_position_embeddings", None)
        if context is not None and prompt_tokens + max_tokens > context:
            raise AskRejected(
                "context_length",
                f"the question takes {prompt_tokens} tokens and the reply up to {max_tokens}, and "
                f"the model's context is {context}; show it fewer frames (max_frames) or smaller "
                "ones (processor), or lower max_tokens",
            )

    def _generate(self, inputs: Any, draw: int, max_tokens: int) -> Any:
        self._generation.max_new_tokens = max_tokens
        # Only pixels take the weights' number format: times in half precision would be other times.
        arguments = {
            **{
                name: value.to(self._model.dtype) if name.startswith("pixel_values") else value
                for name, value in inputs.to(self._model.device).items()
            },
            "generation_config": self._generation,
            "stopping_criteria": StoppingCriteriaList([self._told_to_stop]),
        }
        with torch.inference_mode():
            if not self._generation.do_sample or self._settings.seed is None:
                return self._model.generate(**arguments)
            with _SEEDED, torch.random.fork_rng():
                torch.manual_seed(self._settings.seed + draw)
                return self._model.generate(**arguments)

    def _told_to_stop(self, tokens: torch.Tensor, _scores: torch.Tensor, **_: Any) -> torch.Tensor:
        is_stopped = self._stopped.is_set()
        return torch.full((len(tokens),), is_stopped, dtype=torch.bool, device=tokens.device)

    def _read_reply(self, tokens: list[int], prompt_tokens: int) -> Answer:
        ends = [i for i, token in enumerate(tokens) if token in self._end_tokens]
        said = tokens[: ends[0]] if ends else tokens
        # Special tokens stay: some models mark their reasoning with them.
        text = self._processor.tokenizer.decode(said, clean_up_tokenization_spaces=False)
        return Answer(
            self._opened + text,
            FinishReason.STOP if ends else FinishReason.LENGTH,
            Usage(prompt_tokens, ends[0] + 1 if ends else len(tokens)),
        )

    def _read_letters(self, scores: torch.Tensor, question: Question, length: int) -> Answer:
        letters = question.request.letters
        logits = scores.float().cpu()
        probabilities = letter_probabilities(
            ((token, float(logits[i])) for i, token in self._letter_tokens.items()), letters
        )
        if probabilities is None:
            raise AskRejected(
                "no_letter_tokens",
                f"no token of the model is one of the letters {', '.join(letters)}; choose output "
                "text",
            )
        best = letters[probabilities.index(max(probabilities))]
        return Answer(best, FinishReason.STOP, Usage(length, 1), probabilities)

    @cached_property
    def _end_tokens(self) -> frozenset[int]:
        ends = self._generation.eos_token_id
        return frozenset([ends] if isinstance(ends, int) else ends or ())

    @cached_property
    def _letter_tokens(self) -> dict[int, str]:
        """Tokens that are an answer letter but for white space, by their ids."""
        vocabulary = self._processor.tokenizer.get_vocab()
        letters = set(CHOICE_LETTERS)
        return {i: token for token, i in vocabulary.items() if letter_of(token) in letters}


def _generation_config(model: Any, tokenizer: Any, settings: ModelSettings) -> Any:
    """Return the model's own way of generating, with the settings in place of its sampling."""
    config = copy.deepcopy(model.generation_config)
    if config.eos_token_id is None:
        config.eos_token_id = tokenizer.eos_token_id
    config.pad_token_id = tokenizer.pad_token_id
    config.max_length = None
    config.do_sample = bool(settings.temperature) and settings.output is Output.TEXT
    # The temperature alone shapes the draw: several models ship a top_k of 1, which allows none.
    config.temperature = settings.temperature if config.do_sample else None
    config.top_p = 1.0 if config.do_sample else None
    config.top_k = 0 if config.do_sample else None
    config.return_dict_in_generate = True
    config.output_logits = settings.output is Output.LOGPROBS
    return config


def _read_failure(error: Exception) -> AskError:
    said = " ".join(str(error).split())[:300]
    is_memory = isinstance(error, torch.OutOfMemoryError | MemoryError)
    if is_memory or any(words in said for words in _OUT_OF_MEMORY):
        return AskRejected(
            "out_of_memory",
            f"the device has no room for this question ({said or 'out of memory'}); show fewer "
            "frames (max_frames) or smaller ones (processor), or free the device",
        )
    return AskRejected(
        "model_failed",
        f"the model's own code fails on this question: {type(error).__name__}: {said}",
    )
