import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from video_oasis.errors import MediaError, RunError
from video_oasis.media.probe import VideoIndex, index_by_decoding, index_video
from video_oasis.media.sampling import PictureSettings
from video_oasis.media.store import FrameStore

SETTINGS = PictureSettings()


@pytest.fixture
def store(tmp_path: Path) -> FrameStore:
    return FrameStore(tmp_path / "frames")


@pytest.fixture
def index(clips: Mapping[str, Path]) -> VideoIndex:
    return index_video(clips["h264"])


def test_a_picture_comes_back_by_its_digest(store: FrameStore, index: VideoIndex) -> None:
    with store.recording("v", index, SETTINGS) as record:
        record(7, b"jpeg one")
        record(9, b"jpeg two")
        record(11, b"jpeg one")
    digests = store.decoded("v", index, SETTINGS)
    assert digests.keys() == {7, 9, 11}
    assert digests[7] == digests[11]
    assert store.read_picture(digests[9]) == b"jpeg two"
    assert len(list(store.folder.rglob("*.jpg"))) == 2


def test_lists_of_other_settings_and_videos_are_apart(
    store: FrameStore, index: VideoIndex, clips: Mapping[str, Path]
) -> None:
    with store.recording("v", index, SETTINGS) as record:
        record(7, b"jpeg")
    assert store.decoded("w", index, SETTINGS) == {}
    assert store.decoded("v", index, PictureSettings(longest_side=10)) == {}
    assert store.decoded("v", index, PictureSettings(jpeg_quality=10)) == {}
    assert store.decoded("v", index_by_decoding(clips["h264"]), SETTINGS) == {}


def test_a_line_cut_short_is_not_read(store: FrameStore, index: VideoIndex) -> None:
    with store.recording("v", index, SETTINGS) as record:
        record(7, b"jpeg one")
        record(9, b"jpeg two")
    (path,) = store.folder.rglob("*.txt")
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        kept = store.decoded("v", index, SETTINGS)
        assert list(kept) == [7, 9][: whole[:length].count(b"\n")]


def test_a_picture_that_is_gone_is_decoded_again(store: FrameStore, index: VideoIndex) -> None:
    with store.recording("v", index, SETTINGS) as record:
        record(7, b"jpeg")
    (digest,) = store.decoded("v", index, SETTINGS).values()
    store.picture_path(digest).unlink()
    assert store.decoded("v", index, SETTINGS) == {}
    with pytest.raises(MediaError, match="no such frame") as caught:
        store.read_picture(digest)
    assert caught.value.kind == "frame_lost"


def test_a_damaged_picture_is_removed_and_said(store: FrameStore, index: VideoIndex) -> None:
    with store.recording("v", index, SETTINGS) as record:
        record(7, b"jpeg")
    (digest,) = store.decoded("v", index, SETTINGS).values()
    store.picture_path(digest).write_bytes(b"")
    with pytest.raises(MediaError, match="damaged and was removed"):
        store.read_picture(digest)
    assert store.decoded("v", index, SETTINGS) == {}


def test_many_writers_lose_nothing(store: FrameStore, index: VideoIndex) -> None:
    def write(writer: int) -> None:
        with store.recording("v", index, SETTINGS) as record:
            for frame_id in range(50):
                record(100 * writer + frame_id, b"jpeg %d" % frame_id)

    threads = [threading.Thread(target=write, args=[writer]) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = store.decoded("v", index, SETTINGS)
    assert len(kept) == 200
    assert len(set(kept.values())) == 50
    assert not list(store.folder.rglob("*.part"))


def test_a_folder_that_takes_no_frames_stops_the_run(tmp_path: Path, index: VideoIndex) -> None:
    (tmp_path / "file").touch()
    store = FrameStore(tmp_path / "file")
    with pytest.raises(RunError, match="frames cannot be kept there"):
        store.keep_index("v", index)
    with pytest.raises(RunError), store.recording("v", index, SETTINGS):
        pass


def test_an_index_is_kept_and_replaced(
    store: FrameStore, index: VideoIndex, clips: Mapping[str, Path]
) -> None:
    assert store.load_index("v") is None
    store.keep_index("v", index)
    assert store.load_index("v") == index
    other = index_by_decoding(clips["h264"])
    store.keep_index("v", other)
    assert store.load_index("v") == other
