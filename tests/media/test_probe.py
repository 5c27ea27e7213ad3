import json
import os
import shutil
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from av.stream import Disposition

from video_oasis.errors import MediaError
from video_oasis.media.probe import VideoIndex, index_by_decoding, index_video, probe_video


def _audio(
    path: Path, *, seconds: int, with_video: Path | None = None, pictures_late_ticks: int = 0
) -> Path:
    """Write a file of AAC sound, with the pictures of another file if one is given."""
    with av.open(str(path), "w") as out:
        sound = out.add_stream("aac", rate=16000)
        if with_video:
            with av.open(str(with_video)) as given:
                pictures = out.add_stream_from_template(given.streams.video[0])
                for packet in given.demux(given.streams.video[0]):
                    if packet.size and packet.pts is not None:
                        packet.pts += pictures_late_ticks
                        if packet.dts is not None:
                            packet.dts += pictures_late_ticks
                        packet.stream = pictures
                        out.mux(packet)
        for _ in range(seconds * 16):
            frame = av.AudioFrame.from_ndarray(
                np.zeros((1, 1000), np.float32), format="fltp", layout="mono"
            )
            frame.sample_rate = 16000
            out.mux(sound.encode(frame))
        out.mux(sound.encode(None))
    return path


def _expect(kind: str, path: Path) -> str:
    for look in (probe_video, index_video):
        with pytest.raises(MediaError) as caught:
            look(path)
        assert caught.value.kind == kind
        assert str(path) in str(caught.value)
    return str(caught.value)


def test_what_a_plain_clip_holds(clips: Mapping[str, Path]) -> None:
    info = probe_video(clips["h264"])
    assert (info.duration_seconds, info.n_frames, info.average_fps) == (2.4, 60, 25)
    assert (info.width, info.height, info.rotation_degrees) == (64, 48, 0)
    assert (info.codec, info.pixel_format, info.has_audio) == ("h264", "yuv420p", False)


@pytest.mark.parametrize(
    ("kind", "codec", "pixel_format"),
    [
        ("av1", "av1", "yuv420p"),
        ("hevc", "hevc", "yuv420p"),
        ("h264 10 bits", "h264", "yuv420p10le"),
        ("vp9", "vp9", "yuv420p"),
    ],
)
def test_codecs_have_their_common_names(
    clips: Mapping[str, Path], kind: str, codec: str, pixel_format: str
) -> None:
    info = probe_video(clips[kind])
    assert (info.codec, info.pixel_format) == (codec, pixel_format)


def test_turned_clips_are_described_as_shown(make_clip: Callable[..., Path]) -> None:
    info = probe_video(make_clip("turned.mp4", turn_degrees=90))
    assert (info.width, info.height, info.rotation_degrees) == (48, 64, 90)


def test_of_several_video_streams_the_largest_default_one_is_chosen(shared_data: Path) -> None:
    info = probe_video(shared_data / "videos" / "nasa_13013.mp4")
    assert (info.n_video_streams, info.stream_index, info.width, info.height) == (2, 3, 480, 270)
    assert info.has_audio
    assert info.duration_seconds == pytest.approx(13.013)


def test_cover_pictures_are_not_the_video(tmp_path: Path) -> None:
    path = tmp_path / "cover.mp4"
    with av.open(str(path), "w") as container:
        small = container.add_stream("libx264", rate=25)
        small.width, small.height, small.pix_fmt = 64, 48, "yuv420p"
        cover = container.add_stream("mjpeg", rate=25)
        cover.width, cover.height, cover.pix_fmt = 640, 480, "yuvj420p"
        cover.disposition = Disposition.attached_pic
        for _ in range(5):
            container.mux(small.encode(av.VideoFrame(64, 48, "yuv420p")))
        container.mux(cover.encode(av.VideoFrame(640, 480, "yuvj420p")))
        container.mux(small.encode(None))
        container.mux(cover.encode(None))
    info = probe_video(path)
    assert (info.width, info.n_video_streams) == (64, 2)


@pytest.mark.parametrize(
    "kind", ["h264", "h264 avi", "h264 without times", "h264 ts", "hevc", "av1", "mpeg2 ts"]
)
def test_every_frame_has_its_time(clips: Mapping[str, Path], kind: str) -> None:
    index = index_video(clips[kind])
    assert index.seconds == pytest.approx([i / 25 for i in range(60)], abs=1e-3)
    assert index.duration_seconds == index.readable_seconds == pytest.approx(2.4, abs=1e-2)


def test_variable_rate_is_kept(clips: Mapping[str, Path]) -> None:
    index = index_video(clips["variable rate"])
    assert index.seconds[:3] == pytest.approx([0, 0.047, 0.094])
    assert index.seconds[20] - index.seconds[19] == pytest.approx(0.747)


def test_frames_cut_off_by_an_edit_list_are_not_frames(clips: Mapping[str, Path]) -> None:
    index = index_video(clips["h264 negative times"])
    assert len(index.seconds) == 50
    assert index.seconds[0] == 0
    assert index.duration_seconds == pytest.approx(2.0)


def test_repeated_times_are_read_by_decoding(
    make_clip: Callable[..., Path], tmp_path: Path
) -> None:
    plain = make_clip("ten.mkv", n=10, options={"tune": "zerolatency"})
    path = tmp_path / "twice.mkv"
    with av.open(str(plain)) as given, av.open(str(path), "w") as out:
        stream = out.add_stream_from_template(given.streams.video[0])
        for packet in given.demux(given.streams.video[0]):
            if packet.size:
                assert packet.pts is not None
                packet.pts = packet.dts = 160 if packet.pts == 200 else packet.pts
                packet.stream = stream
                out.mux(packet)
    index = index_video(path)
    assert index.packets is None
    assert len(index.seconds) == 10
    assert index.seconds[4] == index.seconds[5] == 0.16


def test_an_index_survives_json(clips: Mapping[str, Path]) -> None:
    for kind in ("h264", "h264 avi"):
        index = index_video(clips[kind])
        assert VideoIndex.from_json(json.loads(json.dumps(index.to_json()))) == index


@pytest.mark.parametrize("pictures_late_ticks", [0, 900])
@pytest.mark.parametrize("seconds", [1, 6])
def test_sound_around_the_pictures_is_not_a_truncated_video(
    clips: Mapping[str, Path], tmp_path: Path, seconds: int, pictures_late_ticks: int
) -> None:
    path = _audio(
        tmp_path / "sound.mkv",
        seconds=seconds,
        with_video=clips["h264 one group"],
        pictures_late_ticks=pictures_late_ticks,
    )
    assert probe_video(path).has_audio
    index = index_video(path)
    assert index.duration_seconds == index.readable_seconds == pytest.approx(2.4, abs=0.01)


@pytest.mark.parametrize(
    ("name", "container_options"),
    [("cut.mp4", {"movflags": "+faststart"}), ("cut.mkv", {}), ("cut.flv", {})],
)
def test_a_file_that_breaks_off_says_how_far_it_goes(
    make_clip: Callable[..., Path],
    tmp_path: Path,
    name: str,
    container_options: Mapping[str, str],
) -> None:
    whole = make_clip(
        f"whole-{name}", n=200, options={"g": "25"}, container_options=container_options
    )
    path = tmp_path / name
    content = whole.read_bytes()
    path.write_bytes(content[: len(content) * 6 // 10])
    index = index_video(path)
    assert 1 < index.readable_seconds < 7
    assert index.duration_seconds == pytest.approx(8.0, abs=0.1)


def test_files_that_are_no_video_say_why(tmp_path: Path, fifo: Path) -> None:
    empty = tmp_path / "empty.mp4"
    empty.touch()
    page = tmp_path / "page.mp4"
    page.write_text("<html><body>404 Not Found</body></html>" * 50)
    noise = tmp_path / "noise.webm"
    noise.write_bytes(np.random.default_rng(0).bytes(100_000))
    assert "no such file" in _expect("missing", tmp_path / "gone.mp4")
    assert "is empty" in _expect("empty", empty)
    assert "cannot be opened as a video" in _expect("not_a_video", page)
    _expect("not_a_video", noise)
    assert "neither a file" in _expect("not_a_file", fifo)
    sound = _audio(tmp_path / "sound.m4a", seconds=1)
    assert "streams found: audio" in _expect("no_video_stream", sound)


def test_a_file_cut_before_its_header_is_no_video(
    clips: Mapping[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "cut.mp4"
    path.write_bytes(clips["h264"].read_bytes()[:2000])
    _expect("not_a_video", path)


def test_a_stream_that_gives_no_frame_says_so(clips: Mapping[str, Path], tmp_path: Path) -> None:
    content = bytearray(clips["h264"].read_bytes())
    start = content.index(b"mdat") + 4
    end = content.index(b"moov") - 4
    content[start:end] = bytes(end - start)
    path = tmp_path / "blank.mp4"
    path.write_bytes(content)
    for look in (probe_video, index_by_decoding):
        with pytest.raises(MediaError, match="not one frame") as caught:
            look(path)
        assert caught.value.kind == "undecodable"


@pytest.mark.parametrize(
    "name",
    [
        "CLIP.MP4",
        "with space.mp4",
        "-dash.mp4",
        "concat:a.mp4",
        "視頻 é.mp4",
        "100%03d.mp4",
        "a?b#c.mp4",
        os.fsdecode(b"latin-\xe9.mp4"),
    ],
)
def test_names_do_not_matter(
    clips: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    shutil.copy(clips["h264"], tmp_path / name)
    monkeypatch.chdir(tmp_path)
    assert probe_video(Path(name)) == probe_video(clips["h264"])


def test_a_playlist_opens_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "list.mp4"
    path.write_text(
        "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n"
    )
    with pytest.raises(MediaError):
        probe_video(path)


def test_fractional_rates_stay_exact(shared_data: Path) -> None:
    index = index_video(shared_data / "videos" / "nasa_13013.mp4")
    assert index.seconds[389] == float(Fraction(389 * 1001, 30000))
