"""Shows how far a run has come: bars on a terminal, a plain line now and then elsewhere."""

import math
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
        started = {}

        def listen(progress: Progress) -> None:
            if progress.model not in tasks:
                tasks[progress.model] = bars.add_task(progress.model, rate="", failed="")
                started[progress.model] = time.monotonic()
            n_done = progress.n_answered + progress.n_failed
            bars.update(
                tasks[progress.model],
                total=progress.n_total,
                completed=n_done,
                rate=f"{n_done / max(time.monotonic() - started[progress.model], 1e-9):.1f}/s",
                failed=f"{progress.n_failed} failed" if progress.n_failed else "",
            )

        yield listen


class _PlainLines:
    """Writes a line per model when it begins, every few seconds, and when it is done."""

    def __init__(self) -> None:
        self._started: dict[str, float] = {}
        self._last_line: dict[str, float] = {}

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        started = self._started.setdefault(progress.model, now)
        n_done = progress.n_answered + progress.n_failed
        due = now - self._last_line.get(progress.model, -math.inf) >= _SECONDS_BETWEEN_LINES
        if due or n_done == progress.n_total:
            self._last_line[progress.model] = now
            sys.stderr.write(_describe(progress, seconds=now - started) + "\n")
            sys.stderr.flush()


def _describe(progress: Progress, *, seconds: float) -> str:
    n_done = progress.n_answered + progress.n_failed
    parts = [f"{progress.model}: {n_done} of {progress.n_total}"]
    if not n_done or not seconds:
        return parts[0]
    rate = n_done / seconds
    parts.append(f"{rate:.1f} a second")
    if progress.n_failed:
        parts.append(f"{progress.n_failed} failed")
    if n_done < progress.n_total:
        parts.append(f"{_describe_time((progress.n_total - n_done) / rate)} left")
    return ", ".join(parts)


def _describe_time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 90 * 60:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
