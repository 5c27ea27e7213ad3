"""What a transcription server is sent and what it sends back."""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

import av
import numpy as np

from video_oasis.errors import AskInterrupted
from video_oasis.media.audio import SAMPLE_RATE, Samples
from video_oasis.speech.recognisers.interface import Heard

FLAC_BYTES_PER_SECOND: Final = 33_000
"""The most that a second of sound takes; noise that cannot be packed is kept as it is."""


def encode_sound(samples: Samples) -> bytes:
    """Encode sound as FLAC with 16 bits a sample."""
    whole = np.clip(np.rint(samples * 32768), -32768, 32767).astype(np.int16)
    buffer = BytesIO()
    with av.open(buffer, "w", format="flac") as container:
        stream = container.add_stream("flac", rate=SAMPLE_RATE, layout="mono")
        frame = av.AudioFrame.from_ndarray(whole[np.newaxis], format="s16", layout="mono")
        frame.sample_rate = SAMPLE_RATE
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return buffer.getvalue()


def read_transcription(
    content_type: str, content: bytes, duration_seconds: float
) -> Sequence[Heard]:
    """Return what a reply says was heard.

    A reply with segments gives each of them. Plain text, or one that has no segments or a segment
    without times, gives all its text as one piece over the whole sound.

    Args:
        content_type: the type the reply states, such as ``application/json``.
        content: the body of a successful reply.
        duration_seconds: length of the sound that was sent.

    Raises:
        AskInterrupted: the body is no transcription; asked again, the server may do better.
    """
    if content_type.startswith("text/plain"):
        return [Heard(0.0, duration_seconds, content.decode("utf-8", "replace"), is_timed=False)]
    try:
        body: Any = json.loads(content)
    except ValueError:
        kind = "html" if content.lstrip()[:1] == b"<" else "bad_json"
        raise AskInterrupted(kind, f"the reply is no JSON: {_quote(content)}") from None
    text = body.get("text") if isinstance(body, dict) else None
    if not isinstance(text, str):
        raise AskInterrupted("no_text", f"the reply holds no text: {_quote(content)}")
    try:
        return [
            Heard(float(each["start"]), float(each["end"]), str(each["text"]))
            for each in body["segments"]
        ]
    except (KeyError, TypeError, ValueError):
        return [Heard(0.0, duration_seconds, text, is_timed=False)]


def _quote(content: bytes) -> str:
    text = " ".join(content[:1000].decode("utf-8", "replace").split())
    return repr(text if len(text) <= 200 else f"{text[:200]}…")
