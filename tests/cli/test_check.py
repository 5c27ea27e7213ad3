"""``oasis check`` on real videos, whole and broken."""

import json
import os
import shutil
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

SECONDS = 2
"""Length of the clips made here."""


@pytest.fixture(scope="session")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Encode a clip of two seconds whose header is at its start."""
    path = tmp_path_factory.mktemp("clips") / "clip.mp4"
    with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
        options = {"x264-params": "b-adapt=0:bframes=2:keyint=10:scenecut=0"}
        stream: Any = container.add_stream("libx264", rate=25, options=options)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        stream.codec_context.thread_count = 1
        noise = np.random.default_rng(0)
        for number in range(25 * SECONDS):
            frame = av.VideoFrame.from_ndarray(noise.integers(0, 255, (48, 64, 3), np.uint8))
            frame.pts, frame.time_base = number, Fraction(1, 25)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Encode a file that has sound and no pictures."""
    path = tmp_path_factory.mktemp("sound") / "sound.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("aac", rate=16000)
        for start in range(0, 8192, 1024):
            samples = np.zeros((1, 1024), np.float32)
            frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="mono")
            frame.sample_rate, frame.pts = 16000, start
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


@pytest.fixture
def videos(tmp_path: Path) -> Path:
    folder = tmp_path / "videos"
    folder.mkdir()
    return folder


@pytest.fixture
def ask(tmp_path: Path) -> Callable[..., Path]:
    """Write a file of questions, one about each video, with the columns given."""

    def write(*rows: Mapping[str, Any], name: str = "own.jsonl") -> Path:
        file = tmp_path / name
        common = {"question": "What is seen?", "choices": ["a dog", "a cat"], "answer": "B"}
        lines = (
            json.dumps({"id": f"s{number}", **common, **row}) for number, row in enumerate(rows)
        )
        file.write_text("\n".join(lines), encoding="utf-8")
        return file

    return write


def _kinds(done: Any, part: str = "failure") -> list[str | None]:
    (benchmark,) = json.loads(done.stdout)["benchmarks"]
    return [sample[part] and sample[part]["kind"] for sample in benchmark["samples"]]


def test_all_videos_are_there(
    oasis: Any, ask: Callable[..., Path], videos: Path, clip: Path
) -> None:
    shutil.copy(clip, videos / "-a b.mp4")
    (videos / "sub").mkdir()
    shutil.copy(clip, videos / "sub/c.MP4")
    file = ask({"video": "-a b.mp4"}, {"video": "-a b.mp4"}, {"video": "c.mp4"})
    done = oasis("check", file, "--videos", videos)
    assert done.returncode == 0, done.stderr
    assert "own: 3 samples, 3 with video, 0 without\n" in done.stdout
    assert "found, but not as published: 1 other folder\n" in done.stdout
    assert "--decode tries all frames" in done.stdout


def test_every_kind_of_failure_is_told_with_its_reason(
    oasis: Any, ask: Callable[..., Path], videos: Path, clip: Path, sound: Path, tmp_path: Path
) -> None:
    shutil.copy(clip, videos / "good.mp4")
    shutil.copy(sound, videos / "sound.mp4")
    (videos / "empty.mp4").touch()
    (videos / "page.mp4").write_text("<html>404</html>", encoding="utf-8")
    for folder, tail in (("p", b"1"), ("q", b"2")):
        (videos / folder).mkdir()
        (videos / folder / "two.mp4").write_bytes(clip.read_bytes() + tail)
    (videos / "link.mp4").symlink_to(clip)
    (videos / "frames").mkdir()
    (videos / "frames/1.jpg").write_bytes(b"no picture")
    os.mkfifo(videos / "pipe.mp4")
    expected = {
        "good.mp4": None,
        "sound.mp4": "no_video_stream",
        "empty.mp4": "empty",
        "page.mp4": "not_a_video",
        "two.mp4": "ambiguous",
        "link.mp4": "outside",
        "../clips/clip.mp4": "outside",
        "frames": "undecodable",
        "pipe.mp4": "not_a_file",
        "gone\n\x1b[31m.mp4": "missing",
    }
    file = ask(*({"video": name} for name in expected))
    done = oasis("check", file, "--videos", videos, "--json")
    assert done.returncode == 1, done.stderr
    assert _kinds(done) == list(expected.values())
    (benchmark,) = json.loads(done.stdout)["benchmarks"]
    assert (benchmark["n_samples"], benchmark["n_with_video"], benchmark["n_without_video"]) == (
        10,
        1,
        9,
    )
    assert benchmark["failures"]["outside"] == 2
    assert benchmark["samples"][0]["path"] == "good.mp4"

    text = oasis("check", file, "--videos", videos)
    assert text.returncode == 1
    assert "own: 10 samples, 1 with video, 9 without" in text.stdout
    for kind in set(expected.values()) - {None}:
        assert f"without video: {kind}, " in text.stdout
    assert "Links that lead out of it, not followed: " in text.stdout
    assert "\x1b" not in text.stdout
    assert str(tmp_path / "clips") not in text.stdout


def test_clip_windows_must_lie_in_the_video(
    oasis: Any, ask: Callable[..., Path], videos: Path, clip: Path
) -> None:
    shutil.copy(clip, videos / "a.mp4")
    windows = [(0.0, 2.0), (0.5, 2.4), (1.0, 9.0), (5.0, 9.0), (1.5, 0.5)]
    file = ask(
        *({"video": "a.mp4", "start": start, "end": end} for start, end in windows),
    )
    done = oasis(
        "check", file, "--videos", videos, "--json", "--map", "start_seconds=start",
        "--map", "end_seconds=end",
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert _kinds(done) == [None, None, None, "window", "window"]
    assert _kinds(done, "remark") == [None, None, "window_cut", None, None]


def test_only_decoding_finds_a_file_that_breaks_off(
    oasis: Any, ask: Callable[..., Path], videos: Path, clip: Path
) -> None:
    whole = clip.read_bytes()
    (videos / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    shutil.copy(clip, videos / "whole.mp4")
    damaged = bytearray(whole)
    middle = len(whole) // 2
    damaged[middle : middle + len(whole) // 4] = bytes(len(whole) // 4)
    (videos / "damaged.mp4").write_bytes(damaged)
    file = ask(
        {"video": "cut.mp4"},
        {"video": "cut.mp4", "start": 0.0, "end": 0.4},
        {"video": "whole.mp4"},
        {"video": "damaged.mp4"},
    )
    columns = ("--map", "start_seconds=start", "--map", "end_seconds=end")
    quick = oasis("check", file, "--videos", videos, "--json", *columns)
    assert _kinds(quick) == [None, None, None, None]
    assert quick.returncode == 0, quick.stderr
    done = oasis("check", file, "--videos", videos, "--json", "--decode", *columns)
    assert _kinds(done) == ["truncated", None, None, None]
    assert _kinds(done, "remark") == [None, None, None, "damaged"]
    assert done.returncode == 1


def test_folders_of_frames_are_checked(oasis: Any, ask: Callable[..., Path], videos: Path) -> None:
    folder = videos / "tvqa/frames_fps3_hq/clip_1"
    folder.mkdir(parents=True)
    for number in range(3):
        Image.new("RGB", (8, 8)).save(folder / f"{number}.jpg")
    (folder / "2.jpg").write_bytes(b"no picture")
    file = ask({"video": "tvqa/frames_fps3_hq/clip_1", "start": 0.0, "end": 9.0})
    columns = ("--map", "start_seconds=start", "--map", "end_seconds=end")
    quick = oasis("check", file, "--videos", videos, "--json", *columns)
    assert (_kinds(quick), _kinds(quick, "remark")) == ([None], ["window_unchecked"])
    assert _kinds(oasis("check", file, "--videos", videos, "--json", "--decode", *columns)) == [
        "undecodable"
    ]


def test_each_benchmark_is_counted_by_itself(
    oasis: Any, ask: Callable[..., Path], videos: Path, clip: Path
) -> None:
    shutil.copy(clip, videos / "a.mp4")
    one = ask({"video": "a.mp4"}, name="one.jsonl")
    two = ask({"video": "a.mp4"}, {"video": "b.mp4"}, {"video": "b.mp4"}, name="two.jsonl")
    done = oasis("check", one, two, "--videos", videos)
    assert done.returncode == 1
    assert "one: 1 samples, 1 with video, 0 without" in done.stdout
    assert "two: 3 samples, 1 with video, 2 without" in done.stdout
    assert "without video: missing, 2 samples on 1 video\n    s1 and 1 more: " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--videos", "videos"), "nothing to check"),
        (("own.jsonl", "--videos", "nowhere"), "expected the folder that holds the videos"),
        (("own.jsonl", "--videos", "own.jsonl"), "expected the folder that holds the videos"),
        (("own.jsonl",), "--videos"),
        (("nothing.jsonl", "--videos", "videos"), "no file or folder"),
        (("own.jsonl", "own.jsonl", "--videos", "videos"), "two benchmarks are called"),
    ],
)
@pytest.mark.usefixtures("videos")
def test_mistakes_are_told_in_one_message(
    oasis: Any, ask: Callable[..., Path], arguments: tuple[str, ...], message: str
) -> None:
    ask({"video": "a.mp4"})
    done = oasis("check", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
