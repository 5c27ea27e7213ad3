"""The client against a real server on loopback that misbehaves as told."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from video_oasis.errors import AskInterrupted, AskRejected, ModelUnavailable
from video_oasis.models.openai import open_model
from video_oasis.models.openai.model import OpenAIModel
from video_oasis.models.settings import FramesAs, ModelSettings, Output
from video_oasis.schema import Answer, FinishReason, Frame, Request, Usage

T = TypeVar("T")

REQUEST = Request(system="Be brief.", text="Which?", letters=("A", "B"))
FRAMES = tuple(Frame(f"f{i}", float(i)) for i in range(3))
WITH_FRAMES = Request(system="", text="Which?", letters=("A", "B"), frames=FRAMES)
KEY = "sk-secret-0123456789"


def http(status: int, body: str, *headers: str) -> bytes:
    lines = [f"HTTP/1.1 {status} Some Reason", f"Content-Length: {len(body.encode())}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()


def completion(text: str | None, **choice: Any) -> bytes:
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": "stop", **choice}
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    return http(200, json.dumps({"choices": [choice], "usage": usage}))


def error(status: int, message: str, *headers: str) -> bytes:
    return http(status, json.dumps({"error": {"message": message}}), *headers)


GOOD = completion("B")
NO_ROUTE = error(404, "no such route")
RESET = b""


@dataclass
class Server:
    """Answers chat calls with one reply after the other, the last again and again."""

    chats: list[bytes]
    models: bytes = NO_ROUTE
    delay_seconds: float = 0.0
    bodies: list[dict[str, Any]] = field(default_factory=list)
    heads: list[str] = field(default_factory=list)
    url: str = ""

    async def __aenter__(self) -> "Server":
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode()
                length = next(
                    (
                        int(line.split(":")[1])
                        for line in head.splitlines()
                        if line.lower().startswith("content-length:")
                    ),
                    0,
                )
                body = await reader.readexactly(length)
                self.heads.append(head)
                reply = self.models
                if head.startswith("POST"):
                    self.bodies.append(json.loads(body))
                    await asyncio.sleep(self.delay_seconds)
                    reply = self.chats.pop(0) if len(self.chats) > 1 else self.chats[0]
                if reply == RESET:
                    break
                writer.write(reply)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.transport.abort()


@pytest.fixture(autouse=True)
def _quick_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("video_oasis.models.openai.faults._FIRST_WAIT_SECONDS", 0.01)


def settings(**changes: Any) -> ModelSettings:
    return ModelSettings(**{"timeout_seconds": 5.0, "max_retries": 2, **changes})


def run(
    server: Server, act: Callable[[OpenAIModel], Awaitable[T]], model: str = "m", **changes: Any
) -> T:
    async def main() -> T:
        async with server:
            opened = open_model(f"{model}@{server.url}", settings(**changes))
            try:
                return await act(opened)
            finally:
                await opened.close()

    return asyncio.run(main())


async def ask(model: OpenAIModel) -> Answer:
    return await model.ask(REQUEST, 0, ())


async def ask_with_frames(model: OpenAIModel) -> Answer:
    return await model.ask(WITH_FRAMES, 0, [b"1", b"2", b"3"])


async def check(model: OpenAIModel) -> None:
    await model.check()


def test_sends_what_the_settings_say_and_keeps_what_comes_back() -> None:
    server = Server([GOOD])
    answer = run(server, ask, seed=3, temperature=0.5, max_tokens=9)
    assert answer == Answer("B", FinishReason.STOP, Usage(7, 2))
    assert server.bodies == [
        {
            "model": "m",
            "messages": [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Which?"},
            ],
            "temperature": 0.5,
            "seed": 3,
            "max_tokens": 9,
        }
    ]
    assert server.heads[0].startswith("POST /v1/chat/completions")


def test_none_leaves_temperature_and_seed_to_the_server() -> None:
    server = Server([GOOD])
    run(server, ask, temperature=None)
    assert set(server.bodies[0]) == {"model", "messages", "max_tokens"}


@pytest.mark.parametrize(
    "fault",
    [
        error(429, "slow down"),
        error(500, "oops"),
        http(502, "<html>Bad Gateway</html>"),
        error(503, "Loading model"),
        RESET,
        http(200, "<html>B</html>", "Content-Type: text/html"),
        http(200, '{"choices": [{"mess'),
        http(200, '{"choices": []}'),
        http(200, '{"error": {"message": "upstream died"}}'),
        http(200, '{"object": "list"}'),
    ],
    ids=[
        "429",
        "500",
        "502 page",
        "503",
        "reset",
        "page",
        "half",
        "empty",
        "error body",
        "other",
    ],
)
def test_passing_faults_are_tried_again(fault: bytes) -> None:
    server = Server([fault, GOOD])
    assert run(server, ask).text == "B"
    assert len(server.bodies) == 2


def test_a_reply_that_stops_halfway_is_tried_again() -> None:
    server = Server([b'HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"choices"', GOOD])
    assert run(server, ask, timeout_seconds=0.3).text == "B"
    assert len(server.bodies) == 2


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (error(429, "slow down"), "http_429"),
        (error(500, "oops"), "http_500"),
        (RESET, "connection"),
        (http(200, "<!doctype html>"), "html"),
        (http(200, '{"choices": [{"mess'), "bad_json"),
        (http(200, "[]"), "bad_json"),
        (http(200, '{"choices": [{"message": {"content": 3}}]}'), "bad_json"),
        (http(200, '{"choices": []}'), "empty_choices"),
        (http(200, '{"error": "upstream died"}'), "error_reply"),
    ],
)
def test_passing_faults_that_stay_are_reported_by_kind(fault: bytes, kind: str) -> None:
    server = Server([fault])
    with pytest.raises(AskInterrupted, match=r"openai/m at http://127\.0\.0\.1:\d+/v1: ") as caught:
        run(server, ask)
    assert caught.value.kind == kind
    assert len(server.bodies) == 3


def test_a_slow_server_ends_by_time_out() -> None:
    server = Server([GOOD], delay_seconds=5)
    with pytest.raises(AskInterrupted, match=r"within 0\.1 seconds") as caught:
        run(server, ask, timeout_seconds=0.1, max_retries=1)
    assert caught.value.kind == "timeout"


def test_retry_after_is_honoured() -> None:
    server = Server([error(429, "slow down", "Retry-After: 0.4"), GOOD])
    started = time.monotonic()
    assert run(server, ask).text == "B"
    assert time.monotonic() - started >= 0.4


@pytest.mark.parametrize(
    ("status", "message", "kind", "advice"),
    [
        (
            400,
            "Unsupported value: 'temperature' is not 0",
            "rejected_temperature",
            'temperature = "server"',
        ),
        (
            400,
            "response_format json_schema unavailable",
            "rejected_response_format",
            "output text",
        ),
        (400, "Unknown parameter: 'structured_outputs'", "rejected_structured_outputs", "json"),
        (400, "top_logprobs must be at most 5", "rejected_top_logprobs", "--max-logprobs"),
        (400, "max_tokens is too large: 9000", "rejected_max_tokens", "max_tokens"),
        (422, "extra field 'seed'", "rejected_seed", "leave the seed out"),
        (
            400,
            "This model's maximum context length is 4096 tokens, max_tokens is 1024",
            "context_length",
            "longer context",
        ),
        (500, "image input is not supported - you may need mmproj", "images_unsupported", "mmproj"),
        (401, "bad key", "http_401", "MY_KEY"),
        (403, "forbidden", "http_403", "MY_KEY"),
        (404, "the model `m` does not exist", "http_404", "model's name"),
        (429, "insufficient_quota", "quota", "quota"),
        (418, "teapot", "http_418", "teapot"),
    ],
)
def test_refused_requests_are_not_tried_again(
    status: int, message: str, kind: str, advice: str
) -> None:
    server = Server([error(status, message)])
    with pytest.raises(AskRejected, match=advice) as caught:
        run(server, ask, api_key_env="MY_KEY")
    assert caught.value.kind == kind
    assert message in str(caught.value)
    assert len(server.bodies) == 1


FEWER = r"max_frames = N under \[\[models\]\].*--max-frames N"


@pytest.mark.parametrize(
    ("status", "message", "kind", "advice"),
    [
        # vLLM, old and new, and engines around it
        (400, "At most 1 image(s) may be provided in one request.", "too_many_images", FEWER),
        (
            400,
            "At most 2 image(s) may be provided in one prompt. (parameter=image)",
            "too_many_images",
            r"--limit-mm-per-prompt '\{\"image\": 3\}'",
        ),
        (
            400,
            "You set image=2 (or defaulted to 1) in `--limit-mm-per-prompt`, but passed 3 image "
            "items in the same prompt.",
            "too_many_images",
            FEWER,
        ),
        # OpenAI, Azure, GitHub, others
        (400, "Too many images in request. Max is 10.", "too_many_images", FEWER),
        (
            400,
            "Exceeded maximum number of images (50) allowed in the request.",
            "too_many_images",
            FEWER,
        ),
        (
            400,
            "Too many images in request: 11 images provided, but the model supports a maximum of "
            "10 images.",
            "too_many_images",
            FEWER,
        ),
        (
            400,
            "request contains 54 images, exceeding the maximum of 50 allowed per request",
            "too_many_images",
            FEWER,
        ),
        # a video that vLLM was told not to take, or is too old to take
        (400, "At most 0 video(s) may be provided in one prompt.", "video_unsupported", "images"),
        (
            500,
            "VideoMetadata.__init__() missing 1 required positional argument: 'total_num_frames'",
            "video_unsupported",
            "images",
        ),
        # llama.cpp, SGLang, OpenAI, Gemini, OpenRouter, a Rust server, an OpenAI relay
        (400, "unsupported content[].type", "video_unsupported", 'frames_as = "images"'),
        (
            500,
            "video input is not supported - hint: if this is unexpected, you may need to provide "
            "the mmproj",
            "video_unsupported",
            "images",
        ),
        (500, "Non-base64 digit found", "video_unsupported", "images"),
        (
            400,
            "Invalid value: 'video_url'. Supported values are: 'text', 'image_url', 'input_audio', "
            "'refusal', 'audio', and 'file'.",
            "video_unsupported",
            "images",
        ),
        (400, "Invalid content part type: video_url", "video_unsupported", "images"),
        (404, "No endpoints found that support video URLs", "video_unsupported", "images"),
        (404, "No endpoints found that support video input", "video_unsupported", "images"),
        (
            422,
            "messages[0]: unknown variant `video_url`, expected `text` or `image_url`",
            "video_unsupported",
            "images",
        ),
        (400, "This model does not support video.", "video_unsupported", "images"),
        # no pictures at all
        (400, "facebook/opt-125m is not a multimodal model None", "images_unsupported", "sees"),
        (
            400,
            "At most 0 image(s) may be provided in one prompt.",
            "images_unsupported",
            "--language-model-only",
        ),
        (
            500,
            'Failed to parse messages: Unsupported content part type: "image_url"; messages = []',
            "images_unsupported",
            "--mmproj",
        ),
        (
            400,
            "Multimodal input (image_url) is not supported. Please start the server with "
            "--enable-multimodal to enable multimodal functionality.",
            "images_unsupported",
            "sees images",
        ),
        (
            400,
            "Unsupported content part type for text-only server: image_url",
            "images_unsupported",
            "sees images",
        ),
        (404, "No endpoints found that support image input", "images_unsupported", "sees images"),
        (
            400,
            "Invalid content type. image_url is only supported by certain models.",
            "images_unsupported",
            "sees images",
        ),
        (400, "this model does not support image input", "images_unsupported", "sees images"),
        (
            422,
            "Failed to deserialize the JSON body into the target type: messages[0]: unknown "
            "variant `image_url`, expected `text`",
            "images_unsupported",
            "sees images",
        ),
        # too much
        (413, "", "body_too_large", "longest_side"),
        (413, "Payload Too Large", "body_too_large", FEWER),
        (
            400,
            "Request payload size exceeds the limit: 20971520 bytes.",
            "body_too_large",
            "longest_side",
        ),
        (
            400,
            "Invalid 'messages[0].content[1].image_url.url': string too long. Expected a string "
            "with maximum length 20971520, but got a string with length 21133000 instead.",
            "body_too_large",
            "longest_side",
        ),
        (
            400,
            "The decoder prompt (length 8357) is longer than the maximum model length of 8192. "
            "Make sure that `max_model_len` is no smaller than the number of text tokens plus "
            "multimodal tokens.",
            "context_length",
            "max_pixels.*max_frames",
        ),
        (
            400,
            "The decoder prompt contains a(n) video item with length 16758, which exceeds the "
            "pre-allocated encoder cache size 16384. Please reduce the input size or increase the "
            "encoder cache size by setting --limit-mm-per-prompt at startup.",
            "context_length",
            "max_pixels.*max_frames",
        ),
        (
            400,
            "Multimodal prompt is too long after expanding multimodal tokens. After expanding "
            "len(req.origin_input_ids_unpadded)=40 => 9000 >= 8000.",
            "context_length",
            "max_frames",
        ),
        (
            400,
            "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
            "context_length",
            "max_frames",
        ),
        (
            400,
            "The input token count (1200000) exceeds the maximum number of tokens allowed "
            "(1048576).",
            "context_length",
            "max_frames",
        ),
        # a server that knows no vLLM
        (
            400,
            "Unrecognized request argument supplied: mm_processor_kwargs",
            "rejected_processor",
            "leave processor out",
        ),
    ],
)
def test_refused_frames_are_explained_and_not_tried_again(
    status: int, message: str, kind: str, advice: str
) -> None:
    server = Server([error(status, message)])
    with pytest.raises(AskRejected, match=advice) as caught:
        run(server, ask_with_frames, frames_as=FramesAs.VIDEO)
    assert caught.value.kind == kind
    assert message[:290] in str(caught.value)
    assert len(server.bodies) == 1


def test_words_of_a_relayed_server_are_found_and_quoted() -> None:
    raw = json.dumps({"error": {"message": "Exceeded maximum number of images (50) allowed"}})
    relayed = {"message": "Provider returned error", "code": 400, "metadata": {"raw": raw}}
    server = Server([http(400, json.dumps({"error": relayed}))])
    with pytest.raises(AskRejected, match=r"number of images \(50\)") as caught:
        run(server, ask_with_frames)
    assert caught.value.kind == "too_many_images"


def test_an_echo_of_the_request_is_not_taken_for_the_servers_words() -> None:
    echo = {"role": "user", "content": "Which seed? What temperature? Is video_url it?"}
    fault = {"type": "missing", "loc": ["body", "model"], "msg": "Field required", "input": echo}
    server = Server([http(422, json.dumps({"detail": [fault]}))])
    with pytest.raises(AskRejected, match="Field required") as caught:
        run(server, ask)
    assert caught.value.kind == "http_422"
    assert "temperature" not in str(caught.value)


def test_without_frames_nothing_is_said_of_frames() -> None:
    server = Server([error(400, "the request exceeds the available context size")])
    with pytest.raises(AskRejected, match="longer context") as caught:
        run(server, ask)
    assert "max_frames" not in str(caught.value)


def test_the_limit_goes_out_under_the_name_the_server_wants() -> None:
    refusal = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    async def ask_twice(model: OpenAIModel) -> None:
        before = model.describe()
        assert (await model.ask(REQUEST, 0, ())).text == "B"
        assert (await model.ask(REQUEST, 1, ())).text == "B"
        assert model.describe() == before

    server = Server([error(400, refusal), GOOD])
    run(server, ask_twice, max_tokens=50)
    names = [name for body in server.bodies for name in body if name.startswith("max_")]
    assert names == ["max_tokens", "max_completion_tokens", "max_completion_tokens"]
    assert server.bodies[1]["max_completion_tokens"] == 50


@pytest.mark.parametrize(
    "reply",
    [
        error(401, f"Incorrect API key provided: {KEY}"),
        http(400, f"x{' ' * 10}Authorization: Bearer {KEY} {'y' * 400}"),
        http(400, "z" * 290 + KEY),
        error(500, KEY),
        http(200, json.dumps({"error": KEY})),
        http(200, json.dumps({"error": "z" * 270 + KEY})),
    ],
)
def test_the_key_is_sent_and_never_shown(
    reply: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    caplog.set_level("DEBUG")
    server = Server([reply])

    async def act(model: OpenAIModel) -> None:
        shown = [repr(model), model.name, str(model.describe())]
        for use in (ask, check):
            with pytest.raises((AskRejected, AskInterrupted, ModelUnavailable)) as caught:
                await use(model)
            fault: BaseException | None = caught.value
            while fault is not None:
                shown += [str(fault), repr(fault)]
                fault = fault.__cause__ or fault.__context__
        assert not [text for text in shown if KEY[:14] in text]

    run(server, act, api_key_env="MY_KEY")
    assert KEY not in caplog.text
    assert all(f"authorization: bearer {KEY}" in head.lower() for head in server.heads)


def test_a_refusal_field_is_a_filtered_reply() -> None:
    message = {"content": None, "refusal": "I will not."}
    answer = run(Server([completion(None, message=message)]), ask)
    assert (answer.text, answer.finish_reason) == ("I will not.", FinishReason.FILTERED)


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("length", FinishReason.LENGTH),
        ("content_filter", FinishReason.FILTERED),
        ("tool_calls", FinishReason.OTHER),
        (None, FinishReason.OTHER),
    ],
)
def test_finish_reasons(sent: str | None, kept: FinishReason) -> None:
    answer = run(Server([completion(None, finish_reason=sent)]), ask)
    assert (answer.text, answer.finish_reason) == ("", kept)


def test_reasoning_content_is_not_part_of_the_reply() -> None:
    message = {"content": "B", "reasoning_content": "A? No."}
    assert run(Server([completion(None, message=message)]), ask).text == "B"


def test_letters_are_scored_from_the_likeliest_tokens() -> None:
    # A: 0.2 + 0.1 in two spellings; B: 0.1; the rest of the mass is on no letter.
    top = [
        {"token": "The", "logprob": -0.6931},
        {"token": " A", "logprob": -1.6094379},
        {"token": "A", "logprob": -2.3025851},
        {"token": "\u2581B", "logprob": -2.3025851},
        {"token": "AB", "logprob": -3.0},
    ]
    logprobs = {"content": [{"token": "The", "top_logprobs": top}]}
    server = Server([completion("The", logprobs=logprobs, finish_reason="length")])
    answer = run(server, ask, output=Output.LOGPROBS)
    assert answer.text == "A"
    assert answer.letter_probabilities == pytest.approx((0.75, 0.25), abs=1e-6)
    body = server.bodies[0]
    assert (body["max_tokens"], body["logprobs"], body["top_logprobs"]) == (1, True, 20)


def test_no_letter_among_the_tokens_leaves_the_token() -> None:
    logprobs = {"content": [{"top_logprobs": [{"token": "The", "logprob": -0.1}]}]}
    answer = run(Server([completion("The", logprobs=logprobs)]), ask, output=Output.LOGPROBS)
    assert (answer.text, answer.letter_probabilities) == ("The", None)


def test_a_server_without_logprobs_is_reported() -> None:
    with pytest.raises(AskRejected, match="output text") as caught:
        run(Server([GOOD]), ask, output=Output.LOGPROBS)
    assert caught.value.kind == "no_logprobs"


def test_structured_outputs() -> None:
    server = Server([GOOD])
    run(server, ask, output=Output.CHOICE)
    run(server, ask, output=Output.JSON)
    assert server.bodies[0]["structured_outputs"] == {"choice": ["A", "B"]}
    schema = server.bodies[1]["response_format"]["json_schema"]["schema"]
    assert schema["properties"] == {"answer": {"type": "string", "enum": ["A", "B"]}}


MODELS = http(200, json.dumps({"data": [{"id": "qwen3-8b"}, {"id": "llama"}]}))


def test_check_passes_on_a_listed_model_without_a_question() -> None:
    server = Server([error(500, "")], models=MODELS)
    run(server, check, model="llama")
    assert server.bodies == []


@pytest.mark.parametrize("models", [NO_ROUTE, MODELS, http(200, "hello"), error(500, "")])
def test_check_passes_if_chat_works(models: bytes) -> None:
    server = Server([GOOD], models=models)
    run(server, check)
    assert len(server.bodies) == 1


def test_check_names_near_models() -> None:
    server = Server([error(404, "no model qwen3-8")], models=MODELS)
    with pytest.raises(ModelUnavailable, match=r"http_?404|HTTP 404.*qwen3-8b"):
        run(server, check, model="qwen3-8")


def test_check_reports_a_refused_key() -> None:
    server = Server([error(401, "no")], models=error(401, "no"))
    with pytest.raises(ModelUnavailable, match="MY_KEY"):
        run(server, check, api_key_env="MY_KEY")


def test_check_reports_that_nobody_is_there() -> None:
    async def main() -> None:
        model = open_model("m@http://127.0.0.1:9/v1", settings())
        try:
            await model.check()
        finally:
            await model.close()

    with pytest.raises(ModelUnavailable, match=r"1:9/v1: the connection failed.*start"):
        asyncio.run(main())


def test_servers_share_the_load_and_a_dead_one_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    async def main() -> tuple[Server, Server]:
        async with (
            Server([GOOD], delay_seconds=0.01) as one,
            Server([GOOD], delay_seconds=0.01) as two,
        ):
            name = f"org/m@{one.url},{two.url},http://127.0.0.1:9/v1"
            model = open_model(name, settings())
            try:
                async with asyncio.TaskGroup() as group:
                    for draw in range(40):
                        group.create_task(model.ask(REQUEST, draw, ()))
            finally:
                await model.close()
            return one, two

    one, two = asyncio.run(main())
    assert len(one.bodies) + len(two.bodies) == 40
    assert min(len(one.bodies), len(two.bodies)) >= 10
    assert {body["model"] for body in one.bodies} == {"org/m"}
    assert all(KEY in head for head in two.heads)


def test_a_model_can_be_asked_again_after_closing() -> None:
    async def act(model: OpenAIModel) -> None:
        await ask(model)
        await model.close()
        await ask(model)

    run(Server([GOOD]), act)
