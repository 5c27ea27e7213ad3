"""Reads transcript files of every published form: Whisper JSON, SRT, WebVTT, subtitle JSON."""

import codecs
from pathlib import Path
from typing import Final

from video_oasis.errors import BenchmarkError
from video_oasis.speech.cues import is_subtitles, split_json, split_subtitles
from video_oasis.speech.repair import Repairs, repair_cues
from video_oasis.speech.transcript import Transcript

TRANSCRIPT_SUFFIXES: Final = (".json", ".srt", ".vtt")
"""Endings of the files that can be read."""

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_FALLBACK: Final = "windows-1252"


def read_transcript(path: Path, *, duration_seconds: float | None = None) -> Transcript:
    """Read a transcript file; ``read_repaired_transcript`` tells what was wrong with it.

    Args:
        path: the file.
        duration_seconds: length of the whole video, where known: the end of a last segment that
            the file leaves open.

    Returns:
        The transcript; empty if the file holds none.

    Raises:
        BenchmarkError: the file cannot be read as a transcript.
    """
    return read_repaired_transcript(path, duration_seconds=duration_seconds)[0]


def read_repaired_transcript(
    path: Path, *, duration_seconds: float | None = None
) -> tuple[Transcript, Repairs]:
    """Read a transcript file, and count what had to be repaired.

    The content decides the form, not the name. Bytes are UTF-8, or UTF-16 or UTF-32 with a byte
    order mark; bytes that are none of these are taken for Windows-1252, the superset of Latin-1
    that old subtitle files are written in, and the repairs say so.

    Args:
        path: the file.
        duration_seconds: as for ``read_transcript``.

    Returns:
        The transcript, empty if the file holds none, and its repairs.

    Raises:
        BenchmarkError: the file cannot be read as a transcript.
    """
    text, encoding = _read_text(path)
    beginning = text.lstrip()
    if beginning.startswith(("{", "[")) or path.suffix.lower() == ".json":
        source, cues = "json", split_json(text, str(path))
    elif beginning.startswith("WEBVTT"):
        source, cues = "webvtt", split_subtitles(text, str(path), is_vtt=True)
    elif is_subtitles(text) or not beginning:
        source, cues = "srt", split_subtitles(text, str(path), is_vtt=False)
    else:
        raise BenchmarkError(
            f"{path}: begins with {beginning[:40]!r}; expected SRT, WebVTT, or JSON with "
            "segments and their times"
        )
    return repair_cues(cues, source=source, encoding=encoding, duration_seconds=duration_seconds)


def _read_text(path: Path) -> tuple[str, str]:
    """Return the text, and the encoding guessed for it if it is no Unicode."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BenchmarkError(f"{path}: cannot be read ({error.strerror})") from error
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        return content.decode(encoding), ""
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            raise BenchmarkError(
                f"{path}: begins as {encoding}, but byte {error.start + 1} does not go on so; is "
                "the file cut?"
            ) from error
        return content.decode(_FALLBACK, errors="replace"), _FALLBACK
