"""``oasis fetch`` against a local server that speaks the hub's protocol to the hub's own client."""

import hashlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import threading
import time
import zipfile
from collections import namedtuple
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from huggingface_hub import close_session, constants

COMMIT = "0123456789abcdef0123456789abcdef01234567"
SECRET = "hf_secretsecretsecret"


@dataclass
class Hub:
    """What the server has, and what it was asked.

    Attributes:
        files: content by data set and path.
        is_gated: files are given only to who brings the secret.
        cut_after: bytes after which the connection is cut, once, by path.
        slow: paths that are given in small pieces.
        requests: method, path and range of each request for a file.
        url: its address.
    """

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    is_gated: bool = False
    status: int = 200
    cut_after: dict[str, int] = field(default_factory=dict)
    slow: set[str] = field(default_factory=set)
    requests: list[tuple[str, str, str | None]] = field(default_factory=list)
    url: str = ""

    def downloads(self) -> list[str]:
        """Return the paths whose content was asked for."""
        return [path for method, path, _ in self.requests if method == "GET"]


def make_handler(hub: Hub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            self._answer()

        def _answer(self) -> None:
            parts = unquote(urlsplit(self.path).path).strip("/").split("/")
            if hub.status != 200:
                self._refuse(hub.status, "")
            elif parts[:2] == ["api", "datasets"]:
                self._list("/".join(parts[2:4]), parts[5] if len(parts) > 4 else "main")
            else:
                self._give("/".join(parts[1:3]), "/".join(parts[5:]))

        def _list(self, dataset: str, revision: str) -> None:
            if dataset not in hub.files:
                self._refuse(404, "RepoNotFound")
            elif revision not in {"main", COMMIT}:
                self._refuse(404, "RevisionNotFound")
            else:
                siblings = [
                    {
                        "rfilename": path,
                        "size": len(content),
                        "blobId": hashlib.sha1(content).hexdigest(),
                    }
                    for path, content in hub.files[dataset].items()
                ]
                body = {
                    "id": dataset,
                    "sha": COMMIT,
                    "gated": "auto" if hub.is_gated else False,
                    "siblings": siblings,
                }
                self._send(200, json.dumps(body).encode(), {"Content-Type": "application/json"})

        def _give(self, dataset: str, path: str) -> None:
            wanted = self.headers.get("Range")
            hub.requests.append((self.command, path, wanted))
            if hub.is_gated and self.headers.get("Authorization") != f"Bearer {SECRET}":
                self._refuse(403 if "Authorization" in self.headers else 401, "GatedRepo")
                return
            content = hub.files[dataset][path]
            headers = {
                "ETag": f'"{hashlib.sha256(content).hexdigest()}"',
                "X-Repo-Commit": COMMIT,
                "Accept-Ranges": "bytes",
            }
            if wanted is None:
                self._send(200, content, headers, path)
                return
            start = int(wanted.removeprefix("bytes=").split("-")[0])
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self._send(206, content[start:], headers, path)

        def _refuse(self, status: int, code: str) -> None:
            self._send(status, b"", {"X-Error-Code": code})

        def _send(self, status: int, body: bytes, headers: dict[str, str], path: str = "") -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "HEAD":
                return
            if path in hub.cut_after:
                self.wfile.write(body[: hub.cut_after.pop(path)])
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            if path in hub.slow:
                for start in range(0, len(body), 10_000):
                    self.wfile.write(body[start : start + 10_000])
                    time.sleep(0.05)
                return
            self.wfile.write(body)

    return Handler


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Hub]:
    """Serve a hub on loopback, and send the client there."""
    hub = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), make_handler(hub))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    # The client reads HF_ENDPOINT when it is imported, which another test may have done.
    monkeypatch.setattr(constants, "ENDPOINT", hub.url)
    template = hub.url + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "HF_TOKEN_PATH", str(tmp_path / "no token"))
    monkeypatch.delenv("HF_TOKEN", raising=False)
    monkeypatch.delenv("HUGGING_FACE_HUB_TOKEN", raising=False)
    yield hub
    close_session()
    server.shutdown()
    server.server_close()


def zip_of(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tar_of(members: dict[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


VSI_CLIPS = {"scannet/scene0.mp4": os.urandom(3_000), "scannet/scene1.mp4": os.urandom(20)}
VSI = "nyu-visionx/VSI-Bench"


def vsi_bench() -> dict[str, bytes]:
    row = {
        "id": 7, "dataset": "scannet", "scene_name": "scene0", "question_type": "distance",
        "question": "Which is nearest?", "ground_truth": "B", "options": ["A. a lamp", "B. a bed"],
    }  # fmt: skip
    return {
        "README.md": b"# VSI-Bench",
        "test.jsonl": json.dumps(row).encode(),
        "scannet.zip": zip_of(VSI_CLIPS),
        "scannetpp.zip": zip_of({"a.mp4": b"clip a"}),
    }


def long_video_bench() -> dict[str, bytes]:
    row = {
        "id": "x_0", "video_path": "x.mp4", "duration": 10.0, "question": "What is it?",
        "candidates": ["red", "blue"], "correct_choice": 1, "question_category": "S2E",
        "subtitle_path": "x_en.json", "starting_timestamp_for_subtitles": 0,
    }  # fmt: skip
    whole = tar_of({f"videos/{name}.mp4": os.urandom(40_000) for name in "xyz"})
    return {
        "lvb_val.json": json.dumps([row]).encode(),
        "videos.tar.part.aa": whole[:50_000],
        "videos.tar.part.ab": whole[50_000:100_000],
        "videos.tar.part.ac": whole[100_000:],
    }


def lvbench(*keys: str) -> dict[str, bytes]:
    rows = [
        {
            "key": key, "type": "cartoon", "video_info": {"duration_minutes": 61.0},
            "qa": [
                {
                    "uid": str(number), "question": "Which year?\n(A) 1\n(B) 2", "answer": "A",
                    "question_type": ["entity recognition"], "time_reference": "00:15-00:19",
                }
            ],
        }
        for number, key in enumerate(keys)
    ]  # fmt: skip
    return {"video_info.meta.jsonl": "".join(json.dumps(row) + "\n" for row in rows).encode()}


def list_files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not any(part.startswith(".") for part in path.parts)
    }


def test_a_benchmark_is_fetched_and_its_videos_are_found(
    oasis: Any, hub: Hub, tmp_path: Path
) -> None:
    hub.files[VSI] = vsi_bench()
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 0, done.stderr
    out = tmp_path / "data"
    assert list_files(out / "videos") == {**VSI_CLIPS, "scannetpp/a.mp4": b"clip a"}
    assert {path.name for path in out.iterdir() if not path.name.startswith(".")} == {
        "archives",
        "test.jsonl",
        "videos",
    }
    assert "downloading scannet.zip (3 kB)" in done.stderr
    assert "unpacked scannet.zip: 2 files, 3 kB" in done.stdout
    assert f"vsi-bench: {VSI} at {COMMIT}" in done.stdout
    *_, check, audit = done.stdout.splitlines()
    assert check == "  oasis check vsi-bench=data --videos data/videos"
    assert audit == "  oasis audit vsi-bench=data --videos data/videos"

    checked = oasis(*check.split()[1:], "--json")
    (sample,) = json.loads(checked.stdout)["benchmarks"][0]["samples"]
    assert sample["path"] == "scannet/scene0.mp4"


def test_a_second_time_does_nothing_and_says_so(oasis: Any, hub: Hub) -> None:
    hub.files[VSI] = vsi_bench()
    assert oasis("fetch", "vsi-bench", "--out", "data").returncode == 0
    before = list_files(Path("data"))
    hub.requests.clear()
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 0, done.stderr
    assert "Everything was there already." in done.stdout
    assert hub.requests == []
    assert done.stderr == ""
    assert list_files(Path("data")) == before
    assert not Path("data/.unpacking").exists()


def test_split_archives_and_json(oasis: Any, hub: Hub, tmp_path: Path) -> None:
    hub.files["longvideobench/LongVideoBench"] = long_video_bench()
    done = oasis("fetch", "longvideobench", "--out", "data", "--json")
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    assert printed["unpacked"] == {"videos.tar": {"n_files": 3, "n_bytes": 120_000}}
    assert printed["downloaded"] == [
        "lvb_val.json",
        "videos.tar.part.aa",
        "videos.tar.part.ab",
        "videos.tar.part.ac",
    ]
    assert printed["commit"] == COMMIT
    assert printed["annotations"] == "data"
    assert printed["next_commands"][0][:3] == ["oasis", "check", "longvideobench=data"]
    assert sorted(list_files(tmp_path / "data/videos/videos")) == ["x.mp4", "y.mp4", "z.mp4"]


def test_annotations_lie_where_the_command_says(oasis: Any, hub: Hub) -> None:
    row = {
        "video": "a.mp4", "question": "What?", "candidates": ["x", "y"], "answer": "x",
        "start": 0, "end": 1,
    }  # fmt: skip
    hub.files["FunAILab/TVBench"] = {
        "json/action_count.json": json.dumps([row]).encode(),
        "json/action_antonym.json": json.dumps([row]).encode(),
        "video/action_count.zip": zip_of({"a.mp4": b"clip"}),
    }
    done = oasis("fetch", "tvbench", "--out", "data", "--annotations-only")
    assert done.returncode == 0, done.stderr
    assert "ROSE Lab" in done.stdout
    assert done.stdout.splitlines()[-1] == "  oasis audit tvbench=data/json"
    assert hub.downloads() == ["json/action_antonym.json", "json/action_count.json"]
    assert oasis("lint", "tvbench=data/json").returncode == 0

    assert oasis("fetch", "tvbench", "--out", "data").returncode == 0
    assert list_files(Path("data/videos")) == {"action_count/a.mp4": b"clip"}


def test_annotations_are_had_whatever_became_of_the_videos(oasis: Any, hub: Hub) -> None:
    files = long_video_bench()
    del files["videos.tar.part.ab"]
    hub.files["longvideobench/LongVideoBench"] = files
    done = oasis("fetch", "longvideobench", "--out", "data")
    assert done.returncode == 2
    assert "videos.tar: it is split, and there are only the parts aa, ac" in done.stderr
    assert oasis("fetch", "longvideobench", "--out", "data", "--annotations-only").returncode == 0


def test_loose_videos_are_fetched(oasis: Any, hub: Hub) -> None:
    hub.files["RTVBench/RTV-Bench"] = {"QA.json": b"[]", "videos/cam/Cam_1.mp4": b"clip"}
    done = oasis("fetch", "rtv-bench", "--out", "data")
    assert done.returncode == 0, done.stderr
    assert list_files(Path("data/videos")) == {"videos/cam/Cam_1.mp4": b"clip"}


def test_youtube_videos_are_listed(oasis: Any, hub: Hub) -> None:
    keys = ["Cm73ma6Ibcs", "-hgaSElC3wU", "Cm73ma6Ibcs", "no video id"]
    hub.files["zai-org/LVBench"] = lvbench(*keys)
    done = oasis("fetch", "lvbench", "--out", "my data")
    assert done.returncode == 0, done.stderr
    assert Path("my data/videos.txt").read_text(encoding="utf-8") == (
        "https://www.youtube.com/watch?v=Cm73ma6Ibcs\nhttps://www.youtube.com/watch?v=-hgaSElC3wU\n"
    )
    assert "2 videos are on YouTube" in done.stdout
    assert "yt-dlp --ignore-config '--batch-file=my data/videos.txt'" in done.stdout
    assert "oasis check 'lvbench=my data' --videos 'my data/videos'" in done.stdout
    printed = json.loads(oasis("fetch", "lvbench", "--out", "my data", "--json").stdout)
    assert printed["n_youtube_videos"] == 2
    assert printed["video_list"] == "my data/videos.txt"
    assert printed["download_command"][0] == "yt-dlp"


def test_no_youtube_id_at_all_is_told(oasis: Any, hub: Hub) -> None:
    hub.files["zai-org/LVBench"] = lvbench("one", "two")
    done = oasis("fetch", "lvbench", "--out", "data")
    assert done.returncode == 2
    assert "named by a YouTube id" in done.stderr


def test_a_dry_run_fetches_nothing(oasis: Any, hub: Hub) -> None:
    hub.files[VSI] = vsi_bench()
    hub.is_gated = True
    done = oasis("fetch", "vsi-bench", "--out", "data", "--dry-run")
    assert done.returncode == 0, done.stderr
    assert "scannetpp.zip  114 bytes  to download" in done.stdout
    assert "to download: 3 files" in done.stdout
    assert "accepted its terms" in done.stdout
    assert hub.requests == []
    assert not Path("data").exists()
    printed = json.loads(oasis("fetch", "vsi-bench", "--out", "data", "--dry-run", "--json").stdout)
    assert [file["path"] for file in printed["files"]] == [
        "test.jsonl",
        "scannet.zip",
        "scannetpp.zip",
    ]
    assert printed["is_gated"] is True
    assert printed["to_unpack"] == ["scannet.zip", "scannetpp.zip"]


def test_a_cut_connection_is_taken_up_where_it_was(
    oasis: Any, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The client keeps what it has by blocks of this size.
    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 5_000)
    files = long_video_bench()
    hub.files["longvideobench/LongVideoBench"] = files
    hub.cut_after["videos.tar.part.ab"] = 20_000
    done = oasis("fetch", "longvideobench", "--out", "data")
    assert done.returncode == 0, done.stderr
    part = Path("data/archives/videos.tar.part.ab")
    assert part.read_bytes() == files["videos.tar.part.ab"]
    gets = [wanted for method, path, wanted in hub.requests if (method, path) == ("GET", part.name)]
    assert gets == [None, "bytes=20000-"]


def test_a_killed_fetch_is_taken_up(hub: Hub, oasis: Any, tmp_path: Path) -> None:
    files = long_video_bench()
    hub.files["longvideobench/LongVideoBench"] = files
    hub.slow.add("videos.tar.part.ac")
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-c", "from video_oasis.cli import main; main()"]
    process = subprocess.Popen(
        [*command, "fetch", "longvideobench", "--out", str(tmp_path / "data")],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    until = time.monotonic() + 60
    while "videos.tar.part.ac" not in hub.downloads():
        assert process.poll() is None
        assert time.monotonic() < until
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(signal.SIGKILL)
    process.wait()
    leftovers = tmp_path / "data/archives/.cache/huggingface/download"
    assert len(list(leftovers.glob("*.incomplete"))) == 1
    hub.slow.clear()
    hub.requests.clear()
    done = oasis("fetch", "longvideobench", "--out", "data")
    assert done.returncode == 0, done.stderr
    assert hub.downloads() == ["videos.tar.part.ac"]
    assert len(list_files(tmp_path / "data/videos")) == 3
    assert list(leftovers.glob("*.incomplete")) == []


def test_archives_are_removed_only_when_asked(oasis: Any, hub: Hub) -> None:
    hub.files[VSI] = vsi_bench()
    assert oasis("fetch", "vsi-bench", "--out", "data").returncode == 0
    archive = Path("data/archives/scannet.zip")
    assert archive.exists()
    done = oasis("fetch", "vsi-bench", "--out", "data", "--remove-archives")
    assert "removed: 2 archive files" in done.stdout
    assert not archive.exists()
    hub.requests.clear()
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert "Everything was there already." in done.stdout
    assert hub.requests == []


def test_a_refused_archive_is_recorded_and_the_others_are_unpacked(
    oasis: Any, hub: Hub, tmp_path: Path
) -> None:
    files = vsi_bench()
    files["scannet.zip"] = zip_of({"../../../escaped.mp4": b"hostile"})
    hub.files[VSI] = files
    done = oasis("fetch", "vsi-bench", "--out", "data", "--remove-archives", "--json")
    assert done.returncode == 1
    printed = json.loads(done.stdout)
    assert "'..'" in printed["refused"]["scannet.zip"]
    assert list_files(Path("data/videos")) == {"scannetpp/a.mp4": b"clip a"}
    assert Path("data/archives/scannet.zip").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"data"}
    text = oasis("fetch", "vsi-bench", "--out", "data")
    assert text.returncode == 1
    assert "refused scannet.zip: '../../../escaped.mp4' leads out" in text.stdout


def test_a_changed_archive_is_fetched_and_unpacked_again(oasis: Any, hub: Hub) -> None:
    hub.files[VSI] = vsi_bench()
    assert oasis("fetch", "vsi-bench", "--out", "data").returncode == 0
    hub.files[VSI]["scannetpp.zip"] = zip_of({"a.mp4": b"a better clip"})
    shutil.rmtree("data/archives")
    assert oasis("fetch", "vsi-bench", "--out", "data").returncode == 0
    assert Path("data/videos/scannetpp/a.mp4").read_bytes() == b"a better clip"


@pytest.mark.parametrize("token", [None, "hf_wrong"])
def test_gated_files_say_where_to_ask(
    oasis: Any, hub: Hub, monkeypatch: pytest.MonkeyPatch, token: str | None
) -> None:
    hub.files[VSI] = vsi_bench()
    hub.is_gated = True
    if token:
        monkeypatch.setenv("HF_TOKEN", token)
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert f"accept them at {hub.url}/datasets/{VSI}" in done.stderr
    assert "HF_TOKEN" in done.stderr
    assert "hf_wrong" not in done.stderr
    assert "Traceback" not in done.stderr

    monkeypatch.setenv("HF_TOKEN", SECRET)
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 0, done.stderr
    assert SECRET not in done.stdout + done.stderr


def test_what_the_hub_does_not_have(oasis: Any, hub: Hub) -> None:
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert f"{VSI}: {hub.url} has no such data set" in done.stderr
    hub.files[VSI] = vsi_bench()
    done = oasis("fetch", "vsi-bench", "--out", "data", "--revision", "v9")
    assert done.returncode == 2
    assert f"{VSI}: no revision 'v9'" in done.stderr
    assert oasis("fetch", "vsi-bench", "--out", "data", "--revision", COMMIT).returncode == 0


@pytest.mark.parametrize(
    ("status", "message"),
    [
        (401, "the hub refuses (HTTP 401). Check that HF_TOKEN"),
        (403, "the hub refuses (HTTP 403). Check that HF_TOKEN"),
        (429, "the hub answers with HTTP 429"),
        (500, "the hub answers with HTTP 500"),
    ],
)
def test_other_refusals(oasis: Any, hub: Hub, status: int, message: str) -> None:
    hub.files[VSI] = vsi_bench()
    hub.status = status
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("hub")
def test_no_network(oasis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{closed.getsockname()[1]}"
        monkeypatch.setattr(constants, "ENDPOINT", nowhere)
        done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert f"{nowhere} cannot be reached" in done.stderr
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert "HF_HUB_OFFLINE is set" in done.stderr


def test_too_little_room(oasis: Any, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.files[VSI] = vsi_bench()
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr("shutil.disk_usage", lambda _: usage(0, 0, 5_000))
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert "at least 7 kB are needed there, and 5 kB are free" in done.stderr
    assert hub.requests == []


def test_a_folder_that_cannot_be_made(oasis: Any, hub: Hub) -> None:
    hub.files[VSI] = vsi_bench()
    Path("data").write_text("mine", encoding="utf-8")
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert "data: File exists" in done.stderr


def test_two_at_once_are_refused(oasis: Any, hub: Hub) -> None:
    from filelock import FileLock

    hub.files[VSI] = vsi_bench()
    Path("data").mkdir()
    with FileLock("data/.fetch.lock"):
        done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert "another process is fetching to it" in done.stderr


def test_stopping_says_how_to_go_on(oasis: Any, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    hub.files[VSI] = vsi_bench()

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("video_oasis.fetch.run.unpack_archive", interrupt)
    done = oasis("fetch", "vsi-bench", "--out", "my data")
    assert done.returncode == 130
    assert "Go on with: oasis fetch vsi-bench --out 'my data'" in done.stderr


def test_an_unknown_benchmark(oasis: Any) -> None:
    done = oasis("fetch", "vsibench", "--out", "data")
    assert done.returncode == 2
    assert "did you mean vsi-bench" in done.stderr


def test_a_missing_client_is_told(oasis: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    find: Callable[[str], Any] = lambda _: None  # noqa: E731
    monkeypatch.setattr("video_oasis.cli.fetch.find_spec", find)
    done = oasis("fetch", "vsi-bench", "--out", "data")
    assert done.returncode == 2
    assert "pip install 'video-oasis[fetch]'" in done.stderr
