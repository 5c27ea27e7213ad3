"""Audits that show frames, through real videos, worker processes and a real HTTP server."""

import base64
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from PIL import Image

DIAGNOSTICS = ("standard", "center_frame", "random_frame", "shuffle", "reverse", "chunk")


class OrderReader:
    """A server of the tests' own that answers B if it sees a brightening video, else A."""

    def __init__(self) -> None:
        self.shown: list[list[int]] = []
        reader = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply({"data": [{"id": "eyes"}]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                levels = list(map(read_level, list_pictures(body)))
                reader.shown.append(levels)
                letter = "B" if len(levels) > 1 and levels == sorted(levels) else "A"
                choice = {"message": {"content": letter}, "finish_reason": "stop"}
                self.reply({"choices": [choice]})

            def reply(self, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


def list_pictures(body: Any) -> list[bytes]:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return []
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def read_level(picture: bytes) -> int:
    with Image.open(io.BytesIO(picture)) as image:
        return round(float(np.asarray(image.convert("L")).mean()))


@pytest.fixture
def eyes() -> Iterator[OrderReader]:
    reader = OrderReader()
    thread = threading.Thread(target=reader.server.serve_forever, daemon=True)
    thread.start()
    yield reader
    reader.server.shutdown()
    reader.server.server_close()
    thread.join()


@pytest.fixture(scope="session")
def brightening(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A clip of four seconds that goes from black to white."""
    path = tmp_path_factory.mktemp("brightening") / "clip.mp4"
    with av.open(str(path), "w") as out:
        stream: Any = out.add_stream("libx264", rate=5)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for number in range(20):
            picture = np.full((48, 64, 3), 12 * number + 10, np.uint8)
            out.mux(stream.encode(av.VideoFrame.from_ndarray(picture)))
        out.mux(stream.encode(None))
    return path.read_bytes()


def write_benchmark(folder: Path, clip: bytes, n_videos: int) -> Path:
    """Write questions, one for each video, whose right answer is B, and the videos."""
    (folder / "videos").mkdir()
    rows = []
    for number in range(n_videos):
        # Each file a video of its own: bytes behind the last box change the content, not the clip.
        (folder / f"videos/clip{number}.mp4").write_bytes(clip + f"{number:08}".encode())
        rows.append(
            {
                "id": f"q{number}",
                "video": f"clip{number}.mp4",
                "question": f"Does scene {number} darken or brighten?",
                "options": ["darken", "brighten"],
                "answer": "B",
                "task": "light",
            }
        )
    file = folder / "questions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def arguments(eyes: OrderReader, *diagnostics: str) -> list[str]:
    flags = [flag for name in diagnostics for flag in ("--diagnostic", name)]
    return [
        "audit", "questions.jsonl", "--videos", "videos", "--out", "run",
        "--model", f"openai/eyes@{eyes.url}", *flags,
    ]  # fmt: skip


def accuracies(report: Any) -> dict[str, float]:
    return {
        row["diagnostic"]: row["accuracy"]
        for row in report["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }


def test_every_diagnostic_shows_a_model_what_it_says(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 6)
    done = oasis(*arguments(eyes, *DIAGNOSTICS), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    # Six videos, and eight chunks for each of them.
    assert Counter(map(len, eyes.shown)) == {4: 6, 1: 12, 20: 12, 2: 6 * 4, 3: 6 * 4}
    assert accuracies(report) == {
        "standard": 1.0,
        "center_frame": 0.0,
        "random_frame": 0.0,
        "shuffle": 0.0,
        "reverse": 0.0,
        "chunk": 1.0,
    }
    assert report["summary"]["tests"] == ["center_frame", "random_frame", "reverse", "shuffle"]
    assert report["settings"]["frames"]["max_frames"] == 128
    again = oasis("report", "run", "--json")
    assert json.loads(again.stdout)["summary"] == report["summary"]


def write_sound(path: Path) -> None:
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=16000)
        frame = av.AudioFrame.from_ndarray(
            np.zeros((1, 1024), np.float32), format="fltp", layout="mono"
        )
        frame.sample_rate = 16000
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))


def break_videos(videos: Path) -> dict[str, str]:
    """Break the first ten videos, each in its own way, and return the kinds of faults."""
    paths = [videos / f"clip{number}.mp4" for number in range(10)]
    whole = paths[0].read_bytes()
    paths[0].unlink()
    paths[1].write_bytes(b"")
    paths[2].write_bytes(b"<html>404 Not Found</html>")
    paths[3].write_bytes(os.urandom(4000))
    paths[4].write_bytes(whole[: len(whole) // 2])
    paths[5].unlink()
    paths[5].mkdir()
    paths[6].unlink()
    os.mkfifo(paths[6])
    paths[7].unlink()
    paths[7].symlink_to("nowhere.mp4")
    write_sound(paths[8])
    media = whole.index(b"mdat") + 4
    n_media = int.from_bytes(whole[media - 8 : media - 4], "big") - 8
    paths[9].write_bytes(whole[:media] + bytes(n_media) + whole[media + n_media :])
    kinds = ["missing", "empty", "not_a_video", "not_a_video", "not_a_video", "empty"]
    kinds += ["not_a_file", "missing", "no_video_stream", "undecodable"]
    return {path.name: kind for path, kind in zip(paths, kinds, strict=True)}


def test_of_200_clips_10_broken_ones_are_explained_and_190_answered(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 200)
    broken = break_videos(tmp_path / "videos")
    done = oasis(*arguments(eyes, "standard", "reverse"), "--json")
    assert done.returncode == 1, done.stderr
    assert "10 videos could not be shown; their 10 samples are counted as errors" in done.stderr
    report = json.loads(done.stdout)
    assert {video["path"]: video["kind"] for video in report["unusable_videos"]} == broken
    for video in report["unusable_videos"]:
        assert video["path"] in video["message"]
        assert f"{video['path']} ({video['kind']})" in done.stderr
    for row in report["summary"]["accuracy"]:
        if row["level"] == "benchmark":
            assert (row["n"], row["n_scored"], row["n_error"]) == (200, 190, 10)
    assert accuracies(report) == {"standard": 1.0, "reverse": 0.0}
    assert len(eyes.shown) == 380

    # The videos are mended: only what was lacking is asked.
    for name in broken:
        path = tmp_path / "videos" / name
        if path.is_dir():
            path.rmdir()
        else:
            path.unlink(missing_ok=True)
        path.write_bytes(brightening + name.encode())
    done = oasis("run", "run", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["unusable_videos"] == []


def count_files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def test_an_audit_killed_while_it_decodes_goes_on_where_it_stopped(
    oasis: Any, eyes: OrderReader, make_clip: Callable[..., Path], tmp_path: Path
) -> None:
    clip = make_clip("slow.mp4", n=200, size=(1280, 720), options={"preset": "ultrafast"})
    write_benchmark(tmp_path, clip.read_bytes(), 8)
    lists = tmp_path / "run/frames/decoded"
    command = [sys.executable, "-c", "from video_oasis.cli import main; main()"]
    command += arguments(eyes, "shuffle")
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while count_files(lists) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert eyes.shown == []
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / "run/frames").rglob("*.txt")}
    assert len(kept) >= 3
    done = oasis("run", "run")
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 8
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())


def test_a_dry_run_counts_frames_and_asks_and_decodes_nothing(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 3)
    done = oasis(*arguments(eyes, "standard", "chunk"), "--dry-run", "--json")
    rows = {row["diagnostic"]: row for row in json.loads(done.stdout)}
    assert {name: (row["to ask"], row["frames"]) for name, row in rows.items()} == {
        "standard": (3, 3 * 128),
        "chunk": (24, 3 * 128),
    }
    assert not (tmp_path / "run").exists()
    assert oasis(*arguments(eyes, "standard")).returncode == 0
    done = oasis(*arguments(eyes, "standard", "reverse"), "--dry-run", "--json")
    rows = {row["diagnostic"]: row for row in json.loads(done.stdout)}
    # Standard is answered; what reverse needs has not been decoded yet.
    assert (rows["standard"]["to ask"], rows["standard"]["frames"]) == (0, 0)
    assert rows["reverse"]["to ask"] == 3


def test_clips_too_short_for_a_test_are_counted_and_not_asked(
    oasis: Any, eyes: OrderReader, make_clip: Callable[..., Path], tmp_path: Path
) -> None:
    still = make_clip("still.mp4", n=1)
    write_benchmark(tmp_path, still.read_bytes(), 2)
    done = oasis(*arguments(eyes, "standard", "shuffle", "center_frame"), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [(row["diagnostic"], row["n_samples"]) for row in report["degenerate"]] == [
        ("shuffle", 2),
        ("center_frame", 2),
    ]
    assert "4 questions were not asked" in done.stderr
    assert accuracies(report).keys() == {"standard"}


def test_frames_without_a_folder_of_videos_are_a_clear_error(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 1)
    model = f"openai/eyes@{eyes.url}"
    done = oasis("audit", "questions.jsonl", "-d", "standard", "-m", model)
    assert done.returncode == 2
    assert "give it with --videos DIR" in done.stderr
    done = oasis("audit", "questions.jsonl", "-d", "standard", "-m", model, "--videos", "nowhere")
    assert done.returncode == 2
    assert "expected the folder that holds the videos" in done.stderr
    done = oasis("audit", "questions.jsonl", "-d", "standard", "--videos", "videos")
    assert done.returncode == 2
    assert "none of the models takes any" in done.stderr


def test_models_of_text_are_left_out_and_said_so(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 2)
    done = oasis(*arguments(eyes, "blind", "standard"), "-m", "learned/logistic", "--json")
    assert done.returncode == 0, done.stderr
    assert "learned/logistic takes text only and is not asked under standard" in done.stderr
    assert json.loads(done.stdout)["skipped"] == {"learned/logistic": ["standard"]}


def test_a_flag_that_no_model_reads_is_refused(oasis: Any, own_file: Path) -> None:
    done = oasis("audit", own_file, "--frames-as", "video")
    assert done.returncode == 2
    assert "--frames-as: none of the models has such a setting" in done.stderr
    done = oasis("audit", own_file, "--frames-as", "film")
    assert "expected one of images, video" in done.stderr


def test_runs_share_a_folder_of_frames(
    oasis: Any, eyes: OrderReader, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(tmp_path, brightening, 2)
    shared = ("--frames-folder", "kept")
    assert oasis(*arguments(eyes, "standard"), *shared).returncode == 0
    lists = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.txt")}
    second = ["two" if each == "run" else each for each in arguments(eyes, "standard")]
    assert oasis(*second, *shared).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.txt")} == lists
    assert not (tmp_path / "two/frames").exists()
