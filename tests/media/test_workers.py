import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from video_oasis.media.extract import Extraction, VideoSource, extract_timelines
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import CENTRE, PerSecond, Sampling, Uniform
from video_oasis.media.store import FrameStore
from video_oasis.media.workers import VideoJob, WorkerLimits, extract_videos

VIEWS = (Sampling(Uniform(8)), Sampling(CENTRE))
ALL = Sampling(Uniform(10_000))
LIMITS = WorkerLimits(workers=2, time_seconds=60)


@pytest.fixture
def store(tmp_path: Path) -> FrameStore:
    return FrameStore(tmp_path / "frames")


@pytest.fixture(scope="session")
def long_clip(make_clip: Callable[..., Path]) -> Path:
    """Make a clip of which all frames take seconds to keep."""
    return make_clip("long.mp4", n=400, size=(1280, 720), options={"preset": "ultrafast"})


def _job(path: Path, *samplings: Sampling) -> VideoJob:
    return VideoJob(VideoSource(path), samplings or VIEWS)


def _kinds(extraction: Extraction) -> set[str]:
    return {
        result.kind if isinstance(result, MediaFailure) else "ok" for result in extraction.values()
    }


def _children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def _workers_of(pid: int) -> list[int]:
    return [
        child
        for child in _children(pid)
        if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()
    ]


def _wait_until(condition: Callable[[], bool], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.02)


def _copies_apart(clip: Path, folder: Path, n: int) -> list[Path]:
    """Copy a clip with another last box each time, so that no two are the same video."""
    content = clip.read_bytes()
    paths = []
    for number in range(n):
        path = folder / f"clip {number}.mp4"
        path.write_bytes(content + (12).to_bytes(4, "big") + b"free" + number.to_bytes(4, "big"))
        paths.append(path)
    return paths


def _break(paths: list[Path], sound_only: bytes) -> dict[Path, str]:
    """Break ten clips, each in its own way, and say what each ought to be called."""
    whole = paths[0].read_bytes()
    header = whole.index(b"moov") - 4
    data = whole.index(b"mdat") + 4

    paths[0].unlink()
    paths[1].write_bytes(b"")
    paths[2].write_bytes(whole[: header // 2])
    paths[3].write_text("<html>404 Not Found</html>")
    paths[4].write_bytes(os.urandom(len(whole)))
    paths[5].write_bytes(whole[:data] + bytes(header - data) + whole[header:])
    paths[6].unlink()
    paths[6].mkdir()
    paths[7].unlink()
    os.mkfifo(paths[7])
    paths[8].write_bytes(sound_only)
    paths[9].unlink()
    paths[9].symlink_to("nowhere.mp4")
    kinds = [
        "missing",
        "empty",
        "not_a_video",
        "not_a_video",
        "not_a_video",
        "undecodable",
        "no_fps",
        "not_a_file",
        "no_video_stream",
        "missing",
    ]
    return dict(zip(paths, kinds, strict=False))


@pytest.fixture(scope="session")
def sound_only(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    import av
    import numpy as np

    path = tmp_path_factory.mktemp("sound") / "sound.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=16000)
        frame = av.AudioFrame.from_ndarray(
            np.zeros((1, 1024), np.float32), format="fltp", layout="mono"
        )
        frame.sample_rate = 16000
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path.read_bytes()


def test_of_200_clips_10_broken_ones_are_explained(
    clips: Mapping[str, Path], store: FrameStore, tmp_path: Path, sound_only: bytes
) -> None:
    paths = _copies_apart(clips["h264"], tmp_path, 200)
    broken = _break(paths[95:105], sound_only)
    results = {
        job.source.path: extraction
        for job, extraction in extract_videos(map(_job, paths), store, LIMITS)
    }
    assert Counter(kind for e in results.values() for kind in _kinds(e))["ok"] == 190
    for path, kind in broken.items():
        assert _kinds(results[path]) == {kind}
        for failure in results[path].values():
            assert isinstance(failure, MediaFailure)
            assert str(path) in failure.message
    for path in paths[:95]:
        for view, n in zip(VIEWS, (8, 1), strict=True):
            timeline = results[path][view]
            assert isinstance(timeline, Timeline)
            assert len(timeline.frames) == n


def test_a_video_that_takes_too_long_fails_and_the_others_go_on(
    clips: Mapping[str, Path], long_clip: Path, store: FrameStore
) -> None:
    jobs = [_job(long_clip, ALL), _job(clips["h264"]), _job(clips["hevc"])]
    limits = WorkerLimits(workers=1, time_seconds=0.5)
    results = {job.source.path: e for job, e in extract_videos(jobs, store, limits)}
    assert _kinds(results[long_clip]) == {"time_limit"}
    assert _kinds(results[clips["h264"]]) == _kinds(results[clips["hevc"]]) == {"ok"}


@pytest.mark.parametrize(
    ("sign", "kind"), [(signal.SIGSTOP, "time_limit"), (signal.SIGKILL, "worker_died")]
)
def test_a_worker_that_hangs_or_dies_in_a_decode_is_replaced(
    clips: Mapping[str, Path], long_clip: Path, store: FrameStore, sign: signal.Signals, kind: str
) -> None:
    def strike() -> None:
        _wait_until(lambda: any(store.folder.rglob("*.jpg")))
        for worker in _workers_of(os.getpid()):
            os.kill(worker, sign)

    striker = threading.Thread(target=strike)
    striker.start()
    jobs = [_job(long_clip, ALL), _job(clips["h264"])]
    limits = WorkerLimits(workers=1, time_seconds=3)
    results = {job.source.path: e for job, e in extract_videos(jobs, store, limits)}
    striker.join()
    assert _kinds(results[long_clip]) == {kind}
    assert _kinds(results[clips["h264"]]) == {"ok"}


def test_a_video_that_needs_too_much_memory_fails(
    clips: Mapping[str, Path], make_clip: Callable[..., Path], store: FrameStore
) -> None:
    huge = make_clip("huge.mp4", n=2, size=(8192, 8192), options={"preset": "ultrafast"})
    limits = WorkerLimits(workers=1, memory_bytes=600 << 20)
    jobs = [_job(huge), _job(clips["h264"])]
    results = {job.source.path: e for job, e in extract_videos(jobs, store, limits)}
    assert _kinds(results[huge]) == {"memory_limit"}
    assert _kinds(results[clips["h264"]]) == {"ok"}


@pytest.mark.parametrize(("n_strikes", "kind"), [(1, "ok"), (3, "worker_died")])
def test_a_worker_that_dies_before_it_has_a_job_is_replaced(
    clips: Mapping[str, Path], store: FrameStore, tmp_path: Path, n_strikes: int, kind: str
) -> None:
    paths = _copies_apart(clips["h264"], tmp_path, 3)
    struck: set[int] = set()

    def strike() -> None:
        while len(struck) < n_strikes:
            # So young a worker still imports what it needs.
            for worker in set(_workers_of(os.getpid())) - struck:
                struck.add(worker)
                os.kill(worker, signal.SIGKILL)
            time.sleep(0.02)

    striker = threading.Thread(target=strike)
    striker.start()
    limits = WorkerLimits(workers=1, time_seconds=10)
    results = {job.source.path: e for job, e in extract_videos(map(_job, paths), store, limits)}
    striker.join()
    assert [_kinds(results[path]) for path in paths[:2]] == [{kind}, {kind}]
    assert _kinds(results[paths[2]]) == {"ok"}


def test_jobs_are_taken_as_workers_become_free(
    clips: Mapping[str, Path], store: FrameStore, tmp_path: Path
) -> None:
    taken = 0

    def jobs() -> Iterator[VideoJob]:
        nonlocal taken
        for path in _copies_apart(clips["h264"], tmp_path, 20):
            taken += 1
            yield _job(path)

    results = extract_videos(jobs(), store, LIMITS)
    next(results)
    assert taken <= LIMITS.workers + 1
    results.close()  # type: ignore[attr-defined]
    assert not _workers_of(os.getpid())


def test_killing_the_run_loses_nothing_decoded(
    clips: Mapping[str, Path], store: FrameStore, tmp_path: Path
) -> None:
    paths = _copies_apart(clips["h264"], tmp_path, 60)
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            f"""
            from pathlib import Path
            from video_oasis.media.extract import VideoSource
            from video_oasis.media.sampling import Sampling, Uniform
            from video_oasis.media.store import FrameStore
            from video_oasis.media.workers import VideoJob, WorkerLimits, extract_videos

            if __name__ == "__main__":
                paths = [Path({str(tmp_path)!r}) / f"clip {{i}}.mp4" for i in range(60)]
                jobs = [VideoJob(VideoSource(p), (Sampling(Uniform(10_000)),)) for p in paths]
                store = FrameStore(Path({str(store.folder)!r}))
                for _ in extract_videos(jobs, store, WorkerLimits(workers=2)):
                    pass
            """
        ),
        encoding="utf-8",
    )
    run = subprocess.Popen([sys.executable, str(script)])
    _wait_until(lambda: len(list(store.folder.glob("decoded/*/*.txt"))) >= 5)
    workers = _workers_of(run.pid)
    assert workers
    for pid in [run.pid, *workers]:
        os.kill(pid, signal.SIGKILL)
    run.wait()

    lines = [
        line.split()
        for path in store.folder.glob("decoded/*/*.txt")
        for line in path.read_text().splitlines()
    ]
    # Of five lists that are there, the two workers' own may be as short as can be.
    assert len(lines) >= 60 * 3
    for _, digest in lines:
        store.read_picture(digest)

    for path in paths:
        assert _kinds(extract_timelines(VideoSource(path), [ALL], store)) == {"ok"}
    by_video = Counter(path.parent for path in store.folder.glob("decoded/*/*.txt"))
    n_lines = Counter(
        (path.parent, line.split()[0])
        for path in store.folder.glob("decoded/*/*.txt")
        for line in path.read_text().splitlines()
    )
    assert len(by_video) == 60
    assert len(n_lines) == 60 * 60
    assert set(n_lines.values()) == {1}, "a frame that was kept was decoded again"


def test_workers_end_with_the_run_that_started_them(
    long_clip: Path, store: FrameStore, tmp_path: Path
) -> None:
    script = tmp_path / "run.py"
    script.write_text(
        textwrap.dedent(
            f"""
            from pathlib import Path
            from video_oasis.media.extract import VideoSource
            from video_oasis.media.sampling import Sampling, Uniform
            from video_oasis.media.store import FrameStore
            from video_oasis.media.workers import VideoJob, WorkerLimits, extract_videos

            if __name__ == "__main__":
                job = VideoJob(VideoSource(Path({str(long_clip)!r})), (Sampling(Uniform(9999)),))
                store = FrameStore(Path({str(store.folder)!r}))
                list(extract_videos([job], store, WorkerLimits(workers=1)))
            """
        ),
        encoding="utf-8",
    )
    run = subprocess.Popen([sys.executable, str(script)])
    _wait_until(lambda: any(store.folder.rglob("*.jpg")))
    workers = _workers_of(run.pid)
    run.kill()
    run.wait()
    _wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def _resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096


def test_memory_stays_flat(make_clip: Callable[..., Path], tmp_path: Path) -> None:
    clip = make_clip("tiny.mp4", n=40, options={"g": "20", "preset": "ultrafast"})
    views = (*VIEWS, Sampling(PerSecond(1, 8)), ALL)
    resident = []
    for number in range(220):
        folder = tmp_path / str(number)
        assert _kinds(extract_timelines(VideoSource(clip), views, FrameStore(folder))) == {"ok"}
        shutil.rmtree(folder)
        resident.append(_resident_bytes())
    assert max(resident[80:]) - resident[80] < 4 << 20
