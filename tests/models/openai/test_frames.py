"""What a real server receives of a request's frames."""

import asyncio
import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from video_oasis.errors import AskError, AskRejected
from video_oasis.models.openai import open_model
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.schema import Answer, Frame, Request

COMPLETION = {"choices": [{"message": {"content": "B"}, "finish_reason": "stop"}]}
JPEG_START = b"\xff\xd8\xff"
IMAGE = "data:image/jpeg;base64,"
VIDEO = "data:video/jpeg;base64,"


@dataclass
class Recorder:
    """Answers every chat call after so many refusals, and keeps each body as it came."""

    n_refused: int = 0
    largest_body: int = 2**26
    bodies: list[bytes] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)

    async def answer(self, request: web.Request) -> web.Response:
        self.heads.append({name.lower(): value for name, value in request.headers.items()})
        self.bodies.append(await request.read())
        if len(self.bodies) <= self.n_refused:
            return web.json_response({"error": "busy"}, status=503)
        return web.json_response(COMPLETION)


def ask_all(
    recorder: Recorder, asked: Sequence[tuple[Request, Sequence[bytes]]], **changes: Any
) -> list[Answer]:
    async def main() -> list[Answer]:
        app = web.Application(client_max_size=recorder.largest_body)
        app.router.add_post("/v1/chat/completions", recorder.answer)
        runner = web.AppRunner(app, lingering_time=0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        model = open_model(
            f"m@http://127.0.0.1:{runner.addresses[0][1]}/v1", ModelSettings(**changes)
        )
        try:
            return await asyncio.gather(*(model.ask(request, 0, shown) for request, shown in asked))
        finally:
            await model.close()
            await runner.cleanup()

    return asyncio.run(main())


def make_request(seconds: Sequence[float], system: str = "") -> Request:
    frames = tuple(Frame(f"secret-digest-{i}", each) for i, each in enumerate(seconds))
    return Request(system, "Which?", ("A", "B"), frames)


def make_pictures(n: int, n_bytes: int = 400) -> list[bytes]:
    """Make bytes that hold every value and differ from picture to picture."""
    return [
        JPEG_START + bytes((i * 7 + j * (i + 1)) % 256 for j in range(n_bytes)) for i in range(n)
    ]


def ask(
    seconds: Sequence[float], pictures: Sequence[bytes], system: str = "", **changes: Any
) -> dict[str, Any]:
    recorder = Recorder()
    (answer,) = ask_all(recorder, [(make_request(seconds, system), pictures)], **changes)
    assert answer.text == "B"
    (body,) = recorder.bodies
    assert recorder.heads[0]["content-type"] == "application/json"
    assert recorder.heads[0]["content-length"] == str(len(body))
    assert b"secret-digest" not in body
    sent: dict[str, Any] = json.loads(body)
    return sent


def decode(url: str, start: str) -> list[bytes]:
    assert url.startswith(start)
    return [base64.b64decode(each, validate=True) for each in url[len(start) :].split(",")]


def test_without_frames_the_content_is_the_plain_text() -> None:
    sent = ask([], [], frames_as=FramesAs.VIDEO, processor={"max_pixels": 9})
    assert sent == {
        "model": "m",
        "messages": [{"role": "user", "content": "Which?"}],
        "temperature": 0.0,
        "max_tokens": 1024,
    }


@pytest.mark.parametrize("frames_as", [None, FramesAs.IMAGES, FramesAs.VIDEO])
def test_one_frame_is_an_image_before_the_text(frames_as: FramesAs | None) -> None:
    (picture,) = make_pictures(1)
    sent = ask([83.25], [picture], frames_as=frames_as)
    image, text = sent["messages"][0]["content"]
    assert decode(image["image_url"]["url"], IMAGE) == [picture]
    assert (image["type"], text) == ("image_url", {"type": "text", "text": "Which?"})
    assert set(sent) == {"model", "messages", "temperature", "max_tokens"}
    assert "83.25" not in json.dumps(sent)


@pytest.mark.parametrize("frames_as", [None, FramesAs.IMAGES])
def test_several_frames_are_images_in_order_before_the_text(frames_as: FramesAs | None) -> None:
    pictures = make_pictures(5)
    sent = ask([3.5, 7.5, 11.5, 15.5, 19.5], pictures, "Be brief.", frames_as=frames_as)
    system, user = sent["messages"]
    assert system == {"role": "system", "content": "Be brief."}
    *images, text = user["content"]
    assert [decode(image["image_url"]["url"], IMAGE) for image in images] == [[p] for p in pictures]
    assert text == {"type": "text", "text": "Which?"}
    assert set(sent) == {"model", "messages", "temperature", "max_tokens"}


def test_frames_as_a_video_are_one_part_with_their_number_and_mean_rate() -> None:
    pictures = make_pictures(5)
    # Five frames over eight seconds: four steps of two seconds in the mean.
    sent = ask([30.0, 31.0, 34.0, 36.0, 38.0], pictures, frames_as=FramesAs.VIDEO)
    video, text = sent["messages"][0]["content"]
    assert video["type"] == "video_url"
    assert decode(video["video_url"]["url"], VIDEO) == pictures
    assert text == {"type": "text", "text": "Which?"}
    assert sent["media_io_kwargs"] == {"video": {"num_frames": 5, "fps": 0.5}}
    assert sent["mm_processor_kwargs"] == {"do_sample_frames": False, "fps": 0.5}
    assert set(sent) == {
        "model", "messages", "temperature", "max_tokens", "media_io_kwargs", "mm_processor_kwargs"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("frames_as", "sent_on"),
    [
        (FramesAs.IMAGES, {"max_pixels": 9, "fps": 3}),
        (FramesAs.VIDEO, {"do_sample_frames": False, "max_pixels": 9, "fps": 3}),
    ],
)
def test_processor_settings_are_sent_and_win(frames_as: FramesAs, sent_on: dict[str, Any]) -> None:
    settings = {"max_pixels": 9, "fps": 3}
    sent = ask([0.0, 1.0], make_pictures(2), frames_as=frames_as, processor=settings)
    assert sent["mm_processor_kwargs"] == sent_on


def test_a_question_of_any_characters_stays_whole_beside_pictures() -> None:
    text = 'Où? "ja" \\ \x00 \u2028 🎬 {"type":"image_url"} data:image/jpeg;base64,AAAA \ud800'
    request = Request("", text, ("A", "B"), make_request([0.0, 1.0]).frames)
    recorder = Recorder()
    ask_all(recorder, [(request, make_pictures(2))], output=Output.JSON)
    content = json.loads(recorder.bodies[0])["messages"][0]["content"]
    assert content[-1] == {"type": "text", "text": text.replace("\ud800", "\ufffd")}


@pytest.mark.parametrize("frames_as", [FramesAs.IMAGES, FramesAs.VIDEO])
def test_a_call_of_many_megabytes_is_sent_again_whole(
    frames_as: FramesAs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("video_oasis.models.openai.faults._FIRST_WAIT_SECONDS", 0.01)
    encoded: list[int] = []

    def count_and_encode(data: bytes) -> bytes:
        encoded.append(len(data))
        return binascii.b2a_base64(data, newline=False)

    monkeypatch.setattr("base64.b64encode", count_and_encode)
    pictures = [each * 30 for each in make_pictures(128, 2_000)]
    recorder = Recorder(n_refused=2)
    request = make_request([float(i) for i in range(128)])
    ask_all(recorder, [(request, pictures)], frames_as=frames_as)
    first, second, third = recorder.bodies
    assert first == second == third
    assert len(first) > 128 * 60_000 * 4 / 3
    assert len(encoded) == 128
    parts = json.loads(third)["messages"][0]["content"][:-1]
    urls = [part[part["type"]]["url"] for part in parts]
    start = VIDEO if frames_as is FramesAs.VIDEO else IMAGE
    assert [picture for url in urls for picture in decode(url, start)] == pictures


def test_calls_at_the_same_time_keep_their_own_pictures() -> None:
    recorder = Recorder()
    asked = [(make_request([0.0, 1.0]), [bytes([i]) * 900, bytes([i]) * 700]) for i in range(20)]
    ask_all(recorder, asked)
    received = [
        [
            decode(part["image_url"]["url"], IMAGE)[0]
            for part in json.loads(body)["messages"][0]["content"][:-1]
        ]
        for body in recorder.bodies
    ]
    assert sorted(received) == [pictures for _, pictures in asked]


def test_a_body_beyond_what_a_server_takes_is_explained() -> None:
    recorder = Recorder(largest_body=10_000)
    with pytest.raises(AskRejected, match=r"longest_side.*max_frames") as caught:
        ask_all(recorder, [(make_request([0.0]), [b"x" * 3_000_000])])
    assert caught.value.kind == "body_too_large"


def test_a_body_refused_before_it_is_sent_is_explained() -> None:
    reply = (
        b"HTTP/1.1 413 Request Entity Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    )

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(reply)
        await writer.drain()
        await asyncio.sleep(0.2)
        writer.transport.abort()

    async def main() -> str:
        server = await asyncio.start_server(refuse, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        model = open_model(f"m@{url}", ModelSettings(max_retries=0))
        try:
            await model.ask(make_request([0.0]), 0, [b"x" * 20_000_000])
        except AskError as error:
            return error.kind
        finally:
            await model.close()
            server.close()
            await asyncio.sleep(0.4)  # both ends see the reset before the loop ends
        return "none"

    assert asyncio.run(main()) == "body_too_large"
