"""Writes down what is said in many videos, each once, and keeps it.

Worker processes decode the sound of the videos into files of 16-bit samples, 115 MB for an hour,
which are gone when they have been listened to: a video that makes a decoder hang or die harms
nothing. The recogniser listens in this process, so that its weights are loaded once.
"""

import math
import tempfile
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from threading import Event
from typing import Final, cast

import numpy as np
import numpy.typing as npt

from video_oasis.errors import AskError, MediaError, RunError
from video_oasis.media.audio import SAMPLE_RATE, read_sound_blocks
from video_oasis.media.container import unreadable
from video_oasis.media.frames import MediaFailure
from video_oasis.media.identity import identify_video
from video_oasis.media.workers import WorkerLimits, run_jobs
from video_oasis.speech.cuts import cut_where_quiet
from video_oasis.speech.recognisers.interface import Heard, Recogniser, recogniser_id
from video_oasis.speech.store import TranscriptStore
from video_oasis.speech.transcript import Segment, Transcript

NO_SOUND: Final = Transcript((), "no sound")
"""The transcript of a video without an audio stream."""

_FULL_SCALE: Final = 32768
_UNTIMED: Final = "with the times of whole stretches only"


@dataclass(frozen=True, slots=True)
class TranscribeProgress:
    """How far the videos have come.

    Attributes:
        n_videos: videos to listen to; copies of one count once.
        n_done: of which there is a transcript.
        n_failed: of which there is none.
    """

    n_videos: int
    n_done: int = 0
    n_failed: int = 0


Listener = Callable[[TranscribeProgress], None]

_Result = Transcript | MediaFailure


@dataclass(frozen=True, slots=True)
class _Job:
    """A video to listen to, by its content id and one of its places."""

    video: str
    path: Path


def transcribe_videos(
    paths: Iterable[Path],
    recogniser: Recogniser,
    store: TranscriptStore,
    limits: WorkerLimits,
    *,
    listener: Listener = lambda _progress: None,
) -> Iterator[tuple[Path, Transcript | MediaFailure]]:
    """Give the transcript of each video as it comes, those that are kept already first.

    A video whose sound cannot be decoded fails with its reason, and so does one that the
    recogniser's server brings no answer for; the others go on, and the next run tries again. A
    transcript is kept before it is given, so what was given is never listened to again.

    Args:
        paths: video files; a folder of images has no sound.
        recogniser: what listens; it is only checked if there is something to listen to.
        store: where transcripts are kept.
        limits: what decoding the sound of one video may take.
        listener: told how far it has come.

    Raises:
        ModelUnavailable: the recogniser cannot listen.
        RunError: a transcript or the sound of a video cannot be kept.
    """
    made_by = recogniser_id(recogniser)
    results: dict[str, _Result] = {}
    places: dict[str, list[Path]] = {}
    for path in dict.fromkeys(paths):
        video, known = _look_up(path, store, made_by)
        places.setdefault(video, []).append(path)
        if known is not None:
            results[video] = known
    jobs = [_Job(video, where[0]) for video, where in places.items() if video not in results]
    if jobs:
        recogniser.check()
    progress = TranscribeProgress(len(places))
    listener(progress)
    for video, result in chain(results.items(), _transcribe(jobs, recogniser, store, limits)):
        if isinstance(result, Transcript):
            progress = replace(progress, n_done=progress.n_done + 1)
        else:
            progress = replace(progress, n_failed=progress.n_failed + 1)
        listener(progress)
        for path in places[video]:
            yield path, result


def _look_up(path: Path, store: TranscriptStore, recogniser: str) -> tuple[str, _Result | None]:
    """Return the video's content id, or its path for want of one, and what is known of it."""
    try:
        if path.is_dir():
            return str(path), NO_SOUND
        video = identify_video(path)
    except MediaError as error:
        return str(path), MediaFailure(error.kind, str(error))
    except OSError as error:
        return str(path), MediaFailure("unreadable", str(unreadable(path, error)))
    return video, store.load(video, recogniser)


def _transcribe(
    jobs: Sequence[_Job], recogniser: Recogniser, store: TranscriptStore, limits: WorkerLimits
) -> Iterator[tuple[str, _Result]]:
    if not jobs:
        return
    limits = limits.for_jobs(len(jobs))
    stopped = Event()
    listening: dict[Future[_Result], _Job] = {}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="oasis-sound-")))
        pool = stack.enter_context(ThreadPoolExecutor(recogniser.concurrency))
        stack.callback(pool.shutdown, wait=False, cancel_futures=True)
        stack.callback(stopped.set)
        decoding = run_jobs(partial(_decode, folder), jobs, lambda job: job.path, limits)
        stack.callback(cast("Generator[object]", decoding).close)
        for job, sound in decoding:
            if isinstance(sound, MediaFailure):
                yield job.video, sound
                continue
            # One more than are listened to, so that none waits for a decoder.
            while len(listening) > recogniser.concurrency:
                yield from _finished(listening)
            listening[pool.submit(_listen, job, sound, recogniser, store, stopped)] = job
        while listening:
            yield from _finished(listening)


def _finished(listening: dict[Future[_Result], _Job]) -> Iterator[tuple[str, _Result]]:
    """Wait until something has been listened to, and take it out."""
    for future in wait(listening, return_when=FIRST_COMPLETED).done:
        yield listening.pop(future).video, future.result()


def _decode(folder: Path, job: _Job) -> Path | MediaFailure | None:
    """Write the sound of a video to a file of 16-bit samples; None if it has none.

    Raises:
        RunError: the file cannot be written.
    """
    file = folder / f"{job.video}.s16"
    try:
        blocks = read_sound_blocks(job.path)
        if blocks is None:
            return None
        with file.open("wb") as out:
            for block in blocks:
                scaled = np.rint(block * _FULL_SCALE).clip(-_FULL_SCALE, _FULL_SCALE - 1)
                out.write(scaled.astype(np.int16).tobytes())
    except MediaError as error:
        file.unlink(missing_ok=True)
        return MediaFailure(error.kind, str(error))
    except OSError as error:
        raise RunError(
            f"{file}: decoded sound cannot be kept there ({error.strerror}). Free space, or set "
            "TMPDIR to a folder with room for 115 MB for each hour of sound"
        ) from error
    return file


def _listen(
    job: _Job, file: Path | None, recogniser: Recogniser, store: TranscriptStore, stopped: Event
) -> _Result:
    """Write down what is said in a decoded sound, and keep it."""
    transcript = NO_SOUND
    if file is not None:
        try:
            # A file without a byte cannot be mapped.
            sound = np.memmap(file, np.int16, "r") if file.stat().st_size else np.zeros(0, np.int16)
            transcript = transcribe_sound(sound, recogniser, stopped)
        except AskError as error:
            return MediaFailure(error.kind, f"{job.path}: {error}")
        finally:
            file.unlink()
    store.keep(job.video, recogniser, transcript)
    return transcript


def transcribe_sound(
    sound: npt.NDArray[np.int16], recogniser: Recogniser, stopped: Event
) -> Transcript:
    """Write down what is said in a sound, in parts no longer than the recogniser takes.

    Parts are cut where it is quiet and do not overlap, so what is heard in them is joined in order
    with their starts added. Parts of nothing but zeros are not listened to.

    Args:
        sound: samples at 16 kHz.
        recogniser: what listens.
        stopped: once set, the work ends soon with ``CancelledError``.

    Raises:
        AskError: the recogniser brings no answer for one of the parts.
        ModelUnavailable: the recogniser cannot listen.
    """
    segments: list[Segment] = []
    is_timed = True
    for start, end in cut_where_quiet(sound, recogniser.longest_seconds * SAMPLE_RATE):
        part = np.divide(sound[start:end], _FULL_SCALE, dtype=np.float32)
        for heard in recogniser.transcribe(part) if part.any() else ():
            if stopped.is_set():
                raise CancelledError
            segment = _to_segment(heard, start / SAMPLE_RATE, len(part) / SAMPLE_RATE)
            if segment is not None:
                segments.append(segment)
                is_timed = is_timed and heard.is_timed
    segments.sort(key=lambda segment: segment.start_seconds)
    return Transcript(
        tuple(segments), recogniser.name if is_timed else f"{recogniser.name}, {_UNTIMED}"
    )


def _to_segment(heard: Heard, offset_seconds: float, length_seconds: float) -> Segment | None:
    """Make sound what a recogniser gave: times within the part and in order, text that is some."""
    text = heard.text.strip()
    if not text:
        return None
    begin, end = heard.start_seconds, heard.end_seconds
    if not (math.isfinite(begin) and math.isfinite(end)):
        begin, end = 0.0, length_seconds
    begin = min(max(begin, 0.0), length_seconds)
    end = min(max(end, begin), length_seconds)
    return Segment(round(offset_seconds + begin, 3), round(offset_seconds + end, 3), text)
