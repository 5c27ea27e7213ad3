import tracemalloc
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt
import pytest
from av.stream import Disposition

from video_oasis.errors import MediaError
from video_oasis.media.audio import (
    SAMPLE_RATE,
    Samples,
    _Placing,
    read_sound,
    read_sound_blocks,
)

FloatSound = npt.NDArray[np.float32]
MakeBeeps = Callable[..., Path]

BEEP_SECONDS = 0.2
FASTSTART = {"movflags": "+faststart"}


def beeps(n_seconds: int, rate: int, first_hz: int = 1000) -> FloatSound:
    """Make a beep of half the full scale at every whole second."""
    t = np.arange(n_seconds * rate) / rate
    wave = 0.5 * np.sin(2 * np.pi * first_hz * t) * (t % 1 < BEEP_SECONDS)
    return wave.astype(np.float32)


def starts_of_beeps(sound: Samples) -> list[float]:
    """Find when sound begins after at least a quarter of a second of silence."""
    loud = np.flatnonzero(np.abs(sound) > 0.05)
    starts = loud[np.diff(loud, prepend=-SAMPLE_RATE) > SAMPLE_RATE // 4]
    return [float(start) / SAMPLE_RATE for start in starts]


def add_sound(
    container: Any,
    codec: str,
    sound: FloatSound,
    rate: int,
    layout: str,
    at_seconds: Sequence[float],
) -> list[Any]:
    """Encode the same sound for all channels, or one row for each, at each of the times."""
    n_channels = av.AudioLayout(layout).nb_channels
    stream = container.add_stream(codec, rate=rate, layout=layout)
    packets = []
    for at in at_seconds:
        rows = np.broadcast_to(sound, (n_channels, sound.shape[-1]))
        mixed = np.ascontiguousarray(rows.T).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(mixed, format="flt", layout=layout)
        frame.sample_rate = rate
        frame.pts = round(at * rate)
        frame.time_base = Fraction(1, rate)
        packets += stream.encode(frame)
    return [*packets, *stream.encode(None)]


@pytest.fixture
def make_beeps(tmp_path: Path) -> MakeBeeps:
    """Encode a clip of still pictures and beeps."""

    def make(
        name: str,
        *,
        codec: str = "aac",
        sound: FloatSound | None = None,
        rate: int = 48_000,
        layout: str = "stereo",
        n_seconds: int = 3,
        sound_at: Sequence[float] = (0.0,),
        pictures_at: float = 0.0,
        options: dict[str, str] | None = None,
    ) -> Path:
        path = tmp_path / name
        with av.open(str(path), "w", container_options=options or {}) as container:
            video: Any = container.add_stream("libx264", rate=25, options={"preset": "ultrafast"})
            video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
            packets = add_sound(
                container,
                codec,
                beeps(n_seconds, rate) if sound is None else sound,
                rate,
                layout,
                sound_at,
            )
            for number in range(n_seconds * 25):
                frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 100, np.uint8))
                frame.pts = round(pictures_at * 25) + number
                frame.time_base = Fraction(1, 25)
                packets += video.encode(frame)
            for packet in sorted([*packets, *video.encode(None)], key=_decoded_at):
                container.mux(packet)
        return path

    return make


def _decoded_at(packet: Any) -> Fraction:
    return Fraction(packet.dts * packet.time_base)


def hear(path: Path) -> Samples:
    sound = read_sound(path)
    assert sound is not None
    assert sound.dtype == np.float32
    return sound


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("aac.mp4", {}),
        ("aac.ts", {}),
        ("opus.mkv", {"codec": "libopus"}),
        ("flac.mkv", {"codec": "flac", "rate": 44_100}),
        ("16 bits.avi", {"codec": "pcm_s16le", "rate": 22_050, "layout": "mono"}),
        ("mp3.flv", {"codec": "mp3", "rate": 22_050, "layout": "mono"}),
        ("ac3.mkv", {"codec": "ac3", "layout": "5.1"}),
        ("24 bits.mov", {"codec": "pcm_s24le", "layout": "7.1", "rate": 96_000}),
        ("64 bits.mkv", {"codec": "pcm_f64le", "rate": 11_025}),
        ("8 bits.mkv", {"codec": "pcm_u8", "rate": 8_000, "layout": "mono"}),
        ("mu law.mov", {"codec": "pcm_mulaw", "rate": 8_000, "layout": "mono"}),
        ("unnamed channels.mkv", {"codec": "pcm_f32le", "layout": "7 channels"}),
        ("hexagonal.mkv", {"codec": "flac", "layout": "hexagonal"}),
    ],
)
def test_sound_of_every_coding_is_heard_when_and_as_loud_as_it_is(
    make_beeps: MakeBeeps, name: str, how: dict[str, Any]
) -> None:
    sound = hear(make_beeps(name, **how))
    # AVI counts in frames of 0.04 s.
    assert starts_of_beeps(sound) == pytest.approx([0, 1, 2], abs=0.05)
    assert len(sound) / SAMPLE_RATE == pytest.approx(3, abs=0.1)
    loudness = np.sqrt(np.mean(sound[800:2400] ** 2))
    assert loudness == pytest.approx(0.5 / np.sqrt(2), rel=0.15)


@pytest.mark.parametrize("name", ["late.mp4", "late.mkv", "late.ts"])
def test_sound_that_starts_late_is_heard_late(make_beeps: MakeBeeps, name: str) -> None:
    sound = hear(make_beeps(name, sound_at=[2.0]))
    assert starts_of_beeps(sound) == pytest.approx([2, 3, 4], abs=0.03)
    assert not sound[: 19 * SAMPLE_RATE // 10].any()


@pytest.mark.parametrize("name", ["early.mp4", "early.mkv", "early.ts"])
def test_sound_from_before_the_first_frame_is_left_out(make_beeps: MakeBeeps, name: str) -> None:
    sound = hear(make_beeps(name, pictures_at=0.6))
    assert starts_of_beeps(sound) == pytest.approx([0.4, 1.4], abs=0.03)
    assert len(sound) / SAMPLE_RATE == pytest.approx(2.4, abs=0.1)


def test_a_hole_in_the_sound_is_silence(make_beeps: MakeBeeps) -> None:
    path = make_beeps("hole.mkv", codec="pcm_s16le", n_seconds=2, sound_at=[0.0, 4.5])
    assert starts_of_beeps(hear(path)) == pytest.approx([0, 1, 4.5, 5.5], abs=0.01)


def test_times_that_jitter_do_not_tear_the_sound(make_beeps: MakeBeeps) -> None:
    second = np.full(SAMPLE_RATE, 0.5, np.float32)
    path = make_beeps(
        "jitter.mkv", codec="pcm_s16le", sound=second, rate=SAMPLE_RATE, sound_at=[0, 1.04, 1.97]
    )
    sound = hear(path)
    assert len(sound) == 3 * SAMPLE_RATE
    assert sound == pytest.approx(0.5, abs=0.001)


def test_a_clock_that_starts_anew_and_a_new_coding_go_on_where_the_sound_was(
    make_beeps: MakeBeeps, tmp_path: Path
) -> None:
    first = make_beeps("1.ts", n_seconds=7)
    second = make_beeps("2.ts", rate=44_100, layout="mono", n_seconds=2)
    joined = tmp_path / "joined.ts"
    joined.write_bytes(first.read_bytes() + second.read_bytes())
    assert starts_of_beeps(hear(joined)) == pytest.approx(range(9), abs=0.06)


def test_times_beyond_the_end_of_the_video_are_not_believed() -> None:
    placing = _Placing(origin=0.0, latest=100.0)
    pieces: list[Samples] = []
    for seconds in (1e6, 1e6 + 1, 2e9):
        frame = av.AudioFrame.from_ndarray(np.ones((1, 16_000), np.float32), "flt", "mono")
        frame.sample_rate = SAMPLE_RATE
        frame.pts, frame.time_base = round(seconds * 1000), Fraction(1, 1000)
        pieces += placing.place(frame)
    pieces += placing.flush()
    assert np.array_equal(np.concatenate(pieces), np.ones(3 * SAMPLE_RATE))


@pytest.mark.parametrize(
    ("layout", "n_channels", "channel", "share"),
    [
        # By the usual coefficients the centre has weight 1, left and right 0.71, the back 0.5.
        ("5.1", 6, 2, 1 / (1 + 2 * 0.7071 + 2 * 0.5)),
        ("3 channels", 3, 2, 1 / 3),
        ("16 channels", 16, 15, 1 / 16),
    ],
    ids=["centre", "third of three", "last of many"],
)
def test_speech_in_one_channel_is_heard(
    make_beeps: MakeBeeps, layout: str, n_channels: int, channel: int, share: float
) -> None:
    rows = np.zeros((n_channels, SAMPLE_RATE), np.float32)
    rows[channel] = 0.5
    path = make_beeps(
        "one.mov", codec="pcm_f32le", sound=rows, rate=SAMPLE_RATE, layout=layout, n_seconds=1
    )
    assert hear(path).mean() == pytest.approx(0.5 * share, rel=0.01)


def test_blocks_are_the_sound_in_pieces_of_one_length(make_beeps: MakeBeeps) -> None:
    path = make_beeps("blocks.mkv", codec="pcm_s16le", rate=8_000, layout="mono", n_seconds=7)
    blocks = read_sound_blocks(path, block_seconds=2)
    assert blocks is not None
    pieces = list(blocks)
    assert [len(piece) / SAMPLE_RATE for piece in pieces] == [2, 2, 2, 1]
    assert np.array_equal(np.concatenate(pieces), hear(path))


def test_blocks_of_a_long_video_need_little_memory(make_beeps: MakeBeeps) -> None:
    path = make_beeps("long.mkv", codec="pcm_s16le", rate=8_000, layout="mono", n_seconds=400)
    tracemalloc.start()
    blocks = read_sound_blocks(path)
    assert blocks is not None
    n_samples = sum(len(block) for block in blocks)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_samples == 400 * SAMPLE_RATE
    assert peak < 8 << 20
    assert n_samples * 4 > 24 << 20


def test_a_video_without_an_audio_stream_has_no_sound(
    make_clip: Callable[..., Path], tmp_path: Path
) -> None:
    assert read_sound(make_clip("no sound.mp4", n=5)) is None
    assert read_sound_blocks(tmp_path) is None


def test_what_is_no_video_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sound only.mkv"
    with av.open(str(path), "w") as container:
        for packet in add_sound(container, "flac", beeps(1, 16_000), 16_000, "mono", [0.0]):
            container.mux(packet)
    with pytest.raises(MediaError) as caught:
        read_sound(path)
    assert caught.value.kind == "no_video_stream"
    with pytest.raises(MediaError) as caught:
        read_sound(tmp_path / "gone.mp4")
    assert caught.value.kind == "missing"


def _blank_packets(path: Path, stream: int, start: float = 0, end: float = 1e9) -> None:
    """Overwrite the packets of an audio stream with zeros."""
    data = bytearray(path.read_bytes())
    with av.open(str(path)) as container:
        for packet in container.demux(container.streams.audio[stream]):
            if packet.pts is not None and start <= packet.pts * packet.time_base < end:
                assert packet.pos is not None
                data[packet.pos : packet.pos + packet.size] = bytes(packet.size)
    path.write_bytes(data)


def test_sound_that_cannot_be_decoded_is_a_failure(make_beeps: MakeBeeps) -> None:
    path = make_beeps("broken.mp4")
    _blank_packets(path, 0)
    with pytest.raises(MediaError, match="of its audio streams") as caught:
        read_sound(path)
    assert caught.value.kind == "sound_undecodable"


def test_packets_that_cannot_be_decoded_leave_silence(make_beeps: MakeBeeps) -> None:
    path = make_beeps("damaged.mp4", n_seconds=4)
    _blank_packets(path, 0, 0.8, 1.8)
    assert starts_of_beeps(hear(path)) == pytest.approx([0, 2, 3], abs=0.03)


@pytest.mark.parametrize("name", ["cut.mp4", "cut.mkv"])
def test_sound_that_breaks_off_is_a_failure(make_beeps: MakeBeeps, name: str) -> None:
    path = make_beeps(name, codec="flac", n_seconds=8, options=FASTSTART)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 6 // 10])
    with pytest.raises(MediaError, match="header states") as caught:
        read_sound(path)
    assert caught.value.kind == "sound_truncated"


@pytest.mark.parametrize("name", ["short.mp4", "short.mkv"])
def test_sound_that_is_shorter_than_the_pictures_is_whole(make_beeps: MakeBeeps, name: str) -> None:
    path = make_beeps(name, codec="flac", sound=beeps(2, 48_000), n_seconds=8)
    assert starts_of_beeps(hear(path)) == pytest.approx([0, 1], abs=0.03)


@pytest.mark.parametrize("default", [0, 1])
def test_of_several_streams_the_default_one_is_heard_or_else_one_that_can_be(
    tmp_path: Path, default: int
) -> None:
    path = tmp_path / "languages.mp4"
    with av.open(str(path), "w") as container:
        video: Any = container.add_stream("libx264", rate=25)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        packets = []
        for level in (0.25, 0.5):
            sound = np.full(48_000, level, np.float32)
            packets += add_sound(container, "flac", sound, 48_000, "mono", [0.0])
        for number, stream in enumerate(container.streams.audio):
            stream.disposition = Disposition.default if number == default else Disposition(0)
        for number in range(25):
            frame = av.VideoFrame.from_ndarray(np.full((48, 64, 3), 100, np.uint8))
            frame.pts = number
            packets += video.encode(frame)
        for packet in [*packets, *video.encode(None)]:
            container.mux(packet)
    assert np.median(hear(path)) == pytest.approx([0.25, 0.5][default], abs=0.01)
    _blank_packets(path, default)
    assert np.median(hear(path)) == pytest.approx([0.5, 0.25][default], abs=0.01)
