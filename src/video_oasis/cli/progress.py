"""Shows how far a run has come: bars on a terminal, a plain line now and then elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from video_oasis.runner import Listener, Progress

_SECONDS_BETWEEN_LINES: Final = 10.0


@contextmanager
def show_progress() -> Iterator[Listener]:
    """Give a listener for a run that writes to standard error."""
    if sys.stderr.isatty():
        with _show_bars() as listener:
            yield listener
    else:
        yield _PlainLines()


@contextmanager
def _show_bars() -> Iterator[Listener]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[failed]}"),
    )
    with Bars(*columns, console=Console(stderr=True)) as bars:
        tasks = {}
        started = time.monotonic()

        def listen(progress: Progress) -> None:
            if progress.model not in tasks:
                tasks[progress.model] = bars.add_task(progress.model, rate="", failed="")
            n_done = progress.n_answered + progress.n_failed
            bars.update(
                tasks[progress.model],
                total=progress.n_total,
                completed=n_done,
                rate=f"{n_done / max(time.monotonic() - started, 1e-9):.1f}/s",
                failed=f"{progress.n_failed} failed" if progress.n_failed else "",
            )

        yield listen


class _PlainLines:
    """Writes a line per model at most every few seconds, and one when the model is done."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._last_line: dict[str, float] = {}

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        n_done = progress.n_answered + progress.n_failed
        due = now - self._last_line.get(progress.model, self._started) >= _SECONDS_BETWEEN_LINES
        if not (due or n_done == progress.n_total > 0):
            return
        self._last_line[progress.model] = now
        sys.stderr.write(_describe(progress, seconds=now - self._started) + "\n")
        sys.stderr.flush()


def _describe(progress: Progress, *, seconds: float) -> str:
    n_done = progress.n_answered + progress.n_failed
    rate = n_done / max(seconds, 1e-9)
    parts = [f"{progress.model}: {n_done} of {progress.n_total}", f"{rate:.1f} a second"]
    if progress.n_failed:
        parts.append(f"{progress.n_failed} failed")
    if n_done < progress.n_total and rate > 0:
        parts.append(f"{_describe_time((progress.n_total - n_done) / rate)} left")
    return ", ".join(parts)


def _describe_time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
