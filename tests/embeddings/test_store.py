"""Embeddings come back as they were kept, and damage is told."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import save_file

from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.errors import MediaError, RunError, SchemaError
from video_oasis.media.frames import Timeline

MakeTimeline = Callable[..., Timeline]
Vectors = npt.NDArray[np.float32]
MakeVectors = Callable[..., Vectors]

ENCODER, VIDEO = "encoder1-x", "video1-a"


@pytest.fixture
def store(tmp_path: Path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "embeddings")


def only_shard(store: EmbeddingStore) -> Path:
    (shard,) = store.folder.rglob("*.safetensors")
    return shard


def test_rows_come_back_in_the_order_of_the_timeline(
    store: EmbeddingStore, make_timeline: MakeTimeline, unit_vectors: MakeVectors
) -> None:
    rows = unit_vectors(3, 4)
    store.keep(ENCODER, VIDEO, ["a", "b", "c"], rows)
    # A still video shows one picture at several times.
    loaded = store.load(ENCODER, make_timeline("c", "a", "c"))
    assert loaded.dtype == np.float32
    assert np.array_equal(loaded, rows[[2, 0, 2]])


def test_only_what_is_not_kept_is_missing(
    store: EmbeddingStore, make_timeline: MakeTimeline, unit_vectors: MakeVectors
) -> None:
    first, second = unit_vectors(2, 4, "first"), unit_vectors(2, 4, "second")
    timeline = make_timeline("a", "b", "c", "c", "d")
    assert store.missing(ENCODER, timeline) == ("a", "b", "c", "d")
    store.keep(ENCODER, VIDEO, ["a", "c"], first)
    assert store.missing(ENCODER, timeline) == ("b", "d")
    with pytest.raises(MediaError, match="2 of 5 frames are not embedded") as caught:
        store.load(ENCODER, timeline)
    assert caught.value.kind == "not_embedded"
    store.keep(ENCODER, VIDEO, ["b", "d"], second)
    assert store.missing(ENCODER, timeline) == ()
    expected = np.stack([first[0], second[0], first[1], first[1], second[1]])
    assert np.array_equal(store.load(ENCODER, timeline), expected)


def test_encoders_and_videos_are_kept_apart(
    store: EmbeddingStore, make_timeline: MakeTimeline, unit_vectors: MakeVectors
) -> None:
    store.keep(ENCODER, VIDEO, ["a"], unit_vectors(1, 4))
    assert store.missing("encoder1-y", make_timeline("a")) == ("a",)
    assert store.missing(ENCODER, make_timeline("a", video="video1-b")) == ("a",)


@pytest.mark.parametrize(
    ("digests", "rows"),
    [(["a"], [[1.0, 0.0], [0.0, 1.0]]), (["a", "a"], [[1.0, 0.0], [0.0, 1.0]])],
)
def test_rows_that_are_not_one_for_each_frame_are_refused(
    store: EmbeddingStore, digests: list[str], rows: list[list[float]]
) -> None:
    with pytest.raises(SchemaError, match="one for each"):
        store.keep(ENCODER, VIDEO, digests, np.array(rows, np.float32))


@pytest.mark.parametrize("row", [[np.nan, 1.0], [0.0, 0.0], [2.0, 0.0]])
def test_rows_that_are_no_directions_are_refused(store: EmbeddingStore, row: list[float]) -> None:
    with pytest.raises(SchemaError, match="not of length one"):
        store.keep(ENCODER, VIDEO, ["a"], np.array([row], np.float32))
    assert not store.folder.exists()


def cut_short(shard: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-8])


def empty(shard: Path) -> None:
    shard.write_bytes(b"")


def write_pickle(shard: Path) -> None:
    shard.write_bytes(b"\x80\x04K\x01.")


def write_half_precision(shard: Path) -> None:
    rewrite(shard, np.eye(2, dtype=np.float16))


def write_more_rows(shard: Path) -> None:
    rewrite(shard, np.eye(3, dtype=np.float32))


def write_longer_vectors(shard: Path) -> None:
    rewrite(shard, 2 * np.eye(2, dtype=np.float32))


def rewrite(shard: Path, rows: npt.NDArray[Any]) -> None:
    about = {"layout": "1", "encoder": ENCODER, "video": VIDEO, "digests": '["a", "b"]'}
    save_file({"embeddings": rows}, shard, metadata=about)


@pytest.mark.parametrize(
    "damage",
    [
        *(cut_short, empty, write_pickle),
        *(write_half_precision, write_more_rows, write_longer_vectors),
    ],
)
def test_a_damaged_file_is_named(
    store: EmbeddingStore, make_timeline: MakeTimeline, damage: Callable[[Path], None]
) -> None:
    store.keep(ENCODER, VIDEO, ["a", "b"], np.eye(2, dtype=np.float32))
    shard = only_shard(store)
    damage(shard)
    with pytest.raises(RunError, match=f"{shard.name}: no sound file of embeddings"):
        store.load(ENCODER, make_timeline("a"))


@pytest.mark.parametrize("place", ["encoder1-y/video1-a", "encoder1-x/video1-b"])
def test_a_file_in_the_place_of_another_is_refused(
    store: EmbeddingStore, make_timeline: MakeTimeline, place: str
) -> None:
    store.keep(ENCODER, VIDEO, ["a"], np.eye(1, dtype=np.float32))
    shard = only_shard(store)
    target = store.folder / place / shard.name
    target.parent.mkdir(parents=True)
    shard.rename(target)
    encoder, video = place.split("/")
    with pytest.raises(RunError, match="its place says"):
        store.missing(encoder, make_timeline("a", video=video))


def test_vectors_of_several_sizes_under_one_encoder_are_told(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    store.keep(ENCODER, VIDEO, ["a"], np.eye(1, 2, dtype=np.float32))
    store.keep(ENCODER, VIDEO, ["b"], np.eye(1, 3, dtype=np.float32))
    with pytest.raises(RunError, match=r"vectors of \[2, 3\] numbers"):
        store.load(ENCODER, make_timeline("a", "b"))


def test_a_full_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = EmbeddingStore(tmp_path / "file")
    with pytest.raises(RunError, match="embeddings cannot be kept there"):
        store.keep(ENCODER, VIDEO, ["a"], np.eye(1, dtype=np.float32))


_KEEP_FOR_EVER = f"""
import itertools, sys
from pathlib import Path
import numpy as np
from video_oasis.embeddings.store import EmbeddingStore
store = EmbeddingStore(Path(sys.argv[1]))
rows = np.eye(1, 100_000, dtype=np.float32)
for number in itertools.count():
    store.keep({ENCODER!r}, {VIDEO!r}, [str(number)], rows)
    print(number, flush=True)
"""


def test_what_was_kept_before_a_kill_is_whole(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _KEEP_FOR_EVER, str(store.folder)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for number in process.stdout:
        if int(number) == 20:
            os.kill(process.pid, signal.SIGKILL)
            break
    said = [int(number) for number in process.stdout]
    process.stdout.close()
    process.wait()
    last = max([20, *said])
    loaded = store.load(ENCODER, make_timeline(*map(str, range(last + 1))))
    assert np.array_equal(loaded[:, 0], np.ones(last + 1))
