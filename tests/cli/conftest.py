"""Runs the command line as a user does."""

import base64
import io
import json
import re
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import av
import numpy as np
import pytest
from PIL import Image

from video_oasis.cli import main


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def oasis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Done]:
    """Run ``oasis`` with these arguments in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["oasis", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code
        assert code is None or isinstance(code, int)
        return Done(code or 0, printed.out, printed.err)

    return run


@pytest.fixture
def own_file(tmp_path: Path) -> Path:
    """A small file of questions whose answer is given away by the word "blue"."""
    rows: list[dict[str, Any]] = [
        {
            "qid": f"q{number}",
            "clip": f"clip{number % 20}.mp4",
            "prompt": f"What colour is thing number {number}?",
            "options": ["red", "blue", "green", "grey"],
            "gold": "B" if number % 4 else "ACD"[number // 4 % 3],
            "kind": "colour",
        }
        for number in range(60)
    ]
    file = tmp_path / "mine.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


DESCRIBED: Final = re.compile(r"light is at (\d+)")


class ChatServer(ThreadingHTTPServer):
    # Of more calls at once than may wait to be let in, each is lost for a second and more.
    request_queue_size = 256


ServeChat = Callable[[Sequence[str], Callable[[Any], tuple[int, str]]], str]


@pytest.fixture
def serve_chat() -> Iterator[ServeChat]:
    """Start a server of these models; a function makes status and reply of a request's body."""
    running: list[tuple[ThreadingHTTPServer, threading.Thread]] = []

    def serve(models: Sequence[str], answer: Callable[[Any], tuple[int, str]]) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.reply(200, {"data": [{"id": name} for name in models]})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, text = answer(body)
                choice = {"message": {"content": text}, "finish_reason": "stop"}
                self.reply(status, {"choices": [choice]} if status == 200 else {"error": text})

            def reply(self, status: int, body: Any) -> None:
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: Any) -> None:
                pass

        server = ChatServer(("127.0.0.1", 0), Handler)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        running.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/v1"

    yield serve
    for server, thread in running:
        server.shutdown()
        server.server_close()
        thread.join()


@dataclass
class OrderReader:
    """A served model that answers B to what brightens, else A.

    It sees frames and reads descriptions; asked to describe frames, it tells the first one's level.
    """

    shown: list[list[int]] = field(default_factory=list)
    url: str = ""

    def answer(self, body: Any) -> tuple[int, str]:
        levels = list(map(read_level, list_pictures(body)))
        self.shown.append(levels)
        text = read_text(body)
        if text.startswith("Describe"):
            return 200, f"The light is at {levels[0]} now."
        levels = levels or [int(level) for level in DESCRIBED.findall(text)]
        return 200, "B" if len(levels) > 1 and levels == sorted(levels) else "A"


def list_pictures(body: Any) -> list[bytes]:
    content = body["messages"][-1]["content"]
    if isinstance(content, str):
        return []
    urls = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def read_text(body: Any) -> str:
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else str(content[-1]["text"])


def read_level(picture: bytes) -> int:
    with Image.open(io.BytesIO(picture)) as image:
        return round(float(np.asarray(image.convert("L")).mean()))


@pytest.fixture
def eyes(serve_chat: ServeChat) -> OrderReader:
    reader = OrderReader()
    reader.url = serve_chat(["eyes"], reader.answer)
    return reader


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


@pytest.fixture
def write_benchmark(tmp_path: Path) -> Callable[[bytes, int], None]:
    """Write questions, one for each video, whose right answer is B, and the videos."""

    def write(clip: bytes, n_videos: int) -> None:
        (tmp_path / "videos").mkdir()
        rows = []
        for number in range(n_videos):
            # Each file a video of its own: bytes behind the last box change the content, not the
            # clip.
            (tmp_path / f"videos/clip{number}.mp4").write_bytes(clip + f"{number:08}".encode())
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
        text = "".join(json.dumps(row) + "\n" for row in rows)
        (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")

    return write


@pytest.fixture
def give_two_away(tmp_path: Path) -> Callable[[], None]:
    """Make A right on the first two questions: the server answers A to what does not brighten."""

    def give_away() -> None:
        file = tmp_path / "questions.jsonl"
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        rows[0]["answer"] = rows[1]["answer"] = "A"
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))

    return give_away


@pytest.fixture
def frames_arguments(eyes: OrderReader) -> Callable[..., list[str]]:
    """Give the arguments of an audit of that benchmark under these diagnostics."""

    def make(*diagnostics: str) -> list[str]:
        flags = [flag for name in diagnostics for flag in ("--diagnostic", name)]
        return [
            "audit", "questions.jsonl", "--videos", "videos", "--out", "run",
            "--model", f"openai/eyes@{eyes.url}", *flags,
        ]  # fmt: skip

    return make
