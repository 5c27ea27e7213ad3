"""Preparing: each video decoded once for all who ask, each failure a reason, kept in a file."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.errors import RunError
from video_oasis.evidence.timeline_file import read_timelines, write_timelines
from video_oasis.evidence.timelines import BenchmarkVideos, PrepareProgress, prepare_timelines
from video_oasis.evidence.wanted import TakeFrames, TimelineKey, list_wanted
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.locate import index_folder
from video_oasis.media.store import FrameStore
from video_oasis.media.workers import WorkerLimits
from video_oasis.schema import Sample, Video

LIMITS = WorkerLimits(workers=1, time_seconds=60)
SETTINGS = FrameSettings()
MakeSample = Callable[..., Sample]


@pytest.fixture
def videos(tmp_path: Path, make_clip: Callable[..., Path]) -> Path:
    """A folder with a clip of four seconds, a broken file and a folder of six images."""
    folder = tmp_path / "videos"
    folder.mkdir()
    clip = make_clip("four_seconds.mp4", n=100, options={"g": "25", "bf": "2"})
    (folder / "a.mp4").write_bytes(clip.read_bytes())
    (folder / "broken.mp4").write_bytes(b"<html>404 Not Found</html>")
    return folder


def takers(*names: str) -> list[TakeFrames]:
    return [taker for name in names if (taker := DIAGNOSTICS[name].sampling) is not None]


def prepare(
    samples: Sequence[Sample], names: Sequence[str], videos: Path, store: FrameStore, **place: Any
) -> tuple[dict[TimelineKey, Timeline | MediaFailure], list[PrepareProgress]]:
    seen: list[PrepareProgress] = []
    timelines = prepare_timelines(
        {"bench": BenchmarkVideos(index_folder(videos), samples, **place)},
        list_wanted(samples, takers(*names), SETTINGS),
        store,
        LIMITS,
        listener=seen.append,
    )
    return timelines, seen


def test_what_is_wanted_is_listed_once(make_sample: MakeSample) -> None:
    diagnostics = takers("standard", "shuffle", "reverse")
    same_clip = [make_sample(id=f"s{i}") for i in range(3)]
    wanted = list_wanted(same_clip, diagnostics, SETTINGS)
    # Standard wants one timeline, shuffle and reverse share another.
    assert len(wanted) == 2
    windowed = make_sample(id="s4", video=Video("v1.mp4", 1.0, 2.0))
    assert len(list_wanted([*same_clip, windowed], diagnostics, SETTINGS)) == 4
    random_frame = takers("random_frame")
    assert len(list_wanted(same_clip, random_frame, SETTINGS)) == 3


def test_every_sampling_of_a_video_is_given_from_one_look(
    videos: Path, make_sample: MakeSample, tmp_path: Path, read_number: Callable[[Path], int]
) -> None:
    samples = [
        make_sample(id="whole", video=Video("a.mp4")),
        make_sample(id="part", video=Video("a.mp4", 2.0, 4.0)),
        make_sample(id="renamed", video=Video("a.avi")),
        make_sample(id="broken", video=Video("broken.mp4")),
        make_sample(id="missing", video=Video("missing.mp4")),
    ]
    store = FrameStore(tmp_path / "frames")
    timelines, seen = prepare(samples, ("standard", "center_frame"), videos, store)
    numbers = {
        (key.path, len(result.frames)): [
            read_number(store.picture_path(frame.digest)) for frame in result.frames
        ]
        for key, result in timelines.items()
        if isinstance(result, Timeline) and key.path == "a.mp4" and len(result.frames) > 1
    }
    # 25 frames a second: one second's middle is frame 12, as 0.5 s lies within its duration.
    assert numbers == {("a.mp4", 4): [12, 37, 62, 87], ("a.mp4", 2): [62, 87]}
    failures = Counter(
        (key.path, result.kind)
        for key, result in timelines.items()
        if isinstance(result, MediaFailure)
    )
    assert failures == {
        ("broken.mp4", "not_a_video"): 2,
        ("missing.mp4", "missing"): 2,
        ("a.avi", "missing"): 2,
    }
    assert seen[-1] == PrepareProgress(n_videos=4, n_done=1, n_failed=3)


def test_the_clip_window_is_described(
    videos: Path, make_sample: MakeSample, tmp_path: Path
) -> None:
    samples = [make_sample(video=Video("a.mp4", 1.0, 9.0))]
    timelines, _ = prepare(samples, ("center_frame",), videos, FrameStore(tmp_path / "frames"))
    (timeline,) = timelines.values()
    assert isinstance(timeline, Timeline)
    assert (timeline.window_seconds, timeline.n_window_frames) == (3.0, 75)


def test_a_folder_of_images_needs_a_rate(
    videos: Path, make_sample: MakeSample, tmp_path: Path, paint: Callable[..., Any]
) -> None:
    from PIL import Image

    (videos / "stills").mkdir()
    for number in range(6):
        Image.fromarray(paint(number, 64, 48)).save(videos / "stills" / f"{number}.png")
    samples = [make_sample(video=Video("stills"))]
    store = FrameStore(tmp_path / "frames")
    timelines, _ = prepare(samples, ("standard",), videos, store)
    (failure,) = timelines.values()
    assert isinstance(failure, MediaFailure)
    assert failure.kind == "no_fps"
    timelines, _ = prepare(samples, ("standard",), videos, store, images_fps=3.0)
    (timeline,) = timelines.values()
    assert isinstance(timeline, Timeline)
    assert [frame.seconds for frame in timeline.frames] == [1 / 3, 4 / 3]


def test_what_came_of_the_videos_is_read_back_as_it_was(
    videos: Path, make_sample: MakeSample, tmp_path: Path
) -> None:
    samples = [
        make_sample(id="s1", video=Video("a.mp4")),
        make_sample(id="s2", video=Video("missing.mp4")),
    ]
    names = ("standard", "shuffle", "random_frame")
    timelines, _ = prepare(samples, names, videos, FrameStore(tmp_path / "frames"))
    file = tmp_path / "timelines.parquet"
    write_timelines(timelines, file)
    wanted = list_wanted(samples, takers(*names), SETTINGS)
    assert read_timelines(file, wanted) == timelines
    some = list_wanted(samples[:1], takers("standard"), SETTINGS)
    assert read_timelines(file, some) == {key: timelines[key] for key in some}


def test_an_absent_file_says_nothing_and_a_damaged_one_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "timelines.parquet"
    assert read_timelines(file, {}) == {}
    file.write_bytes(b"PAR1 not really")
    with pytest.raises(RunError, match="cannot be read"):
        read_timelines(file, {})


def test_nothing_wanted_writes_a_file_that_reads_back_empty(tmp_path: Path) -> None:
    file = tmp_path / "timelines.parquet"
    write_timelines({}, file)
    assert read_timelines(file, {}) == {}
