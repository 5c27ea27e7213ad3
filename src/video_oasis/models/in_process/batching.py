"""Gathers questions that are asked at the same time and answers them together in one thread."""

import asyncio
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from video_oasis.errors import AskError, AskInterrupted
from video_oasis.models.in_process.conversation import Question
from video_oasis.schema import Answer

T = TypeVar("T")

AnswerBatch = Callable[[Sequence[Question]], Sequence[Answer | AskError]]
"""Answers questions together: one answer or failure for each, in order."""


def answer_together_or_alone(
    model: str,
    questions: Sequence[Question],
    answer: Callable[[Sequence[Question]], Sequence[Answer]],
    explain: Callable[[Exception], AskError],
) -> list[Answer | AskError]:
    """Answer questions together; where that fails, each alone, so that a failure is one question's.

    Args:
        model: the model's full name, for messages.
        questions: one or more.
        answer: answers questions together, or raises anything.
        explain: says what an exception of a library means.

    Returns:
        An answer or a failure for each, in order.
    """
    try:
        return [*answer(questions)]
    except AskError as error:
        failure = error
    except Exception as error:
        # Models and processors raise whatever comes to them; a bad question must not end a run.
        failure = explain(error)
    if len(questions) == 1:
        # Made anew: a traceback holds the tensors of the batch.
        return [type(failure)(failure.kind, f"{model}: {failure}")]
    return [
        outcome
        for question in questions
        for outcome in answer_together_or_alone(model, [question], answer, explain)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    question: Question
    kind: Hashable
    answered: asyncio.Future[Answer]


class Batcher:
    """Answers questions in batches, one batch at a time, in a thread of its own."""

    def __init__(
        self,
        answer: AnswerBatch,
        batch_size: int,
        kind: Callable[[Question], Hashable] = lambda _: None,
    ) -> None:
        """Note how to answer.

        Args:
            answer: called in the thread with one to ``batch_size`` questions of one kind.
            batch_size: the most questions at once.
            kind: what must be equal for questions to be answered together.
        """
        self._answer = answer
        self._batch_size = batch_size
        self._kind = kind
        self._waiting: list[_Waiting] = []
        self._working: asyncio.Task[None] | None = None
        self._thread: ThreadPoolExecutor | None = None

    async def ask(self, question: Question) -> Answer:
        """Answer one question, together with others that wait.

        Raises:
            AskError: the failure that ``answer`` returned for it.
        """
        loop = asyncio.get_running_loop()
        waiting = _Waiting(question, self._kind(question), loop.create_future())
        self._waiting.append(waiting)
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._work())
        return await waiting.answered

    async def call(self, function: Callable[[], T]) -> T:
        """Run a function in the thread that answers."""
        if self._thread is None:
            self._thread = ThreadPoolExecutor(1, thread_name_prefix="video-oasis-model")
        return await asyncio.get_running_loop().run_in_executor(self._thread, function)

    async def close(self) -> None:
        """Answer nothing that waits, and wait until the thread has ended.

        Asking again starts a new one.
        """
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.answered.done():
                failure = AskInterrupted("closed", "the model was closed before it answered")
                each.answered.set_exception(failure)
        thread, self._thread = self._thread, None
        if thread is not None:
            await asyncio.to_thread(thread.shutdown)

    async def _work(self) -> None:
        while True:
            await asyncio.sleep(0)  # those who ask at the same moment join the batch
            batch = self._take()
            if not batch:
                return
            questions = [waiting.question for waiting in batch]
            outcomes: Sequence[Answer | Exception]
            try:
                outcomes = await self.call(partial(self._answer, questions))
            except Exception as error:
                # Whatever it is, those who wait must learn of it, or they would wait for ever.
                outcomes = [error] * len(batch)
            for waiting, outcome in zip(batch, outcomes, strict=True):
                if waiting.answered.done():
                    continue
                if isinstance(outcome, Answer):
                    waiting.answered.set_result(outcome)
                else:
                    waiting.answered.set_exception(outcome)

    def _take(self) -> list[_Waiting]:
        """Take the question that waits longest, and others of its kind."""
        waiting = [each for each in self._waiting if not each.answered.done()]
        batch = [each for each in waiting if each.kind == waiting[0].kind][: self._batch_size]
        self._waiting = [each for each in waiting if each not in batch]
        return batch
