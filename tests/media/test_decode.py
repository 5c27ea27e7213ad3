import hashlib
import random
from collections.abc import Callable, Mapping
from pathlib import Path

import av
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from video_oasis.media.decode import (
    FramesNotDelivered,
    Stretch,
    decode_frames,
    plan_stretches,
    split_wanted,
)
from video_oasis.media.probe import PacketTable, index_by_decoding, index_video, probe_video

KINDS = [
    "h264",
    "h264 open groups",
    "h264 one group",
    "h264 interlaced",
    "h264 10 bits",
    "h264 flv",
    "h264 ts",
    "h264 avi",
    "h264 without times",
    "h264 negative times",
    "hevc",
    "hevc closed 10 bits",
    "hevc temporal layers",
    "hevc ts",
    "av1",
    "vp9",
    "mpeg4",
    "mpeg2 ts",
    "variable rate",
]
REAL = [
    "av1_video.mkv",
    "h264_10bits.mp4",
    "h265_10bits.mp4",
    "h265_video.mp4",
    "nasa_13013.mp4",
]


def _digest(frame: av.VideoFrame) -> str:
    return hashlib.sha256(frame.to_ndarray(format="rgb24").tobytes()).hexdigest()


def _decode_fully(path: Path) -> list[str]:
    """Decode all frames in order with PyAV alone."""
    with av.open(str(path)) as container:
        stream = container.streams[probe_video(path).stream_index]
        return [
            _digest(frame) for frame in container.decode(stream) if isinstance(frame, av.VideoFrame)
        ]


def _check_every_choice_of_frames(path: Path) -> None:
    index = index_video(path)
    full = dict(zip(index.frame_ids, _decode_fully(path), strict=True))
    choices = random.Random(0)
    for n, threads in [(1, 1), (1, 2), (2, 1), (5, 2), (12, 1), (len(full), 1), (len(full), 2)]:
        wanted = choices.sample(index.frame_ids, min(n, len(full)))
        got: dict[int, str] = {}

        def deliver(frame_id: int, frame: av.VideoFrame, got: dict[int, str] = got) -> None:
            assert frame_id not in got
            got[frame_id] = _digest(frame)

        decode_frames(path, index, wanted, deliver, threads=threads)
        assert got == {frame_id: full[frame_id] for frame_id in wanted}


@pytest.mark.parametrize("kind", KINDS)
def test_picks_equal_a_full_decode(clips: Mapping[str, Path], kind: str) -> None:
    _check_every_choice_of_frames(clips[kind])


@pytest.mark.parametrize("name", REAL)
def test_picks_of_real_files_equal_a_full_decode(shared_data: Path, name: str) -> None:
    _check_every_choice_of_frames(shared_data / "videos" / name)


def test_single_frames_between_keyframes_equal_a_full_decode(clips: Mapping[str, Path]) -> None:
    # Leading frames of an open group need the group before; each frame is asked for alone.
    for kind in ("h264 open groups", "hevc"):
        path = clips[kind]
        index = index_video(path)
        for frame_id, digest in zip(index.frame_ids, _decode_fully(path), strict=True):
            frames: list[av.VideoFrame] = []

            def deliver(_: int, frame: av.VideoFrame, frames: list[av.VideoFrame] = frames) -> None:
                frames.append(frame)

            decode_frames(path, index, [frame_id], deliver, threads=1)
            assert [_digest(frame) for frame in frames] == [digest], (kind, frame_id)


def test_frames_carry_their_number(
    clips: Mapping[str, Path], read_number: Callable[[Path], int], tmp_path: Path
) -> None:
    index = index_video(clips["h264 open groups"])
    seen: dict[int, int] = {}

    def deliver(frame_id: int, frame: av.VideoFrame) -> None:
        path = tmp_path / f"{frame_id}.png"
        Image.fromarray(frame.to_ndarray(format="rgb24")).save(path)
        seen[index.frame_ids.index(frame_id)] = read_number(path)

    decode_frames(clips["h264 open groups"], index, index.frame_ids, deliver, threads=2)
    assert seen == {number: number for number in range(60)}


def test_gradual_refresh_gives_exact_frames_or_none(clips: Mapping[str, Path]) -> None:
    # Each "keyframe" of such a stream is whole only after some frames.
    path = clips["h264 intra refresh"]
    index = index_video(path)
    full = dict(zip(index.frame_ids, _decode_fully(path), strict=True))
    got: dict[int, str] = {}
    missed = 0
    for frame_id in index.frame_ids:
        try:
            decode_frames(
                path, index, [frame_id], lambda i, frame: got.update({i: _digest(frame)}), threads=1
            )
        except FramesNotDelivered:
            missed += 1
    assert missed > 0
    assert got == {frame_id: full[frame_id] for frame_id in got}

    from_start = index_by_decoding(path)
    got.clear()
    decode_frames(
        path, from_start, [22, 41], lambda i, frame: got.update({i: _digest(frame)}), threads=1
    )
    assert list(got.values()) == [full[index.frame_ids[22]], full[index.frame_ids[41]]]


TABLE = PacketTable(
    # Two groups in decoding order; 70 and 80 are presented before the second keyframe, 90.
    pts=(0, 30, 10, 20, 60, 40, 50, 90, 70, 80, 120, 100, 110),
    keyframes=(0, 7),
    seek_ticks=(0, 60),
    may_skip=True,
)


def test_leading_frames_start_from_the_keyframe_before() -> None:
    (stretch,) = plan_stretches(TABLE, [80])
    assert (stretch.keyframe, stretch.last) == (0, 9)


def test_distant_frames_make_stretches_of_their_own() -> None:
    first, second = plan_stretches(TABLE, [110, 10])
    assert first == Stretch(0, 2, frozenset({10}))
    assert second == Stretch(1, 12, frozenset({110}))


def test_stretches_that_overlap_are_decoded_once() -> None:
    (stretch,) = plan_stretches(TABLE, [80, 90, 110])
    assert stretch == Stretch(0, 12, frozenset({80, 90, 110}))


@given(st.sets(st.sampled_from(TABLE.pts), min_size=1), st.integers(1, 4))
def test_split_keeps_every_frame_once_and_in_order(wanted: set[int], parts: int) -> None:
    split = split_wanted(TABLE, wanted, parts)
    assert len(split) <= parts
    assert sorted(ticks for part in split for ticks in part) == sorted(wanted)


def test_nothing_wanted_opens_nothing(clips: Mapping[str, Path]) -> None:
    index = index_video(clips["h264"])
    decode_frames(Path("gone.mp4"), index, [], lambda *_: None, threads=2)
