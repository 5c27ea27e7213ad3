"""Videos with spoken sentences, from file to transcript."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

from video_oasis.errors import AskInterrupted, ModelUnavailable, RunError
from video_oasis.media.audio import SAMPLE_RATE, Samples
from video_oasis.media.frames import MediaFailure
from video_oasis.media.workers import WorkerLimits
from video_oasis.speech.recognisers import open_recogniser
from video_oasis.speech.recognisers.interface import Heard, Recogniser
from video_oasis.speech.store import TranscriptStore
from video_oasis.speech.transcribe import (
    NO_SOUND,
    TranscribeProgress,
    transcribe_sound,
    transcribe_videos,
)
from video_oasis.speech.transcript import Segment, Transcript

MakeTalk = Callable[..., Path]
Speak = Callable[..., Any]

LIMITS = WorkerLimits(workers=2, time_seconds=60)
SENTENCE = "The dog runs into the garden."


class Listener:
    """A recogniser of the tests' own that hears what it is told to."""

    name = "listener/x"
    concurrency = 2
    longest_seconds = 60

    def __init__(
        self, hear: Callable[[Samples], list[Heard]] = lambda sound: [Heard(0, len(sound), "x")]
    ) -> None:
        self.n_checks = 0
        self.heard: list[Samples] = []
        self._hear = hear

    def describe(self) -> Mapping[str, Any]:
        return {"engine": "listener"}

    def check(self) -> None:
        self.n_checks += 1

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        self.heard.append(samples)
        yield from self._hear(samples)


@pytest.fixture
def store(tmp_path: Path) -> TranscriptStore:
    return TranscriptStore(tmp_path / "artifacts")


@pytest.fixture(scope="session")
def talk(tmp_path_factory: pytest.TempPathFactory, make_talk: MakeTalk, speak: Speak) -> Path:
    """Make a video with one sentence, one second in."""
    return make_talk(tmp_path_factory.mktemp("talk") / "talk.mp4", speak({1.0: SENTENCE}, 4))


def transcripts(
    paths: list[Path], recogniser: Recogniser, store: TranscriptStore, **how: Any
) -> dict[Path, Transcript | MediaFailure]:
    return dict(transcribe_videos(paths, recogniser, store, LIMITS, **how))


def copies(path: Path, folder: Path, n: int) -> list[Path]:
    """Copy a video with another last box each time, so that no two are the same."""
    made = []
    for number in range(n):
        box = (12).to_bytes(4, "big") + b"free" + number.to_bytes(4, "big")
        made.append(folder / f"copy {number}.mp4")
        made[-1].write_bytes(path.read_bytes() + box)
    return made


def sound_of(seconds: float, level: int = 1000) -> Any:
    return np.full(round(seconds * SAMPLE_RATE), level, np.int16)


def test_speech_is_written_down_with_the_times_of_the_video(
    whisper_tiny: Path,
    store: TranscriptStore,
    make_talk: MakeTalk,
    speak: Speak,
    make_clip: Callable[..., Path],
    tmp_path: Path,
) -> None:
    lines = {1.0: "The chef adds red peppers to the soup.", 8.0: SENTENCE}
    sound = speak(lines, 12)
    paths = [
        make_talk(tmp_path / "on time.mp4", sound),
        make_talk(tmp_path / "two seconds late.mp4", sound, sound_at=2.0),
        make_talk(tmp_path / "silence.mp4", sound_of(6, level=0)),
        make_talk(tmp_path / "hiss.mp4", speak({}, 6) + hiss(6)),
        make_clip("no sound.mp4", n=5),
    ]
    recogniser = open_recogniser(f"whisper/{whisper_tiny}")
    found = transcripts(paths, recogniser, store)
    for path, late in zip(paths[:2], (0.0, 2.0), strict=True):
        transcript = found[path]
        assert isinstance(transcript, Transcript)
        assert transcript.source == "whisper/model"
        assert "red peppers to the soup" in transcript.segments[0].text
        assert "runs into the garden" in transcript.segments[1].text
        starts = [segment.start_seconds for segment in transcript.segments]
        assert starts == pytest.approx([1.0 + late, 8.0 + late], abs=0.5)
        assert transcript.segments[1].end_seconds == pytest.approx(9.8 + late, abs=0.6)
    assert found[paths[2]] == found[paths[3]] == Transcript((), "whisper/model")
    assert found[paths[4]] == NO_SOUND


def hiss(n_seconds: int) -> Any:
    return np.random.default_rng(0).normal(0, 300, n_seconds * SAMPLE_RATE).astype(np.int16)


def test_what_is_kept_is_not_listened_to_again(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    first, second = copies(talk, tmp_path, 2)
    transcripts([first], Listener(), store)
    recogniser = Listener()
    renamed = first.rename(tmp_path / "renamed.mp4")
    found = transcripts([renamed, second], recogniser, store)
    assert found[renamed] == found[second] == Transcript((Segment(0, 4.032, "x"),), "listener/x")
    assert len(recogniser.heard) == 1
    again = Listener()
    assert transcripts([renamed, second], again, store) == found
    assert (again.heard, again.n_checks) == ([], 0)


def test_copies_of_a_video_are_listened_to_once(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    copy = Path(shutil.copy(talk, tmp_path / "copy.mp4"))
    seen: list[TranscribeProgress] = []
    recogniser = Listener()
    found = transcripts([talk, copy, talk], recogniser, store, listener=seen.append)
    assert len(recogniser.heard) == 1
    assert found[talk] == found[copy]
    assert seen == [TranscribeProgress(1), TranscribeProgress(1, n_done=1)]


def test_a_bad_file_fails_alone_and_is_tried_again(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    page = tmp_path / "page.mp4"
    page.write_text("<html>404</html>", encoding="utf-8")
    gone = tmp_path / "gone.mp4"
    seen: list[TranscribeProgress] = []
    found = transcripts([page, gone, talk, tmp_path], Listener(), store, listener=seen.append)
    kinds = {p: r.kind for p, r in found.items() if isinstance(r, MediaFailure)}
    assert kinds == {page: "not_a_video", gone: "missing"}
    assert found[tmp_path] == NO_SOUND
    assert isinstance(found[talk], Transcript)
    assert seen[-1] == TranscribeProgress(4, n_done=2, n_failed=2)
    page.write_bytes(talk.read_bytes() + (8).to_bytes(4, "big") + b"free")
    assert isinstance(transcripts([page], Listener(), store)[page], Transcript)


def test_a_fault_of_the_server_is_the_failure_of_its_video_and_is_not_kept(
    talk: Path, store: TranscriptStore
) -> None:
    def fail(_: Samples) -> list[Heard]:
        raise AskInterrupted("http_500", "the server answers HTTP 500")

    failure = transcripts([talk], Listener(fail), store)[talk]
    assert failure == MediaFailure("http_500", f"{talk}: the server answers HTTP 500")
    assert isinstance(transcripts([talk], Listener(), store)[talk], Transcript)


def test_a_recogniser_that_cannot_listen_ends_the_run(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    def fail(_: Samples) -> list[Heard]:
        raise ModelUnavailable("no memory on the GPU")

    with pytest.raises(ModelUnavailable, match="no memory"):
        transcripts(copies(talk, tmp_path, 5), Listener(fail), store)
    assert not store.folder.exists()


def test_sound_that_cannot_be_kept_ends_the_run(talk: Path, store: TranscriptStore) -> None:
    store.folder.write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be"):
        transcripts([talk], Listener(), store)


def test_sounds_are_listened_to_side_by_side(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    both = threading.Barrier(2, timeout=30)

    def wait(sound: Samples) -> list[Heard]:
        both.wait()
        return [Heard(0, len(sound), "x")]

    found = transcripts(copies(talk, tmp_path, 4), Listener(wait), store)
    assert all(isinstance(each, Transcript) for each in found.values())


def test_stopping_leaves_no_workers_and_no_sound_behind(
    talk: Path, store: TranscriptStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    results = transcribe_videos(copies(talk, tmp_path, 8), Listener(), store, LIMITS)
    next(results)
    assert list(scratch.iterdir())
    results.close()  # type: ignore[attr-defined]
    assert list(scratch.iterdir()) == []
    assert not _children_named(b"spawn_main", os.getpid())


def _children_named(what: bytes, pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            if int(fields[1]) == pid and what in (stat.parent / "cmdline").read_bytes():
                found.append(int(stat.parent.name))
        except OSError:
            continue
    return found


def test_killing_the_run_loses_no_transcript(
    talk: Path, store: TranscriptStore, tmp_path: Path
) -> None:
    paths = copies(talk, tmp_path, 6)
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            f"""
            import time
            from pathlib import Path
            from video_oasis.media.workers import WorkerLimits
            from video_oasis.speech.recognisers.interface import Heard
            from video_oasis.speech.store import TranscriptStore
            from video_oasis.speech.transcribe import transcribe_videos

            class Slow:
                name = "listener/x"
                concurrency = 1
                longest_seconds = 60

                def describe(self):
                    return {Listener().describe()!r}

                def check(self):
                    pass

                def transcribe(self, samples):
                    time.sleep(0.3)
                    yield Heard(0, len(samples), "x")

            if __name__ == "__main__":
                paths = [Path({str(tmp_path)!r}) / f"copy {{i}}.mp4" for i in range(6)]
                store = TranscriptStore(Path({str(store.folder)!r}))
                for _ in transcribe_videos(paths, Slow(), store, WorkerLimits(workers=1)):
                    pass
            """
        ),
        encoding="utf-8",
    )
    run = subprocess.Popen(
        [sys.executable, str(script)], env={**os.environ, "TMPDIR": str(tmp_path)}
    )
    deadline = time.monotonic() + 60
    while len(list(store.folder.rglob("*.json"))) < 2:
        assert time.monotonic() < deadline, "waited in vain"
        assert run.poll() is None, "it was done too soon"
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    n_kept = len(list(store.folder.rglob("*.json")))
    assert 2 <= n_kept < 6
    recogniser = Listener()
    found = transcripts(paths, recogniser, store)
    assert len(recogniser.heard) == 6 - n_kept
    assert set(found.values()) == {Transcript((Segment(0, 4.032, "x"),), "listener/x")}


def test_long_sound_is_cut_at_pauses_and_joined_with_its_own_times() -> None:
    sound = np.concatenate([sound_of(50), sound_of(1, level=1), sound_of(49)])
    recogniser = Listener(lambda part: [Heard(1.0, 2.0, f" {len(part) / SAMPLE_RATE:.0f} s ")])
    transcript = transcribe_sound(sound, recogniser, Event())
    # The parts end within the pause, after its first 0.2 s.
    assert [each.text for each in transcript.segments] == ["50 s", "50 s"]
    starts = [each.start_seconds for each in transcript.segments]
    assert starts == pytest.approx([1.0, 51.2], abs=0.02)
    assert max(part.max() for part in recogniser.heard) == pytest.approx(1000 / 32768)


def test_parts_of_zeros_are_not_listened_to() -> None:
    sound = np.concatenate([sound_of(60, level=0), sound_of(30)])
    recogniser = Listener()
    transcript = transcribe_sound(sound, recogniser, Event())
    assert len(recogniser.heard) == 1
    assert transcribe_sound(sound_of(70, level=0), recogniser, Event()).segments == ()
    assert transcribe_sound(sound_of(0), recogniser, Event()).segments == ()
    assert transcript.segments[0].end_seconds == 90


def test_what_recognisers_give_is_made_sound() -> None:
    given = [
        Heard(5.0, 99.0, "past the end"),
        Heard(-1.0, 2.0, "before the start"),
        Heard(4.0, 3.0, "backwards"),
        Heard(float("nan"), 1.0, "no time"),
        Heard(1.0, 2.0, " \n "),
    ]
    transcript = transcribe_sound(sound_of(10), Listener(lambda _: given), Event())
    assert transcript == Transcript(
        (
            Segment(0.0, 2.0, "before the start"),
            Segment(0.0, 10.0, "no time"),
            Segment(4.0, 4.0, "backwards"),
            Segment(5.0, 10.0, "past the end"),
        ),
        "listener/x",
    )


def test_a_sound_is_given_up_once_the_run_is_stopped() -> None:
    stopped = Event()

    def hear(_: Samples) -> list[Heard]:
        stopped.set()
        return [Heard(0.0, 1.0, "too late")]

    with pytest.raises(CancelledError):
        transcribe_sound(sound_of(10), Listener(hear), stopped)


def test_a_source_without_times_says_so() -> None:
    given = [Heard(0.0, 10.0, "some words", is_timed=False)]
    transcript = transcribe_sound(sound_of(10), Listener(lambda _: given), Event())
    assert transcript.source == "listener/x, with the times of whole stretches only"
