"""Runs a program and ends it, with all that it started, when the one who asked for it is gone.

Started as a script of its own between a run and a program: however the run ends, the pipe that it
holds open is closed, and whoever waits at the other end learns of it. A program alone might hang
and never look.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from threading import Event, Thread
from typing import Final

CANNOT_RUN: Final = 127
"""Exit code for a program that cannot be started, as shells have it."""


def keep(lifeline: int, folder: str, command: list[str]) -> int:
    """Run a program until it ends or the lifeline is closed, and return its exit code.

    Args:
        lifeline: reading end of a pipe on which nothing is ever written.
        folder: a folder of the program's; removed if the lifeline is closed.
        command: the program and its arguments.

    Returns:
        The exit code; 128 and the signal's number for a program that a signal ended.
    """
    try:
        program = subprocess.Popen(command, start_new_session=True)
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
        return CANNOT_RUN
    _let_go_of_pipes()
    is_closed = Event()
    Thread(target=_end_with, args=[lifeline, program.pid, is_closed], daemon=True).start()
    # Not reaped yet: until then no other process can have its number.
    os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
    _end_group(program.pid)
    code = program.wait()
    if is_closed.is_set():
        shutil.rmtree(folder, ignore_errors=True)
    return code if code >= 0 else 128 - code


def _let_go_of_pipes() -> None:
    """Leave standard input and output to the program, so that what it closes is closed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)


def _end_with(lifeline: int, group: int, is_closed: Event) -> None:
    os.read(lifeline, 1)
    is_closed.set()
    _end_group(group)


def _end_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    sys.exit(keep(int(sys.argv[1]), sys.argv[2], sys.argv[3:]))
