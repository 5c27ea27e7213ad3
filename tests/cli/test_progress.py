"""Progress: bars on a real terminal, plain lines elsewhere, both with what a user wants to know."""

import contextlib
import os
import pty
import subprocess
import sys

SHOW = """
import time
from video_oasis.cli.progress import show_progress
from video_oasis.runner import Progress
with show_progress() as listen:
    listen(Progress("a/model", 4))
    time.sleep(0.2)
    listen(Progress("a/model", 4, n_answered=2, n_failed=1))
    time.sleep(0.2)
    listen(Progress("a/model", 4, n_answered=3, n_failed=1))
"""


def test_elsewhere_a_line_when_a_model_begins_and_when_it_is_done() -> None:
    done = subprocess.run([sys.executable, "-c", SHOW], capture_output=True, text=True, check=True)
    first, last = done.stderr.splitlines()
    assert first == "a/model: 0 of 4"
    assert last.startswith("a/model: 4 of 4, ")
    assert last.endswith(" a second, 1 failed")
    assert done.stdout == ""


def read_all(terminal: int) -> bytes:
    """Read what was written to a terminal that is closed: each read gives a page at most."""
    pages = []
    with contextlib.suppress(OSError):
        while page := os.read(terminal, 4096):
            pages.append(page)
    return b"".join(pages)


def test_on_a_terminal_a_bar_with_rate_and_failures() -> None:
    ours, theirs = pty.openpty()
    subprocess.run(
        [sys.executable, "-c", SHOW], stderr=theirs, check=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )  # fmt: skip
    os.close(theirs)
    shown = read_all(ours).decode()
    os.close(ours)
    assert "4/4" in shown
    assert "/s" in shown
    assert "1 failed" in shown
