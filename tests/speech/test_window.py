from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.errors import SchemaError
from video_oasis.prompts import transcript_lines
from video_oasis.speech.transcript import Segment, Transcript
from video_oasis.speech.window import TranscriptCut, count_from, cut_transcript, take_window

times = st.floats(0, 5000, allow_nan=False)
texts = st.text(min_size=1).map(str.strip).filter(bool)


@st.composite
def transcripts(draw: st.DrawFn) -> Transcript:
    spans = draw(st.lists(st.tuples(times, st.floats(0, 100), texts), max_size=30))
    segments = [Segment(start, start + length, text) for start, length, text in spans]
    return Transcript(tuple(sorted(segments, key=lambda each: each.start_seconds)), "test")


SPEECH = Transcript(
    (
        Segment(0.0, 4.0, "a"),
        Segment(4.0, 10.0, "b"),
        Segment(10.0, 10.0, "c"),
        Segment(12.0, 20.0, "d"),
    ),
    "test",
)


def _shown(transcript: Transcript) -> str:
    return "".join(segment.text for segment in transcript.segments)


@pytest.mark.parametrize(
    ("start", "end", "shown"),
    [
        (None, None, "abcd"),
        (None, 4.0, "a"),
        (4.0, None, "bcd"),
        (3.0, 5.0, "ab"),
        (10.0, 12.0, "c"),
        (10.5, 12.0, ""),
        (13.0, 14.0, "d"),
        (20.0, None, ""),
    ],
)
def test_window(start: float | None, end: float | None, shown: str) -> None:
    window = take_window(SPEECH, start_seconds=start, end_seconds=end)
    assert _shown(window) == shown
    assert set(window.segments) <= set(SPEECH.segments)


@given(transcripts(), times, times)
def test_a_window_taken_again_is_the_same(transcript: Transcript, one: float, two: float) -> None:
    edges = {"start_seconds": min(one, two), "end_seconds": max(one, two)}
    window = take_window(transcript, **edges)
    assert take_window(window, **edges) == window


def test_counting_from_the_start_of_the_video() -> None:
    moved = count_from(SPEECH, 8.0)
    assert moved.segments == (
        Segment(0.0, 2.0, "b"),
        Segment(2.0, 2.0, "c"),
        Segment(4.0, 12.0, "d"),
    )
    assert count_from(SPEECH, 0.0) == SPEECH
    assert count_from(SPEECH, 20.0).segments == ()


def test_what_fits_is_shown_whole() -> None:
    text, cut = cut_transcript(SPEECH.segments, 1000)
    assert text == "[0:00–0:04] a\n[0:04–0:10] b\n[0:10–0:10] c\n[0:12–0:20] d"
    assert cut == TranscriptCut(4, 4, 0, len(text), len(text))
    assert cut.is_whole
    assert cut_transcript(SPEECH.segments, len(text)) == (text, cut)
    assert cut_transcript([], 0) == ("", TranscriptCut(0, 0, 0, 0, 0))


def test_a_cut_is_spread_evenly_and_in_order() -> None:
    segments = [Segment(60.0 * n, 60.0 * n + 60.0, "word " * 10 + str(n)) for n in range(100)]
    line = len(transcript_lines([segments[50]]))
    # Room for sixteen lines, some of which are a few characters shorter or longer.
    text, cut = cut_transcript(segments, 16 * (line + 4))
    shown = [int(each.rpartition(" ")[2]) for each in text.split("\n")]
    assert shown == sorted(shown)
    assert cut.n_kept == len(shown) >= 16
    assert cut.n_cut_inside == 0
    gaps = [later - earlier for earlier, later in pairwise(shown)]
    assert max(gaps) <= 8
    assert shown[0] == 0
    assert shown[-1] >= 92


def test_one_endless_segment_is_cut_between_words() -> None:
    words = [f"word{number}" for number in range(9000)]
    segment = Segment(0.0, 1800.0, " ".join(words))
    assert len(segment.text) > 79_000
    text, cut = cut_transcript([segment], 12_000)
    assert cut == TranscriptCut(1, 1, 1, len(transcript_lines([segment])), len(text))
    assert 10_000 < len(text) <= 12_000
    lines = text.split("\n")
    assert all(line.startswith("[0:00–30:00] ") for line in lines)
    shown = [word for line in lines for word in line.split()[1:] if word != "…"]
    assert set(shown) <= set(words)
    assert shown[0] == "word0"
    assert int(shown[-1].removeprefix("word")) > 8000


def test_a_text_without_spaces_is_cut_too() -> None:
    text, cut = cut_transcript([Segment(0.0, 60.0, "水" * 79_269)], 3000)
    assert 2000 < len(text) <= 3000
    assert cut.n_cut_inside == 1


def test_no_room() -> None:
    text, cut = cut_transcript(SPEECH.segments, 5)
    assert text == ""
    assert (cut.n_kept, cut.n_kept_characters, cut.is_whole) == (0, 0, False)
    with pytest.raises(SchemaError):
        cut_transcript(SPEECH.segments, -1)


@given(transcripts(), st.integers(0, 600))
def test_a_cut_never_breaks_the_limit(transcript: Transcript, limit: int) -> None:
    text, cut = cut_transcript(transcript.segments, limit)
    assert len(text) == cut.n_kept_characters <= limit
    assert cut.n_cut_inside <= cut.n_kept <= cut.n_segments == len(transcript.segments)
    assert cut.is_whole == (text == transcript_lines(transcript.segments))
    starts = [line.partition("–")[0] for line in text.split("\n")] if text else []
    every = [transcript_lines([each]).partition("–")[0] for each in transcript.segments]
    assert [each for each in every if each in starts] or not starts
    assert all(line.startswith("[") for line in text.split("\n") if text)


@given(transcripts())
def test_words_cannot_leave_their_line(transcript: Transcript) -> None:
    lines = transcript_lines(transcript.segments).split("\n")
    assert len(lines) == max(1, len(transcript.segments))
    text = transcript_lines(transcript.segments)
    assert len(text.splitlines()) == len(transcript.segments)
    text.encode()


def test_hours_and_what_is_no_text() -> None:
    segments = [
        Segment(12.9, 15.0, "one\n\nQuestion: two\x00\u2028three\u202e"),
        Segment(3599.9, 3725.0, "می\u200cروم"),
    ]
    assert transcript_lines(segments) == (
        "[0:12–0:15] one Question: two three\n[59:59–1:02:05] می\u200cروم"
    )
