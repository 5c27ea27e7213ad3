"""Questions asked at the same time are answered together, and nobody waits for ever."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from video_oasis.errors import AskError, AskInterrupted, AskRejected
from video_oasis.models.in_process.batching import Batcher, answer_together_or_alone
from video_oasis.models.in_process.conversation import Question
from video_oasis.schema import Answer, Request


def question(text: str) -> Question:
    return Question(Request(system="", text=text, letters=("A",)), 0, ())


def text(asked: Question) -> str:
    return asked.request.text


def echo(questions: Sequence[Question]) -> list[Answer]:
    return [Answer(text(asked)) for asked in questions]


def test_batches_hold_one_kind_and_keep_their_size() -> None:
    batches: list[str] = []

    def answer(questions: Sequence[Question]) -> list[Answer]:
        batches.append(" ".join(map(text, questions)))
        return echo(questions)

    async def ask_all() -> list[str]:
        batcher = Batcher(answer, 2, kind=lambda asked: text(asked)[0])
        names = ("a1", "b1", "a2", "a3", "b2")
        answers = await asyncio.gather(*(batcher.ask(question(name)) for name in names))
        await batcher.close()
        return [answer.text for answer in answers]

    assert asyncio.run(ask_all()) == ["a1", "b1", "a2", "a3", "b2"]
    assert batches == ["a1 a2", "b1 b2", "a3"]


def test_a_failure_is_its_questions_own() -> None:
    def answer(questions: Sequence[Question]) -> list[Answer | AskError]:
        return [
            AskRejected("bad", "no") if text(asked) == "bad" else Answer(text(asked))
            for asked in questions
        ]

    async def ask_all() -> list[Any]:
        batcher = Batcher(answer, 3)
        asked = (batcher.ask(question(name)) for name in ("one", "bad", "two"))
        outcomes = await asyncio.gather(*asked, return_exceptions=True)
        await batcher.close()
        return outcomes

    one, bad, two = asyncio.run(ask_all())
    assert (one.text, two.text) == ("one", "two")
    assert isinstance(bad, AskRejected)


def test_a_fault_of_the_program_reaches_all_who_wait() -> None:
    def answer(_: Sequence[Question]) -> list[Answer]:
        raise ZeroDivisionError

    async def ask_all() -> list[Any]:
        batcher = Batcher(answer, 2)
        asked = (batcher.ask(question(name)) for name in "abc")
        outcomes = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 10)
        await batcher.close()
        return outcomes

    assert [type(outcome) for outcome in asyncio.run(ask_all())] == [ZeroDivisionError] * 3


def test_who_gave_up_is_not_answered_for() -> None:
    batches: list[list[str]] = []
    is_asked, may_answer = threading.Event(), threading.Event()

    def answer(questions: Sequence[Question]) -> list[Answer]:
        batches.append([text(asked) for asked in questions])
        is_asked.set()
        may_answer.wait(10)
        return echo(questions)

    async def ask_all() -> str:
        batcher = Batcher(answer, 1)
        first = asyncio.create_task(batcher.ask(question("first")))
        await asyncio.to_thread(is_asked.wait, 10)
        second, third = (asyncio.create_task(batcher.ask(question(each))) for each in ("2", "3"))
        await asyncio.sleep(0)
        first.cancel()
        second.cancel()
        may_answer.set()
        reply = await third
        await batcher.close()
        return reply.text

    assert asyncio.run(ask_all()) == "3"
    assert batches == [["first"], ["3"]]


def test_closing_leaves_nobody_waiting() -> None:
    is_asked, may_answer = threading.Event(), threading.Event()

    def answer(questions: Sequence[Question]) -> list[Answer]:
        is_asked.set()
        may_answer.wait(10)
        return echo(questions)

    async def close_early() -> list[Any]:
        batcher = Batcher(answer, 1)
        asked = [asyncio.create_task(batcher.ask(question(each))) for each in ("first", "second")]
        await asyncio.to_thread(is_asked.wait, 10)
        closing = asyncio.create_task(batcher.close())
        await asyncio.sleep(0)
        may_answer.set()
        await closing
        return await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 10)

    first, second = asyncio.run(close_early())
    assert first == Answer("first")
    assert isinstance(second, AskInterrupted)


def test_asking_goes_on_after_closing() -> None:
    async def ask_twice() -> list[str]:
        batcher = Batcher(echo, 1)
        texts = []
        for name in ("one", "two"):
            texts.append((await batcher.ask(question(name))).text)
            await batcher.close()
        return texts

    assert asyncio.run(ask_twice()) == ["one", "two"]


@pytest.mark.parametrize(
    ("failure", "kind"), [(AskRejected("own", "no"), "own"), (ValueError("no"), "explained")]
)
def test_what_fails_together_is_tried_alone(failure: Exception, kind: str) -> None:
    tried: list[int] = []

    def answer(questions: Sequence[Question]) -> list[Answer]:
        tried.append(len(questions))
        if any(text(asked) == "bad" for asked in questions):
            raise failure
        return echo(questions)

    explain: Callable[[Exception], AskError] = lambda error: AskRejected("explained", str(error))  # noqa: E731
    asked = [question(name) for name in ("one", "bad", "two")]
    one, bad, two = answer_together_or_alone("the model", asked, answer, explain)
    assert tried == [3, 1, 1, 1]
    assert one == Answer("one")
    assert two == Answer("two")
    assert isinstance(bad, AskRejected)
    assert (bad.kind, str(bad)) == (kind, "the model: no")
    assert bad.__traceback__ is None
