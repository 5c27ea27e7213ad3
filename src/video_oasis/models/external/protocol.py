"""What is written to a program, and the answer in what it replies: one JSON object a line."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import AskInterrupted, AskRejected
from video_oasis.schema import Answer, Request, Usage
from video_oasis.surrogates import replace_surrogates

_QUOTED_CHARACTERS: Final = 300
_MOST_TOKENS: Final = 2**53
_FORM: Final = 'expected one line such as {"id": "…", "answer": "B"}, with the id of the question'


def question_id(request: Request, draw: int) -> str:
    """Return the id that a reply has to repeat, so that no reply is taken for another question's.

    Args:
        request: what is asked.
        draw: which of several independent answers.
    """
    return f"{request.id}/{draw}"


def write_question(request: Request, draw: int, pictures: Sequence[Path]) -> bytes:
    """Return a question as one line.

    A single frame has no time: it is an image, as for every other model.

    Args:
        request: what to show.
        draw: which of several independent answers.
        pictures: the files of the frames, in the order to show them.
    """
    is_video = len(request.frames) > 1
    question = {
        "id": question_id(request, draw),
        "draw": draw,
        "system": request.system,
        "text": request.text,
        "letters": list(request.letters),
        "frames": [
            {
                "path": str(picture),
                "digest": frame.digest,
                "seconds": frame.seconds if is_video else None,
            }
            for frame, picture in zip(request.frames, pictures, strict=True)
        ],
    }
    return json.dumps(question).encode() + b"\n"


def read_reply(line: bytes, expected_id: str) -> Answer:
    """Return the answer in a line that a program wrote.

    Args:
        line: the line.
        expected_id: the id of the question.

    Raises:
        AskInterrupted: the line is no reply to this question; what the program writes next cannot
            be trusted either.
        AskRejected: it is, and says that the program has no answer.
    """
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        raise _misunderstood("bad_json", "wrote a line that is no JSON", line) from None
    if not isinstance(reply, dict):
        raise _misunderstood("bad_reply", "wrote JSON that is no object", line)
    if reply.get("id") != expected_id:
        raise _misunderstood("wrong_id", "wrote a line without the id of its question", line)
    error, answer = reply.get("error"), reply.get("answer")
    if isinstance(error, str) and answer is None:
        raise AskRejected("program_error", f"the program says: {shorten(error)}")
    if not isinstance(answer, str):
        raise _misunderstood("bad_reply", "replied without an answer that is text", line)
    usage = reply.get("usage")
    if usage is None:
        return Answer(answer)
    if not isinstance(usage, dict) or not all(map(_is_count, usage.values())):
        raise _misunderstood("bad_reply", "replied with a usage that is no numbers of tokens", line)
    return Answer(answer, usage=_read_usage(usage))


def shorten(text: str) -> str:
    """Return a program's words in one line, cut to what a message has room for."""
    line = " ".join(replace_surrogates(text).split())
    return line if len(line) <= _QUOTED_CHARACTERS else f"{line[:_QUOTED_CHARACTERS]}…"


def _misunderstood(kind: str, what: str, line: bytes) -> AskInterrupted:
    said = shorten(line.decode(errors="replace"))
    return AskInterrupted(kind, f"the program {what}: {said}; {_FORM}, and nothing else on stdout")


def _is_count(value: Any) -> bool:
    return value is None or (type(value) is int and 0 <= value < _MOST_TOKENS)


def _read_usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
