"""Makes a sound transcript of the cues of a file, and counts what was wrong with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from video_oasis.speech.cleaning import clean_text
from video_oasis.speech.cues import Cue
from video_oasis.speech.transcript import Segment, Transcript


@dataclass(frozen=True, slots=True)
class Repairs:
    """What had to be repaired in a transcript file.

    Attributes:
        n_missing_times: starts and ends that the file does not give: filled from the neighbours.
        n_swapped: segments that end before they start: the two times were swapped.
        n_empty: cues without a word: dropped.
        n_repeated: cues that only repeat a line of the one in front, as captions that roll do:
            dropped; and those that begin with it: the repeated line was dropped.
        n_unordered: segments that start before the one in front of them: sorted.
        n_overlapping: segments that start before an earlier one has ended: left as they are, people
            do speak at once.
        encoding: the encoding taken for bytes that are no Unicode; empty for Unicode.
    """

    n_missing_times: int = 0
    n_swapped: int = 0
    n_empty: int = 0
    n_repeated: int = 0
    n_unordered: int = 0
    n_overlapping: int = 0
    encoding: str = ""


def repair_cues(
    cues: Sequence[Cue],
    *,
    source: str,
    encoding: str = "",
    duration_seconds: float | None = None,
) -> tuple[Transcript, Repairs]:
    """Make a transcript of cues.

    A missing start is the end of the cue in front, or 0 for the first. A missing end is the start
    of the next cue; the last cue goes on to the end of the video, as Whisper leaves the end open
    where speech is cut off there. Where that is not known or comes before the start, the cue is
    taken to end where it starts. An end before the start is swapped with it: where Whisper joins
    its windows, such a segment repeats what was said between the two.

    Args:
        cues: in published order.
        source: the transcript's source.
        encoding: the encoding guessed for the file, to be recorded.
        duration_seconds: length of the whole video, None if not known.

    Returns:
        The transcript, and what was repaired.
    """
    rolled, n_repeated = _drop_rolled_lines(cues)
    spans = _fill_times(rolled, duration_seconds)
    n_swapped = n_empty = 0
    segments: list[Segment] = []
    for (start, end), cue in zip(spans, rolled, strict=True):
        text = clean_text("\n".join(cue.lines))
        if not text:
            n_empty += 1
            continue
        n_swapped += end < start
        segments.append(Segment(min(start, end), max(start, end), text))
    n_unordered = sum(
        later.start_seconds < earlier.start_seconds for earlier, later in pairwise(segments)
    )
    segments.sort(key=lambda segment: segment.start_seconds)
    repairs = Repairs(
        n_missing_times=sum(
            (cue.start_seconds is None) + (cue.end_seconds is None) for cue in rolled
        ),
        n_swapped=n_swapped,
        n_empty=n_empty,
        n_repeated=n_repeated,
        n_unordered=n_unordered,
        n_overlapping=_count_overlaps(segments),
        encoding=encoding,
    )
    return Transcript(tuple(segments), source), repairs


def _drop_rolled_lines(cues: Sequence[Cue]) -> tuple[list[Cue], int]:
    """Drop the lines with which captions that roll repeat what they showed just before.

    Captions roll where a cue of several lines begins with the last line of the cue in front of it,
    which ends as this one starts; then the cues of one line between them are repeats too.
    """
    lines = [[text for line in cue.lines if (text := clean_text(line))] for cue in cues]
    follows = [
        earlier.end_seconds is not None and earlier.end_seconds == later.start_seconds
        for earlier, later in pairwise(cues)
    ]
    repeats = [
        bool(above and below and touches and above[-1] == below[0])
        for (above, below), touches in zip(pairwise(lines), follows, strict=True)
    ]
    if not any(repeat and len(below) > 1 for repeat, below in zip(repeats, lines[1:], strict=True)):
        return list(cues), 0
    kept = list(cues[:1])
    for cue, its_lines, repeat in zip(cues[1:], lines[1:], repeats, strict=True):
        if not repeat:
            kept.append(cue)
        elif its_lines[1:]:
            kept.append(cue._replace(lines=its_lines[1:]))
    return kept, sum(repeats)


def _fill_times(cues: Sequence[Cue], duration_seconds: float | None) -> list[tuple[float, float]]:
    """Return the start and the end of each cue; they may still be in the wrong order."""
    starts: list[float] = []
    last_seconds = 0.0
    for cue in cues:
        start = last_seconds if cue.start_seconds is None else cue.start_seconds
        starts.append(start)
        last_seconds = start if cue.end_seconds is None else cue.end_seconds
    nexts = [*starts[1:], duration_seconds or 0.0] if cues else []
    return [
        (start, max(start, following) if cue.end_seconds is None else cue.end_seconds)
        for cue, start, following in zip(cues, starts, nexts, strict=True)
    ]


def _count_overlaps(segments: Sequence[Segment]) -> int:
    n_overlapping = 0
    latest_seconds = 0.0
    for segment in segments:
        n_overlapping += segment.start_seconds < latest_seconds
        latest_seconds = max(latest_seconds, segment.end_seconds)
    return n_overlapping
