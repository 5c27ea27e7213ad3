import codecs
import json
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.speech.files import read_repaired_transcript, read_transcript
from video_oasis.speech.repair import Repairs

Spans = list[tuple[float, float, str]]


def _read(path: Path, content: str | bytes | list[Any] | dict[str, Any]) -> tuple[Spans, Repairs]:
    if isinstance(content, list | dict):
        content = json.dumps(content)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    transcript, repairs = read_repaired_transcript(path)
    segments = [(each.start_seconds, each.end_seconds, each.text) for each in transcript.segments]
    return segments, repairs


def _whisper(*cues: tuple[float | None, float | None, str], transcript: str = "") -> dict[str, Any]:
    return {
        "video_id": "v.mp4.mp3",
        "transcript": transcript,
        "timestamps": [{"timestamp": [start, end], "text": text} for start, end, text in cues],
    }


def test_whisper_json(tmp_path: Path) -> None:
    content = _whisper((0.0, 2.5, " Mind the step."), (2.5, 4.0, " 二つ目。"))
    assert _read(tmp_path / "v.mp4.mp3.json", content) == (
        [(0.0, 2.5, "Mind the step."), (2.5, 4.0, "二つ目。")],
        Repairs(),
    )


def test_missing_times_come_from_the_neighbours(tmp_path: Path) -> None:
    content = _whisper((None, 1.0, "a"), (None, None, "b"), (3.0, None, "c"), (7.0, None, "d"))
    spans, repairs = _read(tmp_path / "v.json", content)
    assert spans == [(0.0, 1.0, "a"), (1.0, 3.0, "b"), (3.0, 7.0, "c"), (7.0, 7.0, "d")]
    assert repairs == Repairs(n_missing_times=5)


def test_an_open_end_goes_on_to_the_end_of_the_video(tmp_path: Path) -> None:
    path = tmp_path / "v.json"
    path.write_text(json.dumps(_whisper((7.0, None, "d"))))
    assert read_transcript(path, duration_seconds=9.5).segments[0].end_seconds == 9.5
    assert read_transcript(path, duration_seconds=6.0).segments[0].end_seconds == 7.0


def test_negative_and_endless_times_are_missing(tmp_path: Path) -> None:
    content = '{"timestamps": [{"timestamp": [-3, NaN], "text": "a"}]}'
    spans, repairs = _read(tmp_path / "v.json", content)
    assert spans == [(0.0, 0.0, "a")]
    assert repairs.n_missing_times == 2


def test_swapped_and_unordered_segments(tmp_path: Path) -> None:
    # As where Whisper joins two windows: the third goes back, the last repeats the second.
    content = _whisper((0.0, 2.0, "a"), (2.0, 4.0, "b"), (4.0, 2.5, "x"), (2.0, 4.0, "b"))
    spans, repairs = _read(tmp_path / "v.json", content)
    assert spans == [(0.0, 2.0, "a"), (2.0, 4.0, "b"), (2.0, 4.0, "b"), (2.5, 4.0, "x")]
    assert repairs == Repairs(n_swapped=1, n_unordered=1, n_overlapping=2)


def test_blank_texts_are_dropped(tmp_path: Path) -> None:
    content = _whisper((0.0, 1.0, "  "), (1.0, 2.0, "<i> </i>"), (2.0, 3.0, "a"))
    assert _read(tmp_path / "v.json", content) == ([(2.0, 3.0, "a")], Repairs(n_empty=2))


def test_a_whole_text_without_segments(tmp_path: Path) -> None:
    content = _whisper(transcript="all of it")
    spans, repairs = _read(tmp_path / "v.json", content)
    assert spans == [(0.0, 0.0, "all of it")]
    assert repairs.n_missing_times == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("v.json", "[]"),
        ("v.json", '{"transcript": " ", "timestamps": []}'),
        ("v.srt", ""),
        ("v.srt", "\n\n"),
        ("v.vtt", "WEBVTT\n"),
        ("v.vtt", "WEBVTT - a title\n\nNOTE nothing here\n"),
    ],
)
def test_nothing_in_it(tmp_path: Path, name: str, content: str) -> None:
    assert _read(tmp_path / name, content) == ([], Repairs())


def test_longvideobench_subtitles(tmp_path: Path) -> None:
    named = [{"start": "00:01:02.500", "end": "00:01:04.000", "line": "Here &amp; there"}]
    paired = [{"timestamp": [62.5, 64.0], "text": "Here & there"}]
    assert _read(tmp_path / "a_en.json", named) == _read(tmp_path / "b_en.json", paired)
    assert _read(tmp_path / "a_en.json", named)[0] == [(62.5, 64.0, "Here & there")]


SRT = """1
00:00:01,000 --> 00:00:02,500
<i>First</i> line
second line

2
00:00:03,000 --> 01:00:04,000 X1:10 X2:20
{\\an8}a text

with a gap and a number
1984

3
00:00:05,000 --> 00:00:06,000
the end
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_srt(tmp_path: Path, line_end: str) -> None:
    spans, repairs = _read(tmp_path / "v.srt", SRT.replace("\n", line_end))
    assert spans == [
        (1.0, 2.5, "First line second line"),
        (3.0, 3604.0, "a text with a gap and a number 1984"),
        (5.0, 6.0, "the end"),
    ]
    assert repairs == Repairs(n_overlapping=1)


def test_srt_without_empty_lines_and_numbers_out_of_order(tmp_path: Path) -> None:
    content = "9\n00:00:05,0 --> 00:00:06,0\nlater\n2\n00:00:01,0 --> 00:00:02,0\nsooner"
    spans, repairs = _read(tmp_path / "v.srt", content)
    assert spans == [(1.0, 2.0, "sooner"), (5.0, 6.0, "later")]
    assert repairs == Repairs(n_unordered=1)


VTT = """WEBVTT
Kind: captions

STYLE
::cue { color: red }

NOTE a remark
of two lines

intro
00:01.000 --> 00:02.000 align:start position:0%
<v Ada>Good <00:01.500><c.yellow>morning</c>

1:00:03.000 --> 1:00:04.000
3 < 4 &lt;b&gt;and 5 &gt; 4&lt;/b&gt;
"""


def test_webvtt(tmp_path: Path) -> None:
    spans, _ = _read(tmp_path / "v.vtt", VTT)
    assert spans == [(1.0, 2.0, "Good morning"), (3603.0, 3604.0, "3 < 4 and 5 > 4")]


def test_captions_that_roll_are_read_once(tmp_path: Path) -> None:
    content = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\n \nhello<00:01.000><c> there</c>\n\n"
        "00:02.000 --> 00:02.010\nhello there\n \n\n"
        "00:02.010 --> 00:04.000\nhello there\nmy<00:03.000><c> friend</c>\n\n"
        "00:04.000 --> 00:04.010\nmy friend\n \n"
    )
    spans, repairs = _read(tmp_path / "v.vtt", content)
    assert spans == [(0.0, 2.0, "hello there"), (2.01, 4.0, "my friend")]
    assert repairs == Repairs(n_repeated=3)


def test_what_is_said_twice_stays_twice(tmp_path: Path) -> None:
    content = "WEBVTT\n\n00:00.000 --> 00:01.000\nNo.\n\n00:01.000 --> 00:02.000\nNo.\n"
    assert _read(tmp_path / "v.vtt", content)[0] == [(0.0, 1.0, "No."), (1.0, 2.0, "No.")]


@pytest.mark.parametrize(
    ("encoded", "guessed"),
    [
        ("Où ça ?".encode("utf-8-sig"), ""),
        (codecs.BOM_UTF16_LE + "Où ça ?".encode("utf-16-le"), ""),
        (codecs.BOM_UTF16_BE + "Où ça ?".encode("utf-16-be"), ""),
        ("Où ça ?".encode("latin-1"), "windows-1252"),
    ],
)
def test_encodings(tmp_path: Path, encoded: bytes, guessed: str) -> None:
    encoding = {b"\xef": "utf-8", b"\xff": "utf-16-le", b"\xfe": "utf-16-be"}.get(
        encoded[:1], "latin-1"
    )
    times = "00:00:01,000 --> 00:00:02,000\n".encode(encoding)
    n_mark = {"utf-8": 3, "latin-1": 0}.get(encoding, 2)
    content = encoded[:n_mark] + times + encoded[n_mark:]
    spans, repairs = _read(tmp_path / "v.srt", content)
    assert spans == [(1.0, 2.0, "Où ça ?")]
    assert repairs == Repairs(encoding=guessed)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("v.json", "", "line 1: not JSON"),
        ("v.json", '{"timestamps": [\n{"timestamp": [0, 1], "text":', "line 2: not JSON"),
        ("v.json", "7", "neither a list of cues"),
        ("v.json", '{"words": []}', "without a list timestamps or segments or chunks"),
        ("v.json", '[{"timestamp": [0, 1], "text": "a"}, "b"]', "cue 2: 'b'"),
        ("v.json", '[{"timestamp": [0], "text": "a"}]', "cue 1, timestamp: [0]"),
        ("v.json", '[{"timestamp": [0, "soon"], "text": "a"}]', "cue 1, timestamp end: 'soon'"),
        ("v.json", '[{"start": true, "end": 1, "text": "a"}]', "cue 1, start: True"),
        ("v.json", '[{"text": "a"}]', "cue 1: no times"),
        ("v.json", '[{"timestamp": [0, 1], "text": null}]', "cue 1: no text"),
        ("v.srt", "1\n00:00:01,000 --> later\na", "line 2: '00:00:01,000 --> later'"),
        ("v.srt", "1\n-0:01,0 --> 0:02,0\na", "line 2"),
        ("v.srt", "just some words", "begins with 'just some words'"),
    ],
)
def test_what_cannot_be_read_says_where(tmp_path: Path, name: str, content: str, said: str) -> None:
    with pytest.raises(BenchmarkError) as caught:
        _read(tmp_path / name, content)
    assert str(tmp_path / name) in str(caught.value)
    assert said in str(caught.value)


def test_a_cut_utf_16_file_and_no_file(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="begins as utf-16"):
        _read(tmp_path / "v.srt", codecs.BOM_UTF16_LE + b"\x31")
    with pytest.raises(BenchmarkError, match="cannot be read"):
        read_transcript(tmp_path / "none.srt")


def test_released_transcripts(shared_data: Path) -> None:
    totals = Repairs()
    n_files = 0
    for path in (shared_data / "transcripts").glob("*/*.json"):
        _, repairs = read_repaired_transcript(path)
        n_files += 1
        assert not repairs.encoding
        totals = Repairs(
            n_missing_times=totals.n_missing_times + repairs.n_missing_times,
            n_swapped=totals.n_swapped + repairs.n_swapped,
            n_empty=totals.n_empty + repairs.n_empty,
        )
    # Counted in the files apart: 235 end before they start, 27 of those or others are blank.
    assert n_files >= 500
    assert totals == Repairs(n_missing_times=98, n_swapped=208, n_empty=27)
