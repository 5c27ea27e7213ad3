"""Every frame is embedded once, whatever happens in between."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from video_oasis.embeddings.embed import KEPT_AT_ONCE, EmbedProgress, embed_timelines
from video_oasis.embeddings.encoders.interface import EmbeddedTexts, make_encoder_id
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.embeddings.vectors import Vectors, unit_rows
from video_oasis.errors import MediaError
from video_oasis.media.frames import Timeline

MakeTimeline = Callable[..., Timeline]


class ByteEncoder:
    """An encoder whose vector of a picture is its first byte and 1; it notes what it is given."""

    name = "bytes"
    context_length = 8
    logit_scale = 1.0

    def __init__(self, revision: int = 1) -> None:
        self.revision = revision
        self.seen: list[list[bytes]] = []

    def describe(self) -> dict[str, Any]:
        return {"backend": "bytes", "revision": self.revision}

    def embed_pictures(self, jpegs: Sequence[bytes], batch: int) -> Vectors:  # noqa: ARG002
        self.seen.append(list(jpegs))
        return unit_rows(np.array([[jpeg[0], 1] for jpeg in jpegs]), "bytes")

    def embed_texts(self, texts: Sequence[str]) -> EmbeddedTexts:
        raise NotImplementedError(texts)


@pytest.fixture
def store(tmp_path: Path) -> EmbeddingStore:
    return EmbeddingStore(tmp_path / "embeddings")


def read(digest: str) -> bytes:
    return digest.encode()


def expected(*digests: str) -> Vectors:
    return unit_rows(np.array([[ord(digest[0]), 1] for digest in digests]), "bytes")


def test_frames_of_several_videos_go_together_and_come_back_apart(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    timelines = [make_timeline("a", "b"), make_timeline("c", "a", video="video1-b")]
    encoder = ByteEncoder()
    assert embed_timelines(timelines, read, encoder, store) == {}
    assert encoder.seen == [[b"a", b"b", b"c", b"a"]]
    encoder_id = make_encoder_id(encoder.describe())
    assert np.array_equal(store.load(encoder_id, timelines[0]), expected("a", "b"))
    assert np.array_equal(store.load(encoder_id, timelines[1]), expected("c", "a"))


def test_frames_that_timelines_of_a_video_share_are_embedded_once(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    encoder = ByteEncoder()
    embed_timelines([make_timeline("a", "b", "b"), make_timeline("b", "c")], read, encoder, store)
    embed_timelines([make_timeline("d", "c", "a")], read, encoder, store)
    assert encoder.seen == [[b"a", b"b", b"c"], [b"d"]]


def test_nothing_is_embedded_that_is_kept(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    timeline = make_timeline("a", "b")
    embed_timelines([timeline], read, ByteEncoder(), store)
    again, other = ByteEncoder(), ByteEncoder(revision=2)
    embed_timelines([timeline], read, again, store)
    embed_timelines([timeline], read, other, store)
    assert again.seen == []
    assert other.seen == [[b"a", b"b"]]


def test_a_video_that_has_lost_a_frame_does_not_stop_the_others(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    def lose(digest: str) -> bytes:
        if digest == "b":
            raise MediaError("frame_lost", "b.jpg: no such frame")
        return read(digest)

    timelines = [make_timeline("a", "b", "c"), make_timeline("d", video="video1-b")]
    told: list[EmbedProgress] = []
    encoder = ByteEncoder()
    failures = embed_timelines(timelines, lose, encoder, store, listener=told.append)
    assert {video: failure.kind for video, failure in failures.items()} == {
        "video1-a": "frame_lost"
    }
    assert told == [EmbedProgress(4), EmbedProgress(4, n_done=2, n_lost=2)]
    encoder_id = make_encoder_id(encoder.describe())
    assert np.array_equal(store.load(encoder_id, timelines[1]), expected("d"))
    assert store.missing(encoder_id, timelines[0]) == ("b", "c")


_EMBED = """
import sys
from pathlib import Path
from test_embed import ByteEncoder, read
from video_oasis.embeddings.embed import embed_timelines
from video_oasis.embeddings.store import EmbeddingStore
from video_oasis.media.frames import Timeline
from video_oasis.media.sampling import PerSecond, Sampling
from video_oasis.schema import Frame
frames = tuple(Frame(f"{i % 10}-{i}", float(i)) for i in range(3000))
timeline = Timeline("video1-a", Sampling(PerSecond(1, 3000)), frames, 3000.0, 3000)
def tell(progress):
    print(progress.n_done, flush=True)
    if progress.n_done >= 512:
        sys.stdin.read()  # until it is killed
embed_timelines([timeline], read, ByteEncoder(), EmbeddingStore(Path(sys.argv[1])), listener=tell)
"""


def test_a_killed_process_is_gone_on_from(
    store: EmbeddingStore, make_timeline: MakeTimeline
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _EMBED, str(store.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parent)},
    )
    assert process.stdout is not None
    assert process.stdin is not None
    for n_done in process.stdout:
        if int(n_done) >= 512:
            os.kill(process.pid, signal.SIGKILL)
            break
    process.stdout.close()
    process.stdin.close()
    process.wait()
    digests = [f"{i % 10}-{i}" for i in range(3000)]
    timeline, encoder = make_timeline(*digests), ByteEncoder()
    embed_timelines([timeline], read, encoder, store)
    assert [len(seen) for seen in encoder.seen] == [KEPT_AT_ONCE] * 9 + [184]
    assert encoder.seen[0][0] == b"2-512"
    assert np.array_equal(
        store.load(make_encoder_id(encoder.describe()), timeline), expected(*digests)
    )
