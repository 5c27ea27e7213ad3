"""Decodes exactly the frames that are wanted, by the shortest way that keeps them exact.

Every wanted frame needs the packets from its keyframe up to its own. The union of these stretches
is decoded, each from its keyframe, and what lies between is skipped. Inside a stretch, packets that
nobody refers to are left out unless they are wanted. Frames presented before a keyframe but stored
after it (open groups of pictures) belong to the stretch of the keyframe before.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import av
from av.container import InputContainer
from av.video.stream import VideoStream

from video_oasis.errors import MediaError
from video_oasis.media.container import open_video
from video_oasis.media.probe import (
    PacketTable,
    VideoIndex,
    VideoPacket,
    decode_in_order,
    decode_packet,
    read_packets,
)

Deliver = Callable[[int, av.VideoFrame], None]
"""Takes a frame's id and the frame as soon as it is decoded; called from several threads."""

_READ_ON_PACKETS = 100
"""Up to this many packets are read past rather than sought over; a seek costs about as much."""


class FramesNotDelivered(MediaError):
    """Decoding by the packet table left out frames that the table promises."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Packets to decode in one go.

    Attributes:
        keyframe: which keyframe of the packet table it starts from.
        last: position of the last packet needed.
        wanted: presentation times of the frames wanted of it.
    """

    keyframe: int
    last: int
    wanted: frozenset[int]


def plan_stretches(table: PacketTable, wanted: Iterable[int]) -> list[Stretch]:
    """Find the stretches of packets that hold the wanted frames, in decoding order.

    Args:
        table: the packets of the video.
        wanted: presentation times, each of them in the table.
    """
    position_of = table.position_of
    needs = sorted(
        (_keyframe_for(table, position_of[ticks]), position_of[ticks], ticks) for ticks in wanted
    )
    stretches: list[Stretch] = []
    for keyframe, position, ticks in needs:
        previous = stretches[-1] if stretches else None
        if previous and table.keyframes[keyframe] <= previous.last:
            stretches[-1] = Stretch(
                previous.keyframe, max(previous.last, position), previous.wanted | {ticks}
            )
        else:
            stretches.append(Stretch(keyframe, position, frozenset({ticks})))
    return stretches


def split_wanted(table: PacketTable, wanted: Iterable[int], parts: int) -> list[list[int]]:
    """Split wanted frames at keyframes into at most so many parts of about equal work."""
    position_of = table.position_of
    groups: dict[int, list[int]] = {}
    for ticks in sorted(wanted):
        groups.setdefault(_keyframe_for(table, position_of[ticks]), []).append(ticks)
    costs = {
        keyframe: max(position_of[ticks] for ticks in group) - table.keyframes[keyframe] + 1
        for keyframe, group in groups.items()
    }
    share = sum(costs.values()) / parts
    split: list[list[int]] = [[] for _ in range(parts)]
    spent = 0.0
    for keyframe in sorted(groups):
        # A group goes to the part in which its middle lies.
        split[min(parts - 1, int((spent + costs[keyframe] / 2) / share))] += groups[keyframe]
        spent += costs[keyframe]
    return [part for part in split if part]


def decode_frames(
    path: Path, index: VideoIndex, wanted: Iterable[int], deliver: Deliver, *, threads: int
) -> None:
    """Decode the wanted frames and hand over each of them once, in no promised order.

    Args:
        path: the video file.
        index: its index.
        wanted: frame ids, all of them in the index.
        deliver: what is done with each frame.
        threads: how many containers are opened to decode side by side.

    Raises:
        FramesNotDelivered: the file gave fewer frames than its packets promise.
        MediaError: the file cannot be opened.
    """
    ids = frozenset(wanted)
    delivered: set[int] = set()

    def hand_over(frame_id: int, frame: av.VideoFrame) -> None:
        delivered.add(frame_id)
        deliver(frame_id, frame)

    if index.packets is None:
        _decode_from_start(path, ids, hand_over)
    else:
        table = index.packets
        jobs = [plan_stretches(table, part) for part in split_wanted(table, ids, threads)]
        with ThreadPoolExecutor(max_workers=threads) as pool:
            running = [
                pool.submit(_decode_stretches, path, table, stretches, hand_over)
                for stretches in jobs
            ]
            for each in running:
                each.result()
    if missing := ids - delivered:
        raise FramesNotDelivered(
            "undecodable",
            f"{path}: {len(missing)} of {len(ids)} frames wanted of it did not come out of the "
            "decoder. Fetch the file again",
        )


def _keyframe_for(table: PacketTable, position: int) -> int:
    """Return which keyframe decoding starts from to reach the packet at this position."""
    keyframe = bisect_right(table.keyframes, position) - 1
    while keyframe > 0 and table.pts[table.keyframes[keyframe]] > table.pts[position]:
        keyframe -= 1
    return keyframe


def _decode_from_start(path: Path, wanted: frozenset[int], deliver: Deliver) -> None:
    last = max(wanted, default=-1)
    with open_video(path) as (container, stream):
        for number, frame in decode_in_order(container, stream):
            if number in wanted:
                deliver(number, frame)
            if number >= last:
                break


def _decode_stretches(
    path: Path, table: PacketTable, stretches: Sequence[Stretch], deliver: Deliver
) -> None:
    with open_video(path) as (container, stream):
        reader = _StretchReader(container, stream, table)
        for stretch in stretches:
            reader.decode(stretch, deliver)


class _StretchReader:
    """One open container that moves forward from stretch to stretch."""

    def __init__(self, container: InputContainer, stream: VideoStream, table: PacketTable) -> None:
        self._container = container
        self._stream = stream
        self._table = table
        self._packets: Iterator[VideoPacket] = read_packets(container, stream)
        self._next_position = 0

    def decode(self, stretch: Stretch, deliver: Deliver) -> None:
        context = self._stream.codec_context
        context.flush_buffers()
        self._go_to(stretch.keyframe)
        expected = self._table.keyframes[stretch.keyframe]
        skipping = None
        for packet in self._packets:
            position = self._position(packet)
            if position is None or position < expected:
                continue
            if position > expected:
                # A gap would give frames that look sound and are not: leave them undelivered.
                return
            expected = self._next_position = position + 1
            skip = self._table.may_skip and packet.pts not in stretch.wanted
            if skip is not skipping:
                context.skip_frame = "NONREF" if skip else "DEFAULT"
                skipping = skip
            self._deliver_wanted(decode_packet(self._stream, packet), stretch, deliver)
            if position == stretch.last:
                break
        self._deliver_wanted(decode_packet(self._stream, None), stretch, deliver)

    def _go_to(self, keyframe: int) -> None:
        """Place the container at or before a keyframe."""
        position = self._table.keyframes[keyframe]
        if 0 <= position - self._next_position <= _READ_ON_PACKETS:
            return
        # Containers seek by presentation or by decoding time; one that takes the first for the
        # second may land too late.
        for ticks in (
            self._table.pts[position],
            self._table.seek_ticks[keyframe],
            self._table.seek_ticks[0],
        ):
            self._container.seek(ticks, stream=self._stream)
            packets = read_packets(self._container, self._stream)
            landed = next(packets, None)
            if landed is None:
                continue
            self._packets = chain([landed], packets)
            landed_at = self._position(landed)
            if landed_at is not None and landed_at <= position:
                return

    def _position(self, packet: VideoPacket) -> int | None:
        return None if packet.pts is None else self._table.position_of.get(packet.pts)

    def _deliver_wanted(
        self, frames: Iterable[av.VideoFrame], stretch: Stretch, deliver: Deliver
    ) -> None:
        for frame in frames:
            if frame.pts in stretch.wanted and not frame.is_corrupt:
                deliver(frame.pts, frame)
