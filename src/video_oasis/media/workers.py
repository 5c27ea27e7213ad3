"""Works on many videos side by side, each in a worker process that may fail without harm."""

import os
import resource
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Final, Generic, Self, TypeVar

from pebble import ProcessExpired, ProcessPool

from video_oasis.media.extract import Extraction, VideoSource, extract_timelines
from video_oasis.media.frames import MediaFailure
from video_oasis.media.sampling import Sampling
from video_oasis.media.store import FrameStore

J = TypeVar("J")
R = TypeVar("R")

_VIDEOS_PER_WORKER: Final = 200
"""A worker is replaced after so many videos, so that what a decoder leaks does not add up."""
_OUT_OF_MEMORY: Final = 77
"""Exit code of a worker that was denied memory."""
_STARTING_SECONDS: Final = 60.0
"""A pool of which nothing is heard for so long, beyond what one video may take, is stuck: a worker
that is killed at a bad moment takes a lock along that the others wait for."""
_TRIES: Final = 3
"""A job whose workers die before they say that they have it is given up after so many."""


@dataclass(frozen=True, slots=True)
class _Attempt(Generic[J]):
    job: J
    number: int = 1


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one video may take.

    Attributes:
        workers: how many videos are worked on at the same time.
        time_seconds: a worker that takes longer over one video is killed.
        memory_bytes: address space of a worker; a decoder that asks for more gets none.
    """

    workers: int = os.cpu_count() or 1
    time_seconds: float = 900.0
    memory_bytes: int = 4 << 30

    def for_jobs(self, n_jobs: int) -> Self:
        """Return the same limits with no more workers than there are jobs.

        A worker that is still starting when the last video is done would complain of being stopped.
        """
        return replace(self, workers=max(1, min(self.workers, n_jobs)))


@dataclass(frozen=True, slots=True)
class VideoJob:
    """Everything that is asked of one video.

    Attributes:
        source: the video.
        samplings: the samplings wanted of it, all diagnostics' and all samples' together.
    """

    source: VideoSource
    samplings: tuple[Sampling, ...]


def extract_videos(
    jobs: Iterable[VideoJob], store: FrameStore, limits: WorkerLimits
) -> Iterator[tuple[VideoJob, Extraction]]:
    """Give each job's timelines as soon as its video is decoded, one decode for each video.

    A video whose worker dies, hangs or asks for too much memory fails with its reason, and the
    others go on. Jobs are taken from the iterable as workers become free. Frames decoded before the
    caller stops, or is killed, are in the store and are not decoded again.

    Args:
        jobs: one for each video; two jobs for one video would decode it twice.
        store: where the frames are kept.
        limits: what one video may take.

    Raises:
        RunError: the store cannot keep a frame.
    """
    work = partial(_extract_job, store.folder)
    for job, result in run_jobs(work, jobs, lambda job: job.source.path, limits):
        if isinstance(result, MediaFailure):
            yield job, dict.fromkeys(job.samplings, result)
        else:
            yield job, result


def _extract_job(store_folder: Path, job: VideoJob) -> Extraction:
    return extract_timelines(job.source, job.samplings, FrameStore(store_folder))


def _work_or_end(work: Callable[[J], R], job: J) -> R:
    try:
        return work(job)
    except MemoryError:
        # What the decoder still holds would be lacking to the next video.
        os._exit(_OUT_OF_MEMORY)


def _start_worker(memory_bytes: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard != resource.RLIM_INFINITY:
        memory_bytes = min(memory_bytes, hard)
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, hard))
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A parent that is killed cannot stop its workers, and one of them may hang for ever.
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def run_jobs(
    work: Callable[[J], R], jobs: Iterable[J], path_of: Callable[[J], Path], limits: WorkerLimits
) -> Iterator[tuple[J, R | MediaFailure]]:
    """Do some work on many videos in worker processes, and give each result as it comes.

    Args:
        work: what to do with a job; it and its results travel between processes.
        jobs: one for each video, taken as workers become free.
        path_of: the video a job is about, for messages.
        limits: what one video may take.
    """
    pool = _open_pool(limits)
    fresh = (_Attempt(job) for job in jobs)
    again: list[_Attempt[J]] = []
    running: dict[Future[R], _Attempt[J]] = {}
    try:
        while True:
            # One more than the workers, so that none waits for the caller.
            while len(running) <= limits.workers:
                attempt = again.pop() if again else next(fresh, None)
                if attempt is None:
                    break
                scheduled = pool.schedule(
                    _work_or_end, args=[work, attempt.job], timeout=limits.time_seconds
                )
                running[scheduled] = attempt
            if not running:
                break
            patience_seconds = limits.time_seconds + _STARTING_SECONDS
            done, _ = wait(running, timeout=patience_seconds, return_when=FIRST_COMPLETED)
            if not done or any(map(_is_lost, done)):
                # The pool does nothing more; which job is to blame, if any, it cannot say.
                pool.stop()  # type: ignore[no-untyped-call]
                pool.join()
                pool = _open_pool(limits)
                done = set(running)
            for future in done:
                attempt = running.pop(future)
                if _is_lost(future) and attempt.number < _TRIES:
                    again.append(_Attempt(attempt.job, attempt.number + 1))
                else:
                    result = _result(future, path_of(attempt.job), limits)
                    yield attempt.job, result
        # A worker that is stopped while it starts prints a traceback; all work is done here.
        pool.close()  # type: ignore[no-untyped-call]
    except BaseException:
        pool.stop()  # type: ignore[no-untyped-call]
        raise
    finally:
        pool.join()


def _open_pool(limits: WorkerLimits) -> ProcessPool:
    # Spawned, because a fork would copy the caller's threads' locks in whatever state they are.
    return ProcessPool(
        max_workers=limits.workers,
        max_tasks=_VIDEOS_PER_WORKER,
        initializer=_start_worker,
        initargs=[limits.memory_bytes],
        context=get_context("spawn"),
    )


def _is_lost(future: Future[R]) -> bool:
    """Tell whether a pool broke, or was stopped, before it said what became of a job."""
    if not future.done() or future.cancelled():
        return True
    return isinstance(future.exception(), BrokenProcessPool)


def _result(future: Future[R], path: Path, limits: WorkerLimits) -> R | MediaFailure:
    if _is_lost(future):
        return MediaFailure(
            "worker_died",
            f"{path}: workers died {_TRIES} times when it was their turn, and no cause is known. "
            "Replace the file, or give the machine more memory",
        )
    try:
        return future.result()
    except TimeoutError:
        return MediaFailure(
            "time_limit",
            f"{path}: not done after {limits.time_seconds:g} s, and its worker was stopped. Raise "
            "the time limit if the video is long; else replace the file",
        )
    except ProcessExpired as error:
        if error.exitcode == _OUT_OF_MEMORY:
            return MediaFailure(
                "memory_limit",
                f"{path}: decoding needs more than {limits.memory_bytes / 2**30:.1f} GiB. Raise "
                "the memory limit, or replace the file",
            )
        return MediaFailure(
            "worker_died",
            f"{path}: the worker that decoded it died (exit code {error.exitcode}). Replace the "
            "file, or re-encode it",
        )
