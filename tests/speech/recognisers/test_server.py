"""The client against a real HTTP server on loopback that misbehaves as told."""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from video_oasis.errors import AskError, AskInterrupted, AskRejected, ModelUnavailable
from video_oasis.media.audio import SAMPLE_RATE, Samples
from video_oasis.speech.recognisers import open_recogniser
from video_oasis.speech.recognisers.interface import Heard, Recogniser
from video_oasis.speech.recognisers.settings import RecogniserSettings

KEY = "sk-secret-0123456789"
NOISE = np.random.default_rng(0).uniform(-1, 1, 2 * SAMPLE_RATE).astype(np.float32)

Reply = tuple[int, str, bytes]
Form = dict[str, bytes]


def as_json(status: int, body: Any) -> Reply:
    return status, "application/json", json.dumps(body).encode()


def error(status: int, message: str) -> Reply:
    return as_json(status, {"error": {"message": message}})


def segments(*found: tuple[Any, Any, str]) -> Reply:
    listed = [{"id": i, "start": s, "end": e, "text": t} for i, (s, e, t) in enumerate(found)]
    return as_json(200, {"text": "".join(t for _, _, t in found), "segments": listed})


GOOD = segments((0.5, 1.5, " Hello."))
RESET: Reply = (0, "", b"")
HEARD = [Heard(0.5, 1.5, " Hello.")]


class Server:
    """Answers calls with one reply after the other, the last again and again."""

    def __init__(self, *replies: Reply | Callable[[Form], Reply]) -> None:
        self.replies = list(replies)
        self.forms: list[Form] = []
        self.heads: list[Message] = []
        self.paths: list[str] = []
        self.drip_seconds = 0.0
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                server.answer(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        threading.Thread(target=self._http.serve_forever, args=[0.05], daemon=True).start()

    def answer(self, call: BaseHTTPRequestHandler) -> None:
        body = call.rfile.read(int(call.headers["Content-Length"]))
        self.heads.append(call.headers)
        self.paths.append(call.path)
        self.forms.append(read_form(call.headers["Content-Type"], body))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        status, content_type, content = reply(self.forms[-1]) if callable(reply) else reply
        if not status:
            call.close_connection = True
            return
        call.send_response(status)
        call.send_header("Content-Type", content_type)
        call.send_header("Content-Length", str(len(content)))
        call.end_headers()
        try:
            for start in range(0, len(content), 1 if self.drip_seconds else len(content)):
                time.sleep(self.drip_seconds)
                call.wfile.write(content[start:][: 1 if self.drip_seconds else None])
        except OSError:
            pass

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def read_form(content_type: str, body: bytes) -> Form:
    head = f"Content-Type: {content_type}\r\n\r\n".encode()
    message = BytesParser(policy=HTTP).parsebytes(head + body)
    fields: Form = {}
    for part in message.iter_parts():
        content = part.get_payload(decode=True)
        assert isinstance(content, bytes)
        fields[str(part.get_param("name", header="content-disposition"))] = content
    return fields


def decode_flac(data: bytes) -> Samples:
    with av.open(BytesIO(data), "r") as container:
        assert container.format.name == "flac"
        assert container.streams.audio[0].rate == SAMPLE_RATE
        frames = [frame.to_ndarray()[0] for frame in container.decode(audio=0)]
    samples: Samples = np.divide(np.concatenate(frames), 32768, dtype=np.float32)
    return samples


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    started: list[Server] = []

    def start(*replies: Any) -> Server:
        started.append(Server(*replies))
        return started[-1]

    yield start
    for server in started:
        server.close()


Serve = Callable[..., Server]


@pytest.fixture(autouse=True)
def _quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def client(server: Server, **changes: Any) -> Recogniser:
    settings = RecogniserSettings(**{"timeout_seconds": 5.0, "max_retries": 2, **changes})
    return open_recogniser(f"server/whisper-1@{server.url}", settings)


def ask(server: Server, **changes: Any) -> list[Heard]:
    return list(client(server, **changes).transcribe(NOISE))


def test_sends_the_sound_without_loss_and_gives_the_segments(serve: Serve) -> None:
    server = serve(segments((0.0, 1.0, " One"), (1.0, 1.9, " two.")))
    assert ask(server, language="de") == [Heard(0.0, 1.0, " One"), Heard(1.0, 1.9, " two.")]
    (form,) = server.forms
    assert server.paths == ["/v1/audio/transcriptions"]
    assert server.heads[0]["Authorization"] == f"Bearer {KEY}"
    assert np.abs(decode_flac(form.pop("file")) - NOISE).max() <= 1 / 32768
    assert form == {
        "model": b"whisper-1",
        "language": b"de",
        "response_format": b"verbose_json",
        "temperature": b"0",
    }


def test_the_longest_noise_fits_into_what_servers_take(serve: Serve) -> None:
    server = serve(GOOD)
    recogniser = client(server)
    n_samples = recogniser.longest_seconds * SAMPLE_RATE
    noise = np.random.default_rng(0).uniform(-1, 1, n_samples).astype(np.float32)
    assert list(recogniser.transcribe(noise)) == HEARD
    assert int(server.heads[0]["Content-Length"]) < 25_000_000


def test_without_a_language_none_is_sent(serve: Serve) -> None:
    server = serve(GOOD)
    ask(server)
    assert "language" not in server.forms[0]


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "slow down"),
        error(500, "oops"),
        (502, "text/html", b"<html>Bad Gateway</html>"),
        error(503, "loading"),
        RESET,
        (200, "text/html", b"<html>Welcome</html>"),
        (200, "application/json", b'{"text": "Hel'),
        as_json(200, {"object": "list"}),
        as_json(200, ["Hello"]),
        as_json(200, {"text": None}),
    ],
    ids=["429", "500", "502", "503", "reset", "page", "half", "other", "list", "null"],
)
def test_passing_faults_are_tried_again(serve: Serve, fault: Reply) -> None:
    server = serve(fault, GOOD)
    assert ask(server) == HEARD
    assert len(server.forms) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error(429, "slow down"), "http_429"),
        (error(500, "oops"), "http_500"),
        (RESET, "connection"),
        ((200, "text/html", b"<!doctype html>"), "html"),
        ((200, "application/json", b'{"text": "Hel'), "bad_json"),
        (as_json(200, {}), "no_text"),
    ],
    ids=["429", "500", "reset", "page", "half", "empty"],
)
def test_faults_that_do_not_pass_end_in_an_interruption(
    serve: Serve, fault: Reply, kind: str
) -> None:
    server = serve(fault)
    with pytest.raises(AskInterrupted, match=f"server/whisper-1 at {server.url}") as caught:
        ask(server, max_retries=2)
    assert caught.value.kind == kind
    assert len(server.forms) == 3


@pytest.mark.parametrize(
    ("status", "advice"),
    [
        (400, "see the server's log"),
        (401, "OPENAI_API_KEY"),
        (403, "OPENAI_API_KEY"),
        (404, "check the model's name"),
        (413, "let the server take 18 MiB"),
    ],
)
def test_refusals_are_not_tried_again_and_do_not_show_the_key(
    serve: Serve, status: int, advice: str
) -> None:
    server = serve(error(status, f"refused, your key is {KEY}"))
    with pytest.raises(AskRejected, match=advice) as caught:
        ask(server)
    assert caught.value.kind == f"http_{status}"
    assert len(server.forms) == 1
    assert KEY not in repr(caught.value)
    assert caught.value.__cause__ is None


def test_a_redirect_is_not_followed_with_the_key(serve: Serve) -> None:
    server = serve((302, "text/html", b"moved"))
    with pytest.raises(AskError):
        ask(server, max_retries=0)
    assert len(server.forms) == 1


@pytest.mark.parametrize("drips", [False, True])
def test_a_server_that_hangs_is_left(serve: Serve, drips: bool) -> None:
    server = serve(GOOD)
    server.drip_seconds = 0.1 if drips else 3.0
    begun = time.monotonic()
    with pytest.raises(AskInterrupted, match=r"no reply within 0\.5 seconds") as caught:
        ask(server, timeout_seconds=0.5, max_retries=0)
    assert caught.value.kind == "timeout"
    assert time.monotonic() - begun < 2


@pytest.mark.parametrize(
    "reply",
    [
        as_json(200, {"text": "Hello there."}),
        as_json(200, {"text": "Hello there.", "segments": None}),
        segments((None, None, "Hello"), (1, 2, " there.")),
        (200, "text/plain; charset=utf-8", b"Hello there."),
    ],
    ids=["no segments", "null segments", "null times", "plain text"],
)
def test_text_without_times_is_one_piece_over_all_of_the_sound(serve: Serve, reply: Reply) -> None:
    assert ask(serve(reply)) == [Heard(0.0, 2.0, "Hello there.", is_timed=False)]


def test_a_model_that_gives_no_times_is_asked_for_text_from_then_on(serve: Serve) -> None:
    def answer(form: Form) -> Reply:
        if form["response_format"] == b"verbose_json":
            return error(400, "response_format 'verbose_json' is not compatible with this model")
        return as_json(200, {"text": "Hello."})

    server = serve(answer)
    recogniser = client(server)
    for _ in range(2):
        assert list(recogniser.transcribe(NOISE)) == [Heard(0.0, 2.0, "Hello.", is_timed=False)]
    formats = [form["response_format"] for form in server.forms]
    assert formats == [b"verbose_json", b"json", b"json"]


def test_check_passes_where_the_server_transcribes_or_is_busy(serve: Serve) -> None:
    client(serve(as_json(200, {"text": "", "segments": []}))).check()
    client(serve(error(429, "slow down"))).check()


@pytest.mark.parametrize("fault", [error(404, "no such model"), error(401, "no key"), RESET])
def test_check_says_what_is_wrong_at_once(serve: Serve, fault: Reply) -> None:
    server = serve(fault)
    with pytest.raises(ModelUnavailable, match=re.escape(server.url)):
        client(server).check()
    assert len(server.forms) == 1


def test_a_server_that_is_not_there(serve: Serve) -> None:
    server = serve(GOOD)
    server.close()
    with pytest.raises(ModelUnavailable, match="connection failed"):
        client(server).check()


def test_a_server_with_a_real_model_behind_it(
    serve: Serve, whisper_tiny: Path, speak: Callable[..., Any]
) -> None:
    model = open_recogniser(f"whisper/{whisper_tiny}")

    def answer(form: Form) -> Reply:
        found = model.transcribe(decode_flac(form["file"]))
        return segments(*((each.start_seconds, each.end_seconds, each.text) for each in found))

    sound = np.divide(speak({1.0: "The dog runs into the garden."}, 5), 32768, dtype=np.float32)
    (heard,) = client(serve(answer), timeout_seconds=60).transcribe(sound)
    assert "runs into the garden" in heard.text
    assert heard.start_seconds == pytest.approx(1.0, abs=0.5)
