from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from video_oasis.media import decode, extract
from video_oasis.media.extract import Extraction, VideoSource, extract_timelines
from video_oasis.media.frames import MediaFailure, Timeline
from video_oasis.media.sampling import (
    CENTRE,
    PerSecond,
    PictureSettings,
    RandomMoment,
    Sampling,
    Uniform,
)
from video_oasis.media.store import FrameStore

ALL = Sampling(Uniform(1000))


@pytest.fixture
def store(tmp_path: Path) -> FrameStore:
    return FrameStore(tmp_path / "frames")


def _timeline(extraction: Extraction, sampling: Sampling) -> Timeline:
    timeline = extraction[sampling]
    assert isinstance(timeline, Timeline), timeline
    return timeline


def _failure(extraction: Extraction, sampling: Sampling) -> MediaFailure:
    failure = extraction[sampling]
    assert isinstance(failure, MediaFailure)
    return failure


@pytest.mark.parametrize(
    "kind",
    [
        "h264",
        "h264 open groups",
        "h264 intra refresh",
        "h264 10 bits",
        "h264 avi",
        "h264 without times",
        "h264 ts",
        "hevc",
        "hevc temporal layers",
        "av1",
        "vp9",
        "variable rate",
    ],
)
def test_kept_pictures_show_the_frames_asked_for(
    clips: Mapping[str, Path], store: FrameStore, read_number: Callable[[Path], int], kind: str
) -> None:
    samplings = (Sampling(Uniform(7)), Sampling(CENTRE, 0.5, 1.3), ALL)
    extraction = extract_timelines(VideoSource(clips[kind]), samplings, store, threads=2)
    seen = {
        sampling: [
            read_number(store.picture_path(frame.digest))
            for frame in _timeline(extraction, sampling).frames
        ]
        for sampling in samplings
    }
    assert seen[ALL] == list(range(60))
    if kind == "variable rate":
        # 40 ms a frame with a jitter of 0, 7, 14 ms, and a gap of 0.7 s before the 20th: of
        # 3.107 s, the sevenths' middles; frame 19 stands from 0.767 to 1.514 s.
        assert seen[samplings[0]] == [5, 16, 19, 21, 32, 43, 54]
        assert seen[samplings[1]] == [19]
    else:
        assert seen[samplings[0]] == [4, 12, 21, 30, 38, 47, 55]
        assert seen[samplings[1]] == [22]


def test_one_decode_serves_all_views_and_a_second_run_needs_none(
    clips: Mapping[str, Path], store: FrameStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counting(*args: object, **kwargs: object) -> None:
        asked.append(len(args[2]))  # type: ignore[arg-type]
        decode.decode_frames(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(extract, "decode_frames", counting)
    source = VideoSource(clips["h264"])
    views = (
        Sampling(Uniform(16)),
        Sampling(CENTRE),
        Sampling(PerSecond(1, 8)),
        Sampling(RandomMoment(0, "sample")),
    )
    first = extract_timelines(source, views, store)
    n_frames = len({f.seconds for view in views for f in _timeline(first, view).frames})
    assert asked == [n_frames]
    assert extract_timelines(source, views, FrameStore(store.folder)) == first
    assert asked == [n_frames]
    # What another view adds is decoded, and nothing else.
    extract_timelines(source, [*views, Sampling(Uniform(17))], store)
    assert len(asked) == 2
    assert asked[1] <= 17
    assert len(list(store.folder.rglob("*.jpg"))) == sum(asked)


def test_sizes_of_one_view_share_the_decode(clips: Mapping[str, Path], store: FrameStore) -> None:
    small = Sampling(Uniform(3), pictures=PictureSettings(longest_side=32))
    large = Sampling(Uniform(3))
    extraction = extract_timelines(VideoSource(clips["h264"]), [small, large], store)
    for sampling, size in ((small, (32, 24)), (large, (64, 48))):
        for frame in _timeline(extraction, sampling).frames:
            with Image.open(store.picture_path(frame.digest)) as image:
                assert image.size == size


def test_more_frames_than_the_clip_has(clips: Mapping[str, Path], store: FrameStore) -> None:
    short = Sampling(Uniform(128), 0.4, 0.6)
    extraction = extract_timelines(VideoSource(clips["hevc"]), [short, ALL], store)
    assert [f.seconds for f in _timeline(extraction, short).frames] == pytest.approx(
        [0.4, 0.44, 0.48, 0.52, 0.56]
    )
    assert len(_timeline(extraction, ALL).frames) == 60


def test_a_window_outside_the_video_fails_alone(
    clips: Mapping[str, Path], store: FrameStore
) -> None:
    outside = Sampling(CENTRE, 100, 110)
    extraction = extract_timelines(VideoSource(clips["h264"]), [outside, ALL], store)
    failure = _failure(extraction, outside)
    assert failure.kind == "window"
    assert failure.message.startswith(f"{clips['h264']}: clip window 100–110 s")
    assert len(_timeline(extraction, ALL).frames) == 60


def test_what_a_truncated_file_still_has_is_used(
    make_clip: Callable[..., Path],
    store: FrameStore,
    tmp_path: Path,
    read_number: Callable[[Path], int],
) -> None:
    whole = make_clip(
        "whole.mp4", n=200, options={"g": "25"}, container_options={"movflags": "+faststart"}
    )
    path = tmp_path / "cut.mp4"
    content = whole.read_bytes()
    path.write_bytes(content[: len(content) * 6 // 10])
    inside = Sampling(Uniform(4), 0, 0.8)
    extraction = extract_timelines(VideoSource(path), [inside, ALL], store)
    numbers = [
        read_number(store.picture_path(f.digest)) for f in _timeline(extraction, inside).frames
    ]
    assert numbers == [2, 7, 12, 17]
    failure = _failure(extraction, ALL)
    assert failure.kind == "truncated"
    assert "of the 8.00 s that its header states" in failure.message


def test_damage_inside_a_file_costs_only_the_frames_it_hits(
    make_clip: Callable[..., Path],
    store: FrameStore,
    tmp_path: Path,
    read_number: Callable[[Path], int],
) -> None:
    whole = make_clip("whole.mp4", n=200, options={"g": "25"})
    content = bytearray(whole.read_bytes())
    start = content.index(b"mdat") + 4
    middle = start + (len(content) - start) // 3
    content[middle : middle + 2500] = bytes(2500)
    path = tmp_path / "damaged.mp4"
    path.write_bytes(content)
    frames = _timeline(extract_timelines(VideoSource(path), [ALL], store), ALL).frames
    numbers = [read_number(store.picture_path(frame.digest)) for frame in frames]
    assert numbers[:20] == list(range(20))
    assert numbers[-20:] == list(range(180, 200))
    assert len(numbers) < 200
    # The second run reads what the first found out.
    assert _timeline(extract_timelines(VideoSource(path), [ALL], store), ALL).frames == frames


@pytest.fixture
def images(tmp_path: Path, paint: Callable[[int, int, int], npt.NDArray[np.uint8]]) -> Path:
    folder = tmp_path / "frames of -1"
    folder.mkdir()
    for number in range(12):
        Image.fromarray(paint(number, 64, 48)).save(folder / f"{number}.PNG")
    return folder


def test_a_folder_of_images_is_a_video(
    images: Path, store: FrameStore, read_number: Callable[[Path], int]
) -> None:
    extraction = extract_timelines(
        VideoSource(images, images_fps=3), [ALL, Sampling(CENTRE)], store
    )
    frames = _timeline(extraction, ALL).frames
    assert [read_number(store.picture_path(f.digest)) for f in frames] == list(range(12))
    assert [f.seconds for f in frames] == pytest.approx([i / 3 for i in range(12)])
    assert [f.seconds for f in _timeline(extraction, Sampling(CENTRE)).frames] == [2]


def test_a_folder_of_images_needs_its_rate(images: Path, store: FrameStore) -> None:
    failure = _failure(extract_timelines(VideoSource(images), [ALL], store), ALL)
    assert failure.kind == "no_fps"


def test_an_image_that_is_none_names_itself(images: Path, store: FrameStore) -> None:
    (images / "5.PNG").write_bytes(b"not a picture")
    failure = _failure(extract_timelines(VideoSource(images, 3), [ALL], store), ALL)
    assert failure.kind == "undecodable"
    assert "5.PNG" in failure.message


@pytest.mark.parametrize(
    "name",
    [
        "av1_video.mkv",
        "bt709_full_range.mp4",
        "carebench_demo.mp4",
        "h264_10bits.mp4",
        "h265_10bits.mp4",
        "h265_video.mp4",
        "nasa_13013.mp4",
    ],
)
def test_real_files(shared_data: Path, store: FrameStore, name: str) -> None:
    views = (Sampling(CENTRE), Sampling(PerSecond(1, 4)))
    extraction = extract_timelines(VideoSource(shared_data / "videos" / name), views, store)
    for view in views:
        for frame in _timeline(extraction, view).frames:
            with Image.open(store.picture_path(frame.digest)) as image:
                assert np.asarray(image).std() > 5
