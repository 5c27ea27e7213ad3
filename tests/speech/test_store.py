import json
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError
from video_oasis.media.audio import Samples
from video_oasis.speech.recognisers.interface import Heard, recogniser_id
from video_oasis.speech.store import TranscriptStore
from video_oasis.speech.transcript import Segment, Transcript

VIDEO = "video1-" + "a" * 40
OTHER_VIDEO = "video1-" + "b" * 40
TRANSCRIPT = Transcript((Segment(0.0, 1.5, "Grüße, 世界"), Segment(1.5, 2.25, "…")), "fixed/a")


class Fixed:
    """A recogniser that is only described."""

    concurrency = 1
    longest_seconds = 60

    def __init__(self, name: str) -> None:
        self.name = name

    def describe(self) -> Mapping[str, Any]:
        return {"name": self.name, "beam_size": 5, "language": None}

    def check(self) -> None:
        raise NotImplementedError

    def transcribe(self, samples: Samples) -> Iterator[Heard]:
        raise NotImplementedError


A, B = Fixed("a"), Fixed("b")


@pytest.fixture
def store(tmp_path: Path) -> TranscriptStore:
    return TranscriptStore(tmp_path / "artifacts")


def test_a_transcript_comes_back_for_its_video_and_recogniser_only(store: TranscriptStore) -> None:
    store.keep(VIDEO, A, TRANSCRIPT)
    assert TranscriptStore(store.folder).load(VIDEO, recogniser_id(A)) == TRANSCRIPT
    assert store.load(VIDEO, recogniser_id(B)) is None
    assert store.load(OTHER_VIDEO, recogniser_id(A)) is None


def test_a_transcript_without_speech_is_one(store: TranscriptStore) -> None:
    store.keep(VIDEO, A, Transcript((), "fixed/a"))
    assert store.load(VIDEO, recogniser_id(A)) == Transcript((), "fixed/a")


def test_a_file_says_what_made_it(store: TranscriptStore) -> None:
    store.keep(VIDEO, A, TRANSCRIPT)
    path = store.path(VIDEO, recogniser_id(A))
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["made_by"] == A.describe()
    assert content["video"] == VIDEO
    assert [path] == [each for each in store.folder.rglob("*") if each.is_file()]


def test_a_copied_folder_works_elsewhere(store: TranscriptStore, tmp_path: Path) -> None:
    store.keep(VIDEO, A, TRANSCRIPT)
    moved = store.folder.rename(tmp_path / "elsewhere")
    assert TranscriptStore(moved).load(VIDEO, recogniser_id(A)) == TRANSCRIPT


@pytest.mark.parametrize("damage", ["cut", "edited", "empty", "no object", "binary", "other form"])
def test_a_damaged_file_is_removed_so_that_it_is_made_again(
    store: TranscriptStore, damage: str
) -> None:
    store.keep(VIDEO, A, TRANSCRIPT)
    path = store.path(VIDEO, recogniser_id(A))
    whole = path.read_bytes()
    path.write_bytes(
        {
            "cut": whole[:-20],
            "edited": whole.replace(b"2.25", b"9.25"),
            "empty": b"",
            "no object": b"[]",
            "binary": b"\xff\xfe\x00",
            "other form": b'{"segments": []}',
        }[damage]
    )
    assert store.load(VIDEO, recogniser_id(A)) is None
    assert not path.exists()


def test_a_file_in_the_place_of_another_is_not_taken_for_it(store: TranscriptStore) -> None:
    store.keep(VIDEO, A, TRANSCRIPT)
    whole = store.path(VIDEO, recogniser_id(A)).read_bytes()
    for wrong in (store.path(OTHER_VIDEO, recogniser_id(A)), store.path(VIDEO, recogniser_id(B))):
        wrong.parent.mkdir(parents=True, exist_ok=True)
        wrong.write_bytes(whole)
    assert store.load(OTHER_VIDEO, recogniser_id(A)) is None
    assert store.load(VIDEO, recogniser_id(B)) is None
    assert store.load(VIDEO, recogniser_id(A)) == TRANSCRIPT


def test_text_that_is_no_valid_unicode_is_kept(store: TranscriptStore) -> None:
    torn = Transcript((Segment(0, 1, "torn \ud83d"),), "fixed/a")
    store.keep(VIDEO, A, torn)
    assert store.load(VIDEO, recogniser_id(A)) == torn


def test_writers_and_readers_at_once_see_whole_files(store: TranscriptStore) -> None:
    key = recogniser_id(A)
    long = Transcript(tuple(Segment(i, i + 1, f"line {i}") for i in range(300)), "fixed/a")

    def write() -> None:
        for _ in range(20):
            store.keep(VIDEO, A, long)

    writers = [threading.Thread(target=write) for _ in range(3)]
    store.keep(VIDEO, A, long)
    for writer in writers:
        writer.start()
    seen = []
    while any(writer.is_alive() for writer in writers):
        seen.append(store.load(VIDEO, key))
    assert seen
    assert all(each == long for each in seen)
    assert len(list(store.folder.rglob("*.part"))) == 0


def test_a_folder_that_takes_nothing_is_explained(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be kept there"):
        TranscriptStore(tmp_path / "file").keep(VIDEO, A, TRANSCRIPT)
