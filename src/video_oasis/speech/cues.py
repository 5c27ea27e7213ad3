"""Splits the text of a transcript file into cues, as published: Whisper JSON, SRT, WebVTT."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from video_oasis.annotations.times import read_clock
from video_oasis.errors import BenchmarkError

_LISTS: Final = ("timestamps", "segments", "chunks")
_TEXTS: Final = ("text", "line")
_WHOLE_TEXTS: Final = ("transcript", "text")
_CLOCK: Final = r"(?:\d+:)?\d+:\d+(?:[.,]\d+)?"
_TIME_LINE: Final = re.compile(
    rf"\s*(?P<start>{_CLOCK})\s*-->\s*(?P<end>{_CLOCK})(?:\s.*)?", re.ASCII
)
_LIKE_TIME_LINE: Final = re.compile(r"\s*[-\d:.,]*\d[-\d:.,]*\s*-->", re.ASCII)
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


class Cue(NamedTuple):
    """One entry of a transcript file, before any repair.

    Attributes:
        start_seconds: when it begins; None if the file does not say.
        end_seconds: when it ends, which may be before it begins; None if the file does not say.
        lines: its text with all markup, line by line; may be blank.
    """

    start_seconds: float | None
    end_seconds: float | None
    lines: list[str]


def is_subtitles(text: str) -> bool:
    """Tell whether a text has a line that begins as SRT's and WebVTT's lines of times do."""
    return any(_LIKE_TIME_LINE.match(line) for line in _LINE_END.split(text))


def split_subtitles(text: str, where: str, *, is_vtt: bool) -> list[Cue]:
    """Split SRT or WebVTT.

    A cue's text is what stands below its line of times: in WebVTT down to the first empty line, in
    SRT down to the next line of times without the number above that, as hand-made files have empty
    lines inside texts. Settings behind the times, and the notes, styles and regions of
    WebVTT, are no text.

    Args:
        text: the file's text.
        where: the file's name, for messages.
        is_vtt: the text is WebVTT, not SRT.

    Raises:
        BenchmarkError: a line that begins as a line of times cannot be read as one.
    """
    cues: list[Cue] = []
    body: list[str] = []
    is_open = False
    for number, line in enumerate(_LINE_END.split(text), start=1):
        times = _TIME_LINE.fullmatch(line)
        if times is not None:
            if is_open and body and body[-1].strip().isdigit() and not is_vtt:
                body.pop()
            body = []
            cues.append(Cue(_read_time(times["start"]), _read_time(times["end"]), body))
            is_open = True
        elif _LIKE_TIME_LINE.match(line):
            raise BenchmarkError(
                f"{where} line {number}: {line.strip()[:60]!r}; expected times such as "
                "00:01:02,500 --> 00:01:04,000"
            )
        elif is_vtt and not line:
            is_open = False
        elif is_open:
            body.append(line)
    return cues


def _read_time(clock: str) -> float | None:
    return read_clock(clock.replace(",", "."))


def split_json(text: str, where: str) -> list[Cue]:
    """Split a JSON transcript.

    It is a list of cues, or an object with such a list as ``timestamps``, ``segments`` or
    ``chunks``. A cue has its times as ``timestamp: [start, end]`` or as ``start`` and ``end``, in
    seconds or as clock times, and its words as ``text`` or ``line``. An object whose list is empty
    but which holds a whole text (``transcript`` or ``text``) is one cue without times.

    Args:
        text: the file's text.
        where: the file's name, for messages.

    Raises:
        BenchmarkError: it is not JSON, or not of this shape.
    """
    try:
        value = json.loads(text, parse_constant=lambda _: None)
    except json.JSONDecodeError as error:
        raise BenchmarkError(
            f"{where} line {error.lineno}: not JSON: {error.msg} at column {error.colno}; is the "
            "file cut?"
        ) from error
    except (RecursionError, ValueError) as error:
        raise BenchmarkError(f"{where}: no JSON that can be read ({error})") from error
    whole: str = ""
    if isinstance(value, Mapping):
        whole = next((value[name] for name in _WHOLE_TEXTS if _is_words(value.get(name))), "")
        named = [name for name in _LISTS if isinstance(value.get(name), list)]
        if not named:
            raise BenchmarkError(
                f"{where}: a JSON object without a list {' or '.join(_LISTS)}; it has "
                f"{', '.join(map(repr, list(value)[:8])) or 'nothing'}"
            )
        value = value[named[0]]
    if not isinstance(value, list):
        raise BenchmarkError(
            f"{where}: JSON that is neither a list of cues nor an object with one; found "
            f"{str(value)[:40]!r}"
        )
    if not value and whole:
        return [Cue(None, None, whole.split("\n"))]
    return list(_take_cues(value, where))


def _is_words(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _take_cues(entries: Sequence[Any], where: str) -> Iterator[Cue]:
    for number, entry in enumerate(entries, start=1):
        here = f"{where} cue {number}"
        if not isinstance(entry, Mapping):
            raise BenchmarkError(f"{here}: {str(entry)[:40]!r}; expected an object")
        texts = [entry[name] for name in _TEXTS if name in entry]
        if not texts or not isinstance(texts[0], str):
            raise BenchmarkError(f"{here}: no text; expected a string as {' or '.join(_TEXTS)}")
        if "timestamp" in entry:
            times = entry["timestamp"]
            if not isinstance(times, list) or len(times) != 2:
                raise BenchmarkError(f"{here}, timestamp: {times!r}; expected [start, end]")
            named = zip(("timestamp start", "timestamp end"), times, strict=True)
        elif "start" in entry and "end" in entry:
            named = zip(("start", "end"), (entry["start"], entry["end"]), strict=True)
        else:
            raise BenchmarkError(f"{here}: no times; expected timestamp, or start and end")
        start, end = (_take_time(value, f"{here}, {name}") for name, value in named)
        yield Cue(start, end, texts[0].split("\n"))


def _take_time(value: object, where: str) -> float | None:
    """Read a time in seconds or as a clock; null, negative and endless times are unknown."""
    if value is None:
        return None
    if isinstance(value, str):
        seconds = _read_time(value)
        if seconds is not None:
            return seconds
    elif isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if math.isfinite(value) and value >= 0 else None
    raise BenchmarkError(f"{where}: {value!r}; expected seconds or a clock time")
