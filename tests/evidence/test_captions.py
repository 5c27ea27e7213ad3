"""Captions: what is asked about a clip, what its answers make of it, and files of captions."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from video_oasis.diagnostics.eighths import take_eighths
from video_oasis.diagnostics.frame_settings import FrameSettings
from video_oasis.diagnostics.interface import Need
from video_oasis.errors import BenchmarkError
from video_oasis.evidence.caption_file import read_caption_file
from video_oasis.evidence.captions import list_caption_requests, read_captions
from video_oasis.evidence.prepared import ClipText, TextKey, keep_known
from video_oasis.evidence.text_file import read_texts, write_texts
from video_oasis.evidence.wanted import timeline_key
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.schema import Answer, FinishReason, Frame, Request, Sample, Video
from video_oasis.store import AnswerKey, Failure, NewAnswer, Store

SETTINGS = FrameSettings()
MakeSample = Callable[..., Sample]


def make_timeline(sample: Sample, n: int) -> Timeline:
    sampling = take_eighths(sample.video, SETTINGS)
    frames = tuple(Frame(f"d{i}", float(i)) for i in range(n))
    return Timeline("video1-x", sampling, frames, float(n), n)


def list_requests(
    samples: list[Sample], n: int = 128, max_frames: int | None = None
) -> dict[TextKey, tuple[Request, ...] | MediaFailure]:
    timelines = {
        timeline_key(sample, take_eighths(sample.video, SETTINGS)): make_timeline(sample, n)
        for sample in samples
    }
    return list_caption_requests(samples, timelines, SETTINGS, max_frames)


def key_of(sample: Sample) -> TextKey:
    return TextKey(sample.benchmark, sample.id, Need.CAPTIONS)


def test_each_eighth_is_asked_about_alone(make_sample: MakeSample) -> None:
    sample = make_sample()
    requests = list_requests([sample])[key_of(sample)]
    assert not isinstance(requests, MediaFailure)
    assert [len(request.frames) for request in requests] == [16] * 8
    assert [request.frames[0].digest for request in requests] == [f"d{16 * i}" for i in range(8)]
    assert len({request.text for request in requests}) == 1
    assert sample.question not in requests[0].text


def test_samples_of_one_clip_share_its_captions(make_sample: MakeSample) -> None:
    samples = [make_sample(id="a"), make_sample(id="b", question="Other?")]
    requests = list_requests(samples)
    assert requests[key_of(samples[0])] == requests[key_of(samples[1])]


def test_a_captioner_of_few_frames_is_shown_few(make_sample: MakeSample) -> None:
    requests = list_requests([make_sample()], max_frames=1)[key_of(make_sample())]
    assert not isinstance(requests, MediaFailure)
    assert [request.pictures for request in requests][:2] == [("d8",), ("d24",)]


def test_a_video_not_looked_at_is_left_out_and_a_broken_one_fails(make_sample: MakeSample) -> None:
    broken = make_sample(id="broken", video=Video("broken.mp4"))
    failure = MediaFailure("truncated", "broken.mp4: breaks off")
    timelines = {timeline_key(broken, take_eighths(broken.video, SETTINGS)): failure}
    requests = list_caption_requests([make_sample(), broken], timelines, SETTINGS, None)
    assert requests == {key_of(broken): failure}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.create(tmp_path / "answers.sqlite")


def answer(store: Store, request: Request, reply: Answer) -> None:
    store.put_answers("captioner", [NewAnswer(AnswerKey(request.id, 0), request, reply)])


def test_captions_stand_in_order_and_only_when_all_are_there(
    make_sample: MakeSample, store: Store
) -> None:
    requests = list_requests([make_sample()], n=2)
    first, second = requests[key_of(make_sample())]  # type: ignore[misc]
    answer(store, second, Answer("<think>hm</think> A stove is lit. "))
    assert read_captions(requests, store, "captioner") == {}
    answer(store, first, Answer("We cannot see his face.", FinishReason.LENGTH))
    assert read_captions(requests, store, "captioner") == {
        key_of(make_sample()): ClipText(("We cannot see his face.", "A stove is lit."))
    }
    store.close()


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Answer("   "), "empty"),
        (Answer("<think>the pan is", FinishReason.LENGTH), "cut_off"),
        (Answer("I'm sorry, but I cannot see any video."), "refusal"),
        (Answer("A pan.", FinishReason.FILTERED), "filtered"),
        (Answer("Error: rate limited"), "server_failure"),
    ],
)
def test_a_reply_that_describes_nothing_is_a_failure(
    make_sample: MakeSample, store: Store, reply: Answer, kind: str
) -> None:
    requests = list_requests([make_sample()], n=1)
    (request,) = requests[key_of(make_sample())]  # type: ignore[misc]
    answer(store, request, reply)
    result = read_captions(requests, store, "captioner")[key_of(make_sample())]
    assert isinstance(result, MediaFailure)
    assert (result.kind, "caption 1 of 1" in result.message) == (kind, True)
    store.close()


def test_a_call_that_failed_is_a_failure(make_sample: MakeSample, store: Store) -> None:
    requests = list_requests([make_sample()], n=1)
    (request,) = requests[key_of(make_sample())]  # type: ignore[misc]
    store.put_failures("captioner", [(AnswerKey(request.id, 0), Failure("timeout", "120 s"))])
    assert read_captions(requests, store, "captioner") == {
        key_of(make_sample()): MediaFailure("timeout", "caption 1 of 1: 120 s")
    }
    store.close()


def write_rows(folder: Path, *rows: object) -> Path:
    file = folder / "captions.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return file


def test_captions_of_a_file_belong_to_a_video_or_a_sample(
    make_sample: MakeSample, tmp_path: Path
) -> None:
    file = write_rows(
        tmp_path,
        {"video": "v1.mp4", "captions": ["A pan. ", "A stove."]},
        {"sample_id": "b", "captions": ["Only this."]},
    )
    samples = [
        make_sample(id="a"),
        make_sample(id="b"),
        make_sample(id="c", video=Video("other.mp4")),
    ]
    texts = read_caption_file(file, samples)
    assert texts[key_of(samples[0])] == ClipText(("A pan.", "A stove."))
    assert texts[key_of(samples[1])] == ClipText(("Only this.",))
    missing = texts[key_of(samples[2])]
    assert isinstance(missing, MediaFailure)
    assert missing.kind == "not_in_file"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"video": "v", "captions": "A pan."}, "row 1: captions is 'A pan.'"),
        ({"video": "v", "captions": []}, "row 1: captions is"),
        ({"video": "v", "captions": ["A pan.", " "]}, "row 1: captions is"),
        ({"captions": ["A pan."]}, "row 1: no sample_id and no video"),
    ],
)
def test_a_bad_row_of_captions_is_named(tmp_path: Path, row: object, message: str) -> None:
    with pytest.raises(BenchmarkError, match=message):
        read_caption_file(write_rows(tmp_path, row), [])


def test_two_rows_about_one_video_are_refused(tmp_path: Path) -> None:
    row = {"video": "v", "captions": ["A pan."]}
    with pytest.raises(BenchmarkError, match="row 2: captions of 'v' stand in an earlier row"):
        read_caption_file(write_rows(tmp_path, row, row), [])


def test_texts_are_read_back_as_they_were(tmp_path: Path) -> None:
    texts: dict[TextKey, ClipText | MediaFailure] = {
        TextKey("b", "s1", Need.CAPTIONS): ClipText(("A pan.", "ünï\n")),
        TextKey("b", "s1", Need.SPEECH): ClipText(("[0:01–0:02] hm",), is_cut=True),
        TextKey("b", "s2", Need.SPEECH): ClipText((), outside="no_speech_loop"),
        TextKey("b", "s3", Need.SPEECH): MediaFailure("missing", "nothing there"),
    }
    file = tmp_path / "texts.parquet"
    origins = dict.fromkeys(texts, "text1-a")
    write_texts(texts, origins, file)
    assert read_texts(file, origins) == texts
    assert read_texts(tmp_path / "none.parquet", origins) == {}


def test_a_text_made_from_something_else_is_another(tmp_path: Path) -> None:
    file = tmp_path / "texts.parquet"
    key = TextKey("b", "s1", Need.SPEECH)
    write_texts({key: ClipText(("old",))}, {key: "text1-a"}, file)
    assert read_texts(file, {key: "text1-b"}) == {}
    write_texts({key: ClipText(("new",))}, {key: "text1-b"}, file)
    assert read_texts(file, {key: "text1-b"}) == {key: ClipText(("new",))}
    assert read_texts(file, {key: "text1-a"}) == {key: ClipText(("old",))}


def test_what_is_merely_not_to_be_had_now_keeps_what_was_known() -> None:
    gone, broken = MediaFailure("missing", "no such file"), MediaFailure("truncated", "breaks off")
    known = {"a": ClipText(("said",)), "b": ClipText(("said",))}
    found = {"a": gone, "b": broken, "c": gone}
    assert keep_known(found, known) == {"a": ClipText(("said",)), "b": broken, "c": gone}
