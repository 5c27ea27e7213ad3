"""Takes from a transcript what a question's clip covers, and cuts it to a number of characters."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Final

from video_oasis.errors import SchemaError
from video_oasis.prompts import transcript_lines
from video_oasis.speech.transcript import Segment, Transcript

_PIECES_PER_BUDGET: Final = 10
_MIN_PIECE_CHARACTERS: Final = 20
_ELLIPSIS: Final = "…"


@dataclass(frozen=True, slots=True)
class TranscriptCut:
    """How much of a transcript is shown.

    Attributes:
        n_segments: segments there are.
        n_kept: segments shown, whole or in part.
        n_cut_inside: those of them that are shown in part only.
        n_characters: length of the text with all segments.
        n_kept_characters: length of the text shown.
    """

    n_segments: int
    n_kept: int
    n_cut_inside: int
    n_characters: int
    n_kept_characters: int

    @property
    def is_whole(self) -> bool:
        """Whether nothing was left out."""
        return self.n_characters == self.n_kept_characters


def take_window(
    transcript: Transcript, *, start_seconds: float | None, end_seconds: float | None
) -> Transcript:
    """Keep the segments that overlap a clip window.

    A segment that only partly lies in the window is kept whole: its words have no times, so any
    cut would be a guess. Touching an edge is no overlap; a segment without length counts as the
    moment it starts at. Times stay those of the whole video, because questions that name a time
    mean the video's, and so that a segment reads the same in every window.

    Args:
        transcript: of the whole video.
        start_seconds: start of the window, None for the video's.
        end_seconds: end of the window, None for the video's.
    """
    start = -1.0 if start_seconds is None else start_seconds
    end = float("inf") if end_seconds is None else end_seconds
    kept = tuple(
        segment
        for segment in transcript.segments
        if segment.start_seconds < end
        and (segment.end_seconds > start or segment.start_seconds == start)
    )
    return replace(transcript, segments=kept)


def count_from(transcript: Transcript, start_seconds: float) -> Transcript:
    """Count the times of a transcript from another moment.

    For subtitles of a longer video than the one that is kept, such as LongVideoBench's: there the
    video file begins ``METADATA_SUBTITLES_START`` seconds into its subtitles. What ended before
    that moment is dropped; what was still being said then starts at 0. Subtitles after the video's
    end stay: leave them out with ``take_window``.

    Args:
        transcript: with times of the longer video.
        start_seconds: the moment that becomes 0.
    """
    moved = tuple(
        Segment(
            max(0.0, segment.start_seconds - start_seconds),
            segment.end_seconds - start_seconds,
            segment.text,
        )
        for segment in transcript.segments
        if segment.end_seconds > start_seconds or segment.start_seconds == start_seconds
    )
    return replace(transcript, segments=moved)


def cut_transcript(segments: Sequence[Segment], max_characters: int) -> tuple[str, TranscriptCut]:
    """Word segments for a prompt, in at most so many characters.

    A text that fits is shown whole. Otherwise an even sample of it is shown, as a question may be
    about any part: segments too long for one are first split between words, into pieces of a tenth
    of the limit or less; then segments and pieces are taken in an order in which every beginning
    is spread evenly over the whole (the first, the middle, the quarters and so on), until the next
    one no longer fits. They are shown in order of time. A piece has its segment's times, and ``…``
    where it was cut.

    Args:
        segments: in order of time.
        max_characters: most characters of the text, times and line ends included.

    Returns:
        The text, empty if not even one piece fits; and what was cut.

    Raises:
        SchemaError: the limit is negative.
    """
    if max_characters < 0:
        raise SchemaError(f"{max_characters} characters of a transcript; expected 0 or more")
    whole = transcript_lines(segments)
    if len(whole) <= max_characters:
        n = len(segments)
        return whole, TranscriptCut(n, n, 0, len(whole), len(whole))
    pieces = [
        (number, piece)
        for number, segment in enumerate(segments)
        for piece in _split(segment, max_characters // _PIECES_PER_BUDGET)
    ]
    kept: list[int] = []
    n_characters = -1
    for index in _spread(len(pieces)):
        n_characters += len(transcript_lines([pieces[index][1]])) + 1
        if n_characters > max_characters:
            break
        kept.append(index)
    shown = [pieces[index] for index in sorted(kept)]
    text = transcript_lines([piece for _, piece in shown])
    n_pieces = Counter(number for number, _ in pieces)
    n_shown = Counter(number for number, _ in shown)
    return text, TranscriptCut(
        n_segments=len(segments),
        n_kept=len(n_shown),
        n_cut_inside=sum(n < n_pieces[number] for number, n in n_shown.items()),
        n_characters=len(whole),
        n_kept_characters=len(text),
    )


def _split(segment: Segment, max_characters: int) -> list[Segment]:
    """Split a segment so that no line of it is longer, as far as its times leave room."""
    line = transcript_lines([segment])
    if len(line) <= max_characters:
        return [segment]
    n_times = len(line) - len(segment.text)
    width = max(_MIN_PIECE_CHARACTERS, max_characters - n_times - 2 * (len(_ELLIPSIS) + 1))
    texts = wrap(segment.text, width, break_on_hyphens=False)
    last = len(texts) - 1
    return [
        replace(
            segment,
            text=f"{f'{_ELLIPSIS} ' if number else ''}{text}{f' {_ELLIPSIS}' * (number < last)}",
        )
        for number, text in enumerate(texts)
    ]


def _spread(n: int) -> list[int]:
    """Order positions so that every first few of them are spread evenly (van der Corput)."""
    n_bits = max(1, (n - 1).bit_length())
    return sorted(range(n), key=lambda position: int(f"{position:0{n_bits}b}"[::-1], 2))
