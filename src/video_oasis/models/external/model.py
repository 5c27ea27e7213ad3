"""Asks a program, in as many processes of it as requests may be under way at once."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from video_oasis.errors import AskError, AskInterrupted, AskRejected, ModelUnavailable
from video_oasis.models.external.program import describe_program, find_program
from video_oasis.models.external.protocol import question_id, read_reply, write_question
from video_oasis.models.external.worker import Worker, start_worker
from video_oasis.models.in_process.probe import make_probe
from video_oasis.models.interface import ANSWERS_QUESTIONS
from video_oasis.models.settings import ModelSettings
from video_oasis.schema import Answer, Form, Request


class ExternalModel:
    """A program that reads questions from its standard input and writes replies to its output.

    A process answers one question after the other. One that fails is ended, with all that it
    started, and another takes its place; one that ends by itself between two questions is replaced
    without a word.
    """

    def __init__(self, name: str, settings: ModelSettings) -> None:
        """Note which program, and how to ask it.

        Args:
            name: path of a program, or name of a command.
            settings: how to ask it.
        """
        self.name = f"external/{name}"
        self._program = name
        self._settings = settings
        self._idle: list[Worker] = []
        self._running: set[Worker] = set()

    @property
    def forms(self) -> frozenset[Form]:
        """Worded questions."""
        return ANSWERS_QUESTIONS

    @property
    def max_frames(self) -> int | None:
        """The most frames that one request may show it."""
        return self._settings.max_frames

    @property
    def concurrency(self) -> int:
        """How many processes of the program may run at once: one, unless the settings say more."""
        return self._settings.concurrency or 1

    def describe(self) -> Mapping[str, Any]:
        """Return what the program is, and the revision that the user states.

        Raises:
            ModelUnavailable: there is no such program.
        """
        return {
            "backend": "external",
            **self._description,
            "revision": self._settings.revision,
        }

    @cached_property
    def _description(self) -> dict[str, Any]:
        return describe_program(self.name, self._program, self._settings.arguments)

    async def check(self) -> None:
        """Have the program answer a question about grey frames; that it has no answer is one.

        Raises:
            ModelUnavailable: the program is not there, or does not do what is expected of it.
        """
        probe = make_probe(self.max_frames)
        try:
            await self.ask(probe.request, probe.draw, probe.pictures)
        except AskRejected:
            return
        except AskError as error:
            raise ModelUnavailable(
                f"model {error}; this is a first question about grey frames"
            ) from error

    async def ask(self, request: Request, draw: int, pictures: Sequence[bytes]) -> Answer:
        """Answer one request.

        Raises:
            AskRejected: the program says that it has no answer.
            AskInterrupted: it ended, took too long, or wrote what is no reply.
        """
        while True:
            worker = await self._take_worker()
            is_fresh = worker.n_replies == 0
            try:
                async with asyncio.timeout(self._settings.timeout_seconds):
                    answer = await _ask_worker(worker, request, draw, pictures)
            except AskRejected as error:
                self._idle.append(worker)
                raise AskRejected(error.kind, f"{self.name}: {error}") from error
            except (AskInterrupted, EOFError, TimeoutError) as error:
                failure = await self._explain(worker, error)
                # It may have ended by itself after its last reply, and then read no more.
                if failure.kind != "exit_0" or is_fresh:
                    raise await self._give_up(worker, failure) from None
                await self._end(worker)
            except BaseException:
                worker.end_now()
                raise
            else:
                self._idle.append(worker)
                return answer

    async def close(self) -> None:
        """End all processes; asking again starts others."""
        self._idle.clear()
        await asyncio.gather(*map(self._end, tuple(self._running)))

    async def _take_worker(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if not worker.has_ended:
                return worker
            await self._end(worker)
        program = find_program(self.name, self._program)
        worker = await start_worker([str(program), *self._settings.arguments])
        self._running.add(worker)
        return worker

    async def _end(self, worker: Worker) -> None:
        await worker.end()
        self._running.discard(worker)

    async def _give_up(self, worker: Worker, failure: AskInterrupted) -> AskInterrupted:
        worker.end_now()
        words = await worker.last_words()
        await self._end(worker)
        heard = f"; its standard error ends: {words}" if words else ""
        return AskInterrupted(failure.kind, f"{self.name}: {failure}{heard}")

    async def _explain(
        self, worker: Worker, error: AskInterrupted | EOFError | TimeoutError
    ) -> AskInterrupted:
        if isinstance(error, AskInterrupted):
            return error
        if isinstance(error, EOFError):
            return await worker.explain_end()
        seconds = self._settings.timeout_seconds
        return AskInterrupted(
            "timeout",
            f"the program did not reply within {seconds:g} seconds and was ended; raise "
            f"timeout_seconds if it is only slow, and let it read line by line, not to the end",
        )


async def _ask_worker(
    worker: Worker, request: Request, draw: int, pictures: Sequence[bytes]
) -> Answer:
    # Off the event loop: a hundred files for each request would hold up all other requests.
    paths = await asyncio.to_thread(worker.write_pictures, request.pictures, pictures)
    line = await worker.ask(write_question(request, draw, paths))
    return read_reply(line, question_id(request, draw))
