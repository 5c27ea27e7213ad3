"""Audits that show frames, through real videos, worker processes and a real HTTP server."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import numpy as np

DIAGNOSTICS = ("standard", "center_frame", "random_frame", "shuffle", "reverse", "chunk")


def accuracies(report: Any) -> dict[str, float]:
    return {
        row["diagnostic"]: row["accuracy"]
        for row in report["summary"]["accuracy"]
        if row["level"] == "benchmark"
    }


def test_every_diagnostic_shows_a_model_what_it_says(
    oasis: Any,
    eyes: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    brightening: bytes,
) -> None:
    write_benchmark(brightening, 6)
    done = oasis(*frames_arguments(*DIAGNOSTICS), "--json")
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
    return {path.name: f"video_{kind}" for path, kind in zip(paths, kinds, strict=True)}


def test_of_200_clips_10_broken_ones_are_explained_and_190_answered(
    oasis: Any,
    eyes: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    brightening: bytes,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 200)
    broken = break_videos(tmp_path / "videos")
    done = oasis(*frames_arguments("standard", "reverse"), "--json")
    assert done.returncode == 1, done.stderr
    assert "10 videos without what a test shows; 10 samples counted as errors" in done.stderr
    report = json.loads(done.stdout)
    assert {video["path"]: video["reason"] for video in report["lacking"]} == broken
    for video in report["lacking"]:
        assert video["path"] in video["message"]
        assert f"{video['path']} ({video['reason']})" in done.stderr
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
    assert json.loads(done.stdout)["lacking"] == []


def count_files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def test_an_audit_killed_while_it_decodes_goes_on_where_it_stopped(
    oasis: Any,
    eyes: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    make_clip: Callable[..., Path],
    tmp_path: Path,
) -> None:
    clip = make_clip("slow.mp4", n=200, size=(1280, 720), options={"preset": "ultrafast"})
    write_benchmark(clip.read_bytes(), 8)
    lists = tmp_path / "run/frames/decoded"
    command = [sys.executable, "-c", "from video_oasis.cli import main; main()"]
    command += frames_arguments("shuffle")
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE) as process:
        deadline = time.monotonic() + 60
        while count_files(lists) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
    assert eyes.shown == []
    kept = {path: path.read_bytes() for path in lists.rglob("*.txt")}
    assert len(kept) >= 3
    n_kept = sum(content.count(b"\n") for content in kept.values())
    done = oasis("run", "run")
    assert done.returncode == 0, done.stderr
    assert len(eyes.shown) == 8
    # Workers write on for a moment after their parent is killed, so a list may have grown.
    assert all(path.read_bytes().startswith(content) for path, content in kept.items())
    n_lines = sum(path.read_bytes().count(b"\n") for path in lists.rglob("*.txt"))
    assert n_lines == 8 * 128 > n_kept > 0


def test_a_dry_run_counts_frames_and_asks_and_decodes_nothing(
    oasis: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    brightening: bytes,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 3)
    done = oasis(*frames_arguments("standard", "chunk"), "--dry-run", "--json")
    rows = {row["diagnostic"]: row for row in json.loads(done.stdout)}
    assert {name: (row["to ask"], row["frames"]) for name, row in rows.items()} == {
        "standard": (3, 3 * 128),
        "chunk": (24, 3 * 128),
    }
    assert not (tmp_path / "run").exists()
    assert oasis(*frames_arguments("standard")).returncode == 0
    done = oasis(*frames_arguments("standard", "reverse"), "--dry-run", "--json")
    rows = {row["diagnostic"]: row for row in json.loads(done.stdout)}
    # Standard is answered; what reverse needs has not been decoded yet.
    assert (rows["standard"]["to ask"], rows["standard"]["frames"]) == (0, 0)
    assert rows["reverse"]["to ask"] == 3


def test_clips_too_short_for_a_test_are_counted_and_not_asked(
    oasis: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    make_clip: Callable[..., Path],
) -> None:
    still = make_clip("still.mp4", n=1)
    write_benchmark(still.read_bytes(), 2)
    done = oasis(*frames_arguments("standard", "shuffle", "center_frame"), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    columns = ("diagnostic", "reason", "n_samples")
    assert [tuple(row[name] for name in columns) for row in report["excluded"]] == [
        ("shuffle", "withholds_nothing", 2),
        ("center_frame", "withholds_nothing", 2),
    ]
    assert "4 questions were not asked" in done.stderr
    assert accuracies(report).keys() == {"standard"}


def test_videos_that_are_gone_do_not_turn_answers_into_errors(
    oasis: Any,
    eyes: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    brightening: bytes,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 3)
    assert oasis(*frames_arguments("standard")).returncode == 0
    for path in (tmp_path / "videos").iterdir():
        path.unlink()
    done = oasis("run", "run", "--json")
    assert done.returncode == 0, done.stderr
    assert accuracies(json.loads(done.stdout)) == {"standard": 1.0}
    # Nor does an audit of something else in the same run.
    assert oasis(*frames_arguments("blind")).returncode == 0
    done = oasis(*frames_arguments("standard"), "--json")
    assert done.returncode == 0, done.stderr
    assert accuracies(json.loads(done.stdout)) == {"standard": 1.0}
    assert len(eyes.shown) == 3 + 3


def test_one_model_under_two_names_is_refused(
    oasis: Any, eyes: Any, write_benchmark: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 1)
    model = f'[[models]]\nmodel = "openai/eyes@{eyes.url}"\nname = '
    (tmp_path / "audit.toml").write_text(
        f'[[benchmarks]]\npath = "questions.jsonl"\n{model}"a"\n{model}"b"\n'
    )
    done = oasis("audit", "--settings", "audit.toml")
    assert done.returncode == 2
    assert "models 'a' and 'b' are one" in done.stderr
    (tmp_path / "audit.toml").write_text(
        f'[[benchmarks]]\npath = "questions.jsonl"\n{model}"a"\n{model}"b"\nrevision = "2"\n'
    )
    assert oasis("audit", "--settings", "audit.toml").returncode == 0


def test_a_threshold_beyond_every_test_is_refused(oasis: Any, own_file: Path) -> None:
    done = oasis("audit", own_file, "--threshold", 4)
    assert done.returncode == 2
    assert "threshold is 4, and the largest test has 3 models" in done.stderr


def test_a_diagnostic_named_twice_is_refused(oasis: Any, own_file: Path) -> None:
    done = oasis("audit", own_file, "-d", "blind", "-d", "blind")
    assert done.returncode == 2
    assert "diagnostic blind is named twice" in done.stderr


def test_a_file_without_a_column_of_videos_is_said_so(oasis: Any, tmp_path: Path) -> None:
    row = {"id": "a", "question": "Why?", "options": ["x", "y"], "answer": "A"}
    (tmp_path / "plain.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "videos").mkdir()
    done = oasis("audit", "plain.jsonl", "-d", "center_frame", "--videos", "videos")
    assert done.returncode == 2
    assert "no column says so; name it with --map video=COLUMN" in done.stderr


def test_frames_without_a_folder_of_videos_are_a_clear_error(
    oasis: Any,
    eyes: Any,
    write_benchmark: Any,
    brightening: bytes,
) -> None:
    write_benchmark(brightening, 1)
    model = f"openai/eyes@{eyes.url}"
    done = oasis("audit", "questions.jsonl", "-d", "standard", "-m", model)
    assert done.returncode == 2
    assert "give it with --videos DIR" in done.stderr
    done = oasis("audit", "questions.jsonl", "-d", "standard", "-m", model, "--videos", "nowhere")
    assert done.returncode == 2
    assert "expected the folder that holds the videos" in done.stderr
    done = oasis("audit", "questions.jsonl", "-d", "bag_of_frames", "-m", model)
    assert done.returncode == 2
    assert "none of the models can take what it shows" in done.stderr


def test_a_model_of_text_is_left_out_and_said_so(
    oasis: Any, eyes: Any, write_benchmark: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 2)
    (tmp_path / "audit.toml").write_text(
        f"""
        diagnostics = ["blind", "standard"]
        [[benchmarks]]
        path = "questions.jsonl"
        videos = "videos"
        [[models]]
        model = "openai/eyes@{eyes.url}"
        [[models]]
        model = "openai/eyes@{eyes.url}"
        name = "reader"
        revision = "text only"
        max_frames = 0
        """
    )
    done = oasis("audit", "--settings", "audit.toml", "--out", "run", "--json")
    assert done.returncode == 0, done.stderr
    assert "reader cannot take what is shown under standard" in done.stderr
    assert json.loads(done.stdout)["skipped"] == {"reader": ["standard"]}


def test_the_embedded_models_see_frames_without_any_server(
    oasis: Any, write_benchmark: Any, brightening: bytes
) -> None:
    write_benchmark(brightening, 12)
    done = oasis(
        "audit", "questions.jsonl", "--videos", "videos", "--out", "run",
        "-d", "blind", "-d", "standard", "-d", "bag_of_frames", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answered = {
        (row["diagnostic"], row["model"])
        for row in json.loads(done.stdout)["summary"]["accuracy"]
        if row["n_scored"] == 12
    }
    models = {f"learned/{name}" for name in ("logistic", "forest", "neighbours")}
    shown = {"blind", "standard", "bag_of_frames"}
    assert answered == {(diagnostic, model) for diagnostic in shown for model in models}


def test_a_flag_that_no_model_reads_is_refused(oasis: Any, own_file: Path) -> None:
    done = oasis("audit", own_file, "--frames-as", "video")
    assert done.returncode == 2
    assert "--frames-as: none of the models has such a setting" in done.stderr
    done = oasis("audit", own_file, "--frames-as", "film")
    assert "expected one of images, video" in done.stderr


def test_runs_share_a_folder_of_frames(
    oasis: Any,
    write_benchmark: Any,
    frames_arguments: Any,
    brightening: bytes,
    tmp_path: Path,
) -> None:
    write_benchmark(brightening, 2)
    shared = ("--frames-folder", "kept")
    assert oasis(*frames_arguments("standard"), *shared).returncode == 0
    lists = {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.txt")}
    second = ["two" if each == "run" else each for each in frames_arguments("standard")]
    assert oasis(*second, *shared).returncode == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "kept").rglob("*.txt")} == lists
    assert not (tmp_path / "two/frames").exists()


def test_a_run_is_distilled_and_the_set_can_be_checked(
    oasis: Any, write_benchmark: Any, frames_arguments: Any, brightening: bytes, tmp_path: Path
) -> None:
    write_benchmark(brightening, 3)
    (tmp_path / "videos/clip2.mp4").unlink()
    assert oasis(*frames_arguments("standard", "reverse")).returncode == 1
    done = oasis("distil", "run", "--json")
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    # Backwards the server answers A, which is wrong: no shortcut. Clip 2 has no answer.
    assert (counts["kept"], counts["dropped"], counts["undecided"]) == (2, 0, 1)
    assert oasis("distil", "run", "--verify").returncode == 0
    kept = tmp_path / "run/distilled/kept.jsonl"
    kept.write_text("")
    done = oasis("distil", "run", "--verify")
    assert done.returncode == 1
    assert "kept: 2 only in the run: q0, q1" in done.stdout
    assert oasis("distil", "run", "--threshold", 2).returncode == 2
