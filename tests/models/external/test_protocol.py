"""What is written to a program, and what is taken for a reply."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import AskInterrupted, AskRejected
from video_oasis.models.external.protocol import question_id, read_reply, write_question
from video_oasis.schema import Answer, Request, Usage

ID = "request1-ab/0"


def line(**fields: Any) -> bytes:
    return json.dumps({"id": ID, **fields}).encode()


def test_a_question_is_one_line_with_all_that_is_shown(
    make_request: Callable[..., Request],
) -> None:
    request = make_request("Which?\nReply.", n_frames=2)
    written = write_question(request, 3, [Path("/x/frame0.jpg"), Path("/x/frame1.jpg")])
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    assert json.loads(written) == {
        "id": f"{request.id}/3",
        "draw": 3,
        "system": "",
        "text": "Which?\nReply.",
        "letters": ["A", "B", "C", "D"],
        "frames": [
            {"path": "/x/frame0.jpg", "digest": "frame0", "seconds": 0.0},
            {"path": "/x/frame1.jpg", "digest": "frame1", "seconds": 1.5},
        ],
    }


def test_a_single_frame_has_no_time(make_request: Callable[..., Request]) -> None:
    written = write_question(make_request(n_frames=1), 0, [Path("/x/frame0.jpg")])
    assert json.loads(written)["frames"][0]["seconds"] is None


def test_draws_have_ids_of_their_own(make_request: Callable[..., Request]) -> None:
    request = make_request()
    assert question_id(request, 0) != question_id(request, 1)


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        (line(answer="B"), Answer("B")),
        (line(answer="I think it is (C).", more=1), Answer("I think it is (C).")),
        (line(answer="", error=None), Answer("")),
        (line(answer="B", usage={"prompt_tokens": 7}), Answer("B", usage=Usage(7, None))),
        (
            line(answer="B", usage={"prompt_tokens": 7, "completion_tokens": 0, "calls": 2}),
            Answer("B", usage=Usage(7, 0)),
        ),
    ],
)
def test_replies(reply: bytes, answer: Answer) -> None:
    assert read_reply(reply, ID) == answer


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (b"Loading checkpoint shards: 100%", "bad_json"),
        (b"", "bad_json"),
        (b"\xff\xfe{}", "bad_json"),
        (b"[" * 100_000, "bad_json"),
        (b'"B"', "bad_reply"),
        (line(), "bad_reply"),
        (line(answer=1), "bad_reply"),
        (line(answer=None), "bad_reply"),
        (line(answer="B", usage=[7]), "bad_reply"),
        (line(answer="B", usage={"prompt_tokens": -1}), "bad_reply"),
        (line(answer="B", usage={"prompt_tokens": True}), "bad_reply"),
        (line(answer="B", usage={"prompt_tokens": 2**70}), "bad_reply"),
        (b'{"answer": "B"}', "wrong_id"),
        (b'{"id": "request1-ab/1", "answer": "B"}', "wrong_id"),
    ],
)
def test_what_is_no_reply(reply: bytes, kind: str) -> None:
    with pytest.raises(AskInterrupted) as caught:
        read_reply(reply, ID)
    assert caught.value.kind == kind
    assert "nothing else on stdout" in str(caught.value)
    assert len(str(caught.value)) < 600
    str(caught.value).encode()


def test_a_program_can_say_that_it_has_no_answer() -> None:
    with pytest.raises(AskRejected, match="no frames: half \ufffd") as caught:
        read_reply(line(error="no frames: half \ud800"), ID)
    assert caught.value.kind == "program_error"
