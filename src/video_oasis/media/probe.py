"""Finds out what a video file holds: its streams, and when each of its frames is presented.

An index is made by reading packets without decoding them, a few microseconds for each frame. Where
the packets cannot be trusted to say when frames appear (no times, repeated times, times in decoding
order, no keyframes), the video is decoded once from the start instead, and later reads do the same.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

import av
from av.container import InputContainer
from av.stream import Stream
from av.video.stream import VideoStream
from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.media.container import open_video
from video_oasis.media.pictures import upright_step

VideoPacket: TypeAlias = "av.Packet[VideoStream]"

_SWAPS_SIDES: Final = {
    Image.Transpose.ROTATE_90: 90,
    Image.Transpose.ROTATE_270: 270,
    Image.Transpose.TRANSPOSE: 90,
    Image.Transpose.TRANSVERSE: 270,
}
_MOST_BYTES_PER_PIXEL: Final = 24
"""Of 16 reference frames of H.264 or HEVC at 1.5 bytes a pixel."""
_STATES_DURATION: Final = frozenset({"mov", "matroska", "avi", "flv", "asf"})
"""Containers whose header states a length; others have it guessed from the file's size."""


@dataclass(frozen=True, slots=True)
class VideoInfo:
    """What the header and the first frame of a video say.

    Attributes:
        duration_seconds: length by the header, None where it states none.
        n_frames: number of frames by the header, None where it states none; decoding may not
            reach it.
        average_fps: frames a second by the header, None where it states none.
        width: of the frame as shown, after rotation.
        height: of the frame as shown, after rotation.
        rotation_degrees: anticlockwise turn that shows the frame upright: 0, 90, 180 or 270.
        codec: FFmpeg's name of the codec, such as ``h264``.
        pixel_format: FFmpeg's name, such as ``yuv420p10le``.
        stream_index: the stream chosen, among all streams of the file.
        n_video_streams: how many video streams there are, cover pictures among them.
        has_audio: whether there is an audio stream.
    """

    duration_seconds: float | None
    n_frames: int | None
    average_fps: float | None
    width: int
    height: int
    rotation_degrees: int
    codec: str
    pixel_format: str
    stream_index: int
    n_video_streams: int
    has_audio: bool


@dataclass(frozen=True)
class PacketTable:
    """The packets of a video stream in decoding order; positions count from 0.

    Attributes:
        pts: presentation time of each packet in the stream's ticks; no two are equal.
        keyframes: positions at which decoding can start, ascending.
        seek_ticks: for each keyframe, the time to seek to.
        may_skip: whether packets that others do not refer to can be left out without changing the
            frames that are kept.
    """

    pts: tuple[int, ...]
    keyframes: tuple[int, ...]
    seek_ticks: tuple[int, ...]
    may_skip: bool

    @cached_property
    def position_of(self) -> dict[int, int]:
        """The position of the packet of each presentation time."""
        return {ticks: position for position, ticks in enumerate(self.pts)}


@dataclass(frozen=True, slots=True)
class VideoIndex:
    """When each frame of a video is presented.

    Attributes:
        seconds: time of each frame since the first, ascending.
        frame_ids: for each frame, how the decoder knows it: its presentation time in ticks if there
            is a packet table, else its number in the order of decoding from the start.
        readable_seconds: the end of the last frame that can be read.
        duration_seconds: the end by the header where much more is missing than rounding explains,
            else the same.
        packets: None if the video is read from its start only.
    """

    seconds: tuple[float, ...]
    frame_ids: tuple[int, ...]
    readable_seconds: float
    duration_seconds: float
    packets: PacketTable | None

    def to_json(self) -> dict[str, Any]:
        """Return plain data for ``from_json``."""
        return _fields(self) | {"packets": self.packets and _fields(self.packets)}

    @classmethod
    def from_json(cls, plain: dict[str, Any]) -> "VideoIndex":
        """Make an index from what ``to_json`` returned, read back from JSON."""
        packets = plain["packets"] and PacketTable(**_with_tuples(plain["packets"]))
        return cls(**_with_tuples(plain) | {"packets": packets})


def _fields(value: VideoIndex | PacketTable) -> dict[str, Any]:
    # Not asdict, which copies every one of a long video's numbers.
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _with_tuples(plain: dict[str, Any]) -> dict[str, Any]:
    return {
        name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()
    }


def probe_video(path: Path) -> VideoInfo:
    """Read the header and the first frame of a video.

    Raises:
        MediaError: it cannot be opened, or no frame of it can be decoded.
    """
    with open_video(path) as (container, stream):
        first = next(decode_in_order(container, stream), None)
        if first is None:
            raise _undecodable(path, stream)
        _, frame = first
        step = upright_step(frame)
        width, height = frame.width, frame.height
        if step in _SWAPS_SIDES:
            width, height = height, width
        rotation = 180 if step is Image.Transpose.ROTATE_180 else 0
        duration = _stated_duration(container, stream)
        return VideoInfo(
            duration_seconds=None if duration is None else float(duration),
            n_frames=stream.frames or None,
            average_fps=float(stream.average_rate) if stream.average_rate else None,
            width=width,
            height=height,
            rotation_degrees=_SWAPS_SIDES.get(step, rotation) if step is not None else 0,
            codec=stream.codec_context.codec.canonical_name,
            pixel_format=frame.format.name,
            stream_index=stream.index,
            n_video_streams=len(container.streams.video),
            has_audio=bool(container.streams.audio),
        )


def index_video(path: Path) -> VideoIndex:
    """Find the time of every frame, from the packets where they can be trusted.

    Raises:
        MediaError: the file cannot be opened, or no frame of it can be decoded.
    """
    with open_video(path) as (container, stream):
        index = _index_packets(path, container, stream)
    return index or index_by_decoding(path)


def index_by_decoding(path: Path) -> VideoIndex:
    """Find the time of every frame by decoding all of them.

    Raises:
        MediaError: the file cannot be opened, or no frame of it can be decoded.
    """
    with open_video(path) as (container, stream):
        tick = _seconds_per_tick(stream)
        frame_duration = 1 / Fraction(stream.average_rate or stream.guessed_rate or 25)
        decoded = [
            (number, None if frame.pts is None else frame.pts * tick)
            for number, frame in decode_in_order(container, stream)
        ]
        if not decoded:
            raise _undecodable(path, stream)
        times = [time for _, time in decoded if time is not None]
        if len(times) < len(decoded) or times != sorted(times):
            times = [number * frame_duration for number, _ in decoded]
        start = times[0]
        readable = times[-1] - start + frame_duration
        return VideoIndex(
            seconds=tuple(float(time - start) for time in times),
            frame_ids=tuple(number for number, _ in decoded),
            readable_seconds=float(readable),
            duration_seconds=float(_duration(path, container, stream, readable)),
            packets=None,
        )


def decode_in_order(
    container: InputContainer, stream: VideoStream
) -> Iterator[tuple[int, av.VideoFrame]]:
    """Decode from the current position and yield each sound frame with its number.

    Frames that the decoder marks as damaged keep their number and are left out; packets that cannot
    be decoded are passed over, as players do.
    """
    number = 0
    for packet in chain(read_packets(container, stream), [None]):
        for frame in decode_packet(stream, packet):
            if not frame.is_corrupt:
                yield number, frame
            number += 1


def read_packets(container: InputContainer, stream: VideoStream) -> Iterator[VideoPacket]:
    """Yield the stream's packets to the end, or to where the file can no longer be read."""
    try:
        yield from (packet for packet in container.demux(stream) if packet.size)
    except MemoryError:
        raise
    except av.FFmpegError:
        return


def decode_packet(stream: VideoStream, packet: "VideoPacket | None") -> Iterable[av.VideoFrame]:
    """Decode one packet, None to drain the decoder; nothing comes of one that cannot be decoded.

    Raises:
        MemoryError: there is no room to decode.
    """
    context = stream.codec_context
    try:
        return context.decode(packet)
    except MemoryError:
        raise
    except av.FFmpegError:
        # Decoders report memory that they were refused as bad data. Room for as many bytes as the
        # largest set of reference frames takes tells the two apart; it is never touched.
        bytearray(context.width * context.height * _MOST_BYTES_PER_PIXEL)
        return ()


def _index_packets(path: Path, container: InputContainer, stream: VideoStream) -> VideoIndex | None:
    pts: list[int] = []
    shown: list[int] = []
    keyframes: list[int] = []
    seek_ticks: list[int] = []
    end = None
    for packet in read_packets(container, stream):
        if packet.pts is None:
            return None
        if packet.is_keyframe:
            keyframes.append(len(pts))
            seek_ticks.append(packet.pts if packet.dts is None else min(packet.pts, packet.dts))
        if keyframes and not packet.is_discard and not packet.is_corrupt:
            shown.append(packet.pts)
            end = max(end or packet.pts, packet.pts + (packet.duration or 0))
        pts.append(packet.pts)
    if not keyframes or end is None or len(set(pts)) < len(pts):
        return None
    # Frames that come out in another order than they are stored need times that say so.
    if stream.codec_context.has_b_frames and len(pts) > 2 and pts == sorted(pts):
        return None
    # Frames presented before the first keyframe refer to frames that are not there.
    first_pts = pts[keyframes[0]]
    shown = sorted(ticks for ticks in shown if ticks >= first_pts)
    if not shown:
        return None
    tick = _seconds_per_tick(stream)
    start = shown[0] * tick
    readable = end * tick - start
    return VideoIndex(
        seconds=tuple((ticks - shown[0]) * tick.numerator / tick.denominator for ticks in shown),
        frame_ids=tuple(shown),
        readable_seconds=float(readable),
        duration_seconds=float(_duration(path, container, stream, readable)),
        packets=PacketTable(
            tuple(pts), tuple(keyframes), tuple(seek_ticks), may_skip=_may_skip(stream)
        ),
    )


def _may_skip(stream: VideoStream) -> bool:
    """Tell whether the decoder's skipping of non-reference packets leaves the rest exact.

    In H.264 the mark is absolute. In HEVC it holds within one temporal layer, so the configuration
    record (ISO/IEC 14496-15, 8.3.3.1) must say that there is only one. The AV1 and VP9 decoders do
    not take the setting packet by packet.
    """
    context = stream.codec_context
    if context.codec.canonical_name == "h264":
        return True
    record = context.extradata or b""
    is_record = len(record) > 21 and record[0] == 1
    return context.codec.canonical_name == "hevc" and is_record and (record[21] >> 3) & 0b111 == 1


def _seconds_per_tick(stream: Stream) -> Fraction:
    return stream.time_base or Fraction(1, av.time_base)


def _stated_duration(container: InputContainer, stream: VideoStream) -> Fraction | None:
    if stream.duration is not None:
        return stream.duration * _seconds_per_tick(stream)
    if container.duration is not None and container.format.name.split(",")[0] in _STATES_DURATION:
        return Fraction(container.duration, av.time_base)
    return None


def _duration(
    path: Path,
    container: InputContainer,
    stream: VideoStream,
    readable: Fraction,
) -> Fraction:
    stated = _stated_duration(container, stream)
    tolerance = max(Fraction(1, 2), readable / 50)
    if stated is None or stated - readable <= tolerance:
        return readable
    # A container's length is that of its longest stream, counted from its own zero: sound may begin
    # before the pictures and outlast them.
    if stream.duration is None and stated - _last_end(path) <= tolerance:
        return readable
    return stated


def _last_end(path: Path) -> Fraction:
    ends = [Fraction(0)]
    with open_video(path) as (container, _):
        try:
            ends.extend(
                (packet.pts + (packet.duration or 0)) * _seconds_per_tick(packet.stream)
                for packet in container.demux()
                if packet.pts is not None
            )
        except MemoryError:
            raise
        except av.FFmpegError:
            pass
    return max(ends)


def _undecodable(path: Path, stream: VideoStream) -> MediaError:
    return MediaError(
        "undecodable",
        f"{path}: video stream {stream.index} ({stream.codec_context.name}) is there, but not one "
        "frame of it can be decoded. Fetch the file again",
    )
