"""Keeps one process of a program running and asks it one question after the other."""

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from subprocess import PIPE, Popen, TimeoutExpired
from typing import Any, Final

from video_oasis.errors import AskInterrupted
from video_oasis.models.external import keeper

LONGEST_REPLY_BYTES: Final = 1 << 20
"""A line that is longer is no reply."""

_STDERR_BYTES: Final = 4000
_QUOTED_CHARACTERS: Final = 300
_MOMENT_SECONDS: Final = 1.0
_FAREWELL_SECONDS: Final = 5.0


class Worker:
    """One process of a program, with a folder for the frames that it is shown.

    Attributes:
        n_replies: lines that it has replied.
    """

    def __init__(self, process: Popen[bytes], folder: Path, lifeline: int) -> None:
        """Take over a process that ``start_worker`` has started.

        Args:
            process: its keeper, with pipes to the program.
            folder: an empty folder; removed at the end.
            lifeline: writing end of a pipe; once it is closed the keeper ends the program.
        """
        self.n_replies = 0
        self._process = process
        self._folder = folder
        self._lifeline: int | None = lifeline
        self._stdout = asyncio.StreamReader(limit=LONGEST_REPLY_BYTES)
        self._stderr = asyncio.StreamReader(limit=_STDERR_BYTES)
        self._heard = b""
        self._listening = asyncio.create_task(self._listen())
        self._stdin: Any = None
        self._transports: list[Any] = []

    async def connect(self) -> None:
        """Connect the pipes to the event loop.

        A process that asyncio itself starts could not be let go of while a child of the program
        holds a pipe open.
        """
        loop = asyncio.get_running_loop()
        process = self._process
        self._stdin, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)
        self._transports.append(self._stdin)
        for reader, pipe in ((self._stdout, process.stdout), (self._stderr, process.stderr)):
            protocol = partial(asyncio.StreamReaderProtocol, reader)
            transport, _ = await loop.connect_read_pipe(protocol, pipe)
            self._transports.append(transport)

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended."""
        return self._process.poll() is not None

    def write_pictures(self, names: Sequence[str], pictures: Sequence[bytes]) -> list[Path]:
        """Write pictures to files, in place of those of the last question.

        Args:
            names: their names without an ending; pictures of one name are one picture.
            pictures: JPEG.

        Raises:
            AskInterrupted: they cannot be written.
        """
        paths = [self._folder / f"{name}.jpg" for name in names]
        try:
            for old in self._folder.iterdir():
                old.unlink()
            for path, picture in dict(zip(paths, pictures, strict=True)).items():
                path.write_bytes(picture)
        except OSError as error:
            raise AskInterrupted(
                "frames_unwritable",
                f"{self._folder}: no frames can be written ({error.strerror}); make room there, or "
                f"set TMPDIR to another folder",
            ) from error
        return paths

    async def ask(self, line: bytes) -> bytes:
        """Write a line and return the line that comes back.

        Raises:
            EOFError: none does, and none ever will.
            AskInterrupted: it is too long.
        """
        if not self._stdin.is_closing():
            self._stdin.write(line)
        try:
            reply = await self._stdout.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            raise EOFError from None
        except asyncio.LimitOverrunError:
            raise AskInterrupted(
                "reply_too_large",
                f"the program wrote more than {LONGEST_REPLY_BYTES:,} bytes without a line end; "
                f"expected one short line",
            ) from None
        self.n_replies += 1
        return reply

    async def explain_end(self) -> AskInterrupted:
        """Say why no more replies come."""
        code = await self._wait(_FAREWELL_SECONDS)
        if code is None:
            return AskInterrupted("stdout_closed", "the program closed its standard output")
        if code == keeper.CANNOT_RUN:
            return AskInterrupted("cannot_run", "the program could not be started")
        return AskInterrupted(
            f"exit_{code}", f"the program ended with exit code {code} and did not reply"
        )

    async def last_words(self) -> str:
        """Return the end of what an ended program wrote to standard error, in one line."""
        # A child that lives on may hold the pipe open.
        await asyncio.wait([self._listening], timeout=_MOMENT_SECONDS)
        line = " ".join(self._heard.decode(errors="replace").split())
        return line if len(line) <= _QUOTED_CHARACTERS else f"…{line[-_QUOTED_CHARACTERS:]}"

    def end_now(self) -> None:
        """End the program and all that it started; they are gone a moment later."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None

    async def end(self) -> None:
        """Wait until the program has ended by itself, or end it if it takes too long.

        That there is nothing more to ask it learns by the end of its standard input.
        """
        self._stdin.close()
        if self._lifeline is not None:
            await self._wait(_FAREWELL_SECONDS)
        self.end_now()
        await self._wait(_FAREWELL_SECONDS)
        self._listening.cancel()
        for transport in self._transports:
            transport.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    async def _wait(self, seconds: float) -> int | None:
        """Return the exit code, or None if the process has not ended by then."""
        with contextlib.suppress(TimeoutExpired):
            await asyncio.to_thread(self._process.wait, seconds)
        return self._process.returncode

    async def _listen(self) -> None:
        while chunk := await self._stderr.read(_STDERR_BYTES):
            self._heard = (self._heard + chunk)[-_STDERR_BYTES:]


async def start_worker(command: Sequence[str]) -> Worker:
    """Start a process of a program, through a keeper that ends it when this process ends.

    Args:
        command: path of the program, and its arguments; no shell reads them.

    Raises:
        AskInterrupted: there are no processes, pipes or folders to be had.
    """
    try:
        with contextlib.ExitStack() as always, contextlib.ExitStack() as on_failure:
            theirs, ours = os.pipe()
            always.callback(os.close, theirs)
            on_failure.callback(os.close, ours)
            folder = tempfile.mkdtemp(prefix="oasis-frames-")
            on_failure.callback(shutil.rmtree, folder, ignore_errors=True)
            process = Popen(
                [sys.executable, "-I", "-S", keeper.__file__, str(theirs), folder, *command],
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE,
                bufsize=0,
                pass_fds=(theirs,),
                start_new_session=True,
            )
            on_failure.pop_all()
    except OSError as error:
        raise AskInterrupted("cannot_start", f"no process can be started: {error}") from error
    worker = Worker(process, Path(folder), ours)
    try:
        await worker.connect()
    except BaseException:
        worker.end_now()
        raise
    return worker
