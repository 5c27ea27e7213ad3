"""Reads the sound of a video as 16 kHz mono samples that lie where their times say.

Sample ``n`` is heard ``n / 16000`` seconds after the video's first frame: sound from before that
frame is left out, and silence stands where there is none. A minute takes 3.8 MB, so whoever takes
blocks one by one needs no more than one of them however long the video is.
"""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TypeAlias

import av
import numpy as np
import numpy.typing as npt
from av.audio.stream import AudioStream
from av.container import InputContainer
from av.stream import Discard, Disposition
from av.video.stream import VideoStream

from video_oasis.errors import MediaError
from video_oasis.media.container import open_video
from video_oasis.media.probe import decode_in_order

SAMPLE_RATE: Final = 16_000
"""Samples a second of everything this module gives."""

Samples: TypeAlias = npt.NDArray[np.float32]
"""Mono sound, one value for each sample; full scale is 1, which peaks may pass a little."""

_TIME_SLACK: Final = 0.1
"""Frames may be so many seconds off their stated time before the sound is moved there."""
_LONGEST_OVERLAP: Final = 5.0
"""Times that go back by more seconds are a clock that was set anew, not sound heard twice."""
_PAST_THE_END: Final = 60.0
"""Times more seconds beyond the stated length are wrong."""
_LONGEST_VIDEO: Final = 24 * 3600.0
"""Seconds taken as the length where none is stated."""


def read_sound(path: Path) -> Samples | None:
    """Return the whole sound of a video, 230 MB for each hour of it; None if it has none.

    Raises:
        MediaError: as ``read_sound_blocks``.
    """
    blocks = read_sound_blocks(path)
    return None if blocks is None else np.concatenate([np.zeros(0, np.float32), *blocks])


def read_sound_blocks(path: Path, *, block_seconds: int = 30) -> Iterator[Samples] | None:
    """Return the sound of a video in blocks, decoded as they are taken; None if it has none.

    Of several audio streams the ones marked default go before others, then the first; one of which
    nothing can be decoded is passed over. Packets that cannot be decoded leave silence.

    Args:
        path: a video file, or a folder of images, which has no sound.
        block_seconds: length of every block but the last, which may be shorter but not empty.

    Raises:
        MediaError: the file is no video or not readable, or, while blocks are taken: kind
            ``sound_undecodable``, there are audio streams and none can be decoded; kind
            ``sound_truncated``, the sound ends well before the header says.
    """
    if path.is_dir():
        return None
    with open_video(path) as (container, video):
        if not container.streams.audio:
            return None
        origin = _first_frame_time(container, video)
    return _into_blocks(_read_best_stream(path, origin), block_seconds * SAMPLE_RATE)


def _first_frame_time(container: InputContainer, video: VideoStream) -> float:
    """Return when the first frame is presented, by the container's clock in seconds."""
    for _, frame in decode_in_order(container, video):
        if frame.pts is not None and frame.time_base is not None:
            return float(frame.pts * frame.time_base)
        break
    return 0.0


def _read_best_stream(path: Path, origin: float) -> Iterator[Samples]:
    tried: list[int] = []
    while True:
        with open_video(path) as (container, _):
            untried = [each for each in container.streams.audio if each.index not in tried]
            if not untried:
                break
            stream = max(untried, key=_preference)
            for other in container.streams:
                if other.index != stream.index:
                    other.discard = Discard.all
            frames = _decode(container, stream)
            first = next(frames, None)
            if first is not None:
                length = (container.duration or 0) / av.time_base or _LONGEST_VIDEO
                placing = _Placing(origin, length + _PAST_THE_END)
                try:
                    for frame in chain([first], frames):
                        yield from placing.place(frame)
                    yield from placing.flush()
                except MemoryError:
                    raise
                except av.FFmpegError as error:
                    raise MediaError(
                        "sound_undecodable",
                        f"{path}: {first.format.name} sound of {first.layout.name} at "
                        f"{first.sample_rate} Hz cannot be converted ({error.strerror}). Re-encode "
                        "the sound",
                    ) from error
                _check_end(path, container, stream, placing)
                return
            tried.append(stream.index)
    raise MediaError(
        "sound_undecodable",
        f"{path}: of its audio streams (numbers {', '.join(map(str, tried))}) none can be decoded. "
        "Fetch the file again",
    )


def _preference(stream: AudioStream) -> tuple[bool, int]:
    return bool(stream.disposition & Disposition.default), -stream.index


def _decode(container: InputContainer, stream: AudioStream) -> Iterator[av.AudioFrame]:
    packets = container.demux(stream)
    while True:
        try:
            # The last packet is empty and drains the decoder.
            packet = next(packets, None)
        except MemoryError:
            raise
        except av.FFmpegError:
            packet = None
        try:
            frames = stream.codec_context.decode(packet)
        except MemoryError:
            raise
        except av.FFmpegError:
            frames = []
        yield from (frame for frame in frames if not frame.is_corrupt and frame.samples)
        if packet is None:
            return


class _Placing:
    """Resamples frames and puts each where its time says.

    Times jitter, so as long as they keep near to where the sound has come, it runs on unbroken.
    """

    def __init__(self, origin: float, latest: float) -> None:
        """Start with no sound.

        Args:
            origin: the container's time in seconds at which the result starts.
            latest: seconds after the origin beyond which times are taken for wrong.
        """
        self.start_seconds: float | None = None
        """Where the sound starts, None before its first frame."""
        self.end_seconds: float | None = None
        """Where it has come to."""
        self._origin = origin
        self._latest = latest
        self._n_given = 0
        self._n_to_drop = 0
        self._kind: tuple[str, str, int] | None = None
        self._resampler = av.AudioResampler()

    def place(self, frame: av.AudioFrame) -> Iterator[Samples]:
        """Give the samples that this frame lets be known, silence before them included."""
        at = self._time_of(frame)
        kind = (frame.format.name, frame.layout.name, frame.sample_rate)
        if kind != self._kind or self.end_seconds is None or at != self.end_seconds:
            yield from self.flush()
            self._kind = kind
            # Channels that are not named are averaged, since nobody knows which one speaks.
            is_named = not frame.layout.name.endswith(" channels")
            self._resampler = av.AudioResampler(
                format="flt",  # PyAV reads beyond the memory of more than 8 planes
                layout="mono" if is_named else frame.layout,
                rate=SAMPLE_RATE,
                frame_size=SAMPLE_RATE,
                options={"rematrix_maxval": "1"},  # channels that say the same stay as loud
            )
            n_missing = round(at * SAMPLE_RATE) - self._n_given
            self._n_to_drop = max(0, -n_missing)
            for n_left in range(n_missing, 0, -SAMPLE_RATE):
                yield self._count(np.zeros(min(n_left, SAMPLE_RATE), np.float32))
        self.start_seconds = at if self.start_seconds is None else self.start_seconds
        self.end_seconds = at + frame.samples / frame.sample_rate
        frame.pts = None
        yield from map(self._keep, self._resampler.resample(frame))

    def flush(self) -> Iterator[Samples]:
        """Give the samples that the resampler holds back."""
        yield from map(self._keep, self._resampler.resample(None))

    def _time_of(self, frame: av.AudioFrame) -> float:
        """Return the second to put a frame at, where the sound has come to if that is near."""
        here = self.end_seconds
        if frame.pts is None or frame.time_base is None:
            return here or 0.0
        # In floats: exact fractions would take longer than the decoding.
        stated = frame.pts * frame.time_base.numerator / frame.time_base.denominator - self._origin
        if here is None:
            return stated if stated <= self._latest else 0.0
        if stated > self._latest or stated < here - _LONGEST_OVERLAP:
            self._origin += stated - here
            return here
        return here if abs(stated - here) <= _TIME_SLACK else stated

    def _keep(self, frame: av.AudioFrame) -> Samples:
        channels = frame.to_ndarray().reshape(-1, frame.layout.nb_channels)
        samples: Samples = channels.mean(axis=1, dtype=np.float32)
        n_dropped = min(self._n_to_drop, len(samples))
        self._n_to_drop -= n_dropped
        return self._count(samples[n_dropped:])

    def _count(self, samples: Samples) -> Samples:
        self._n_given += len(samples)
        return samples


def _check_end(
    path: Path, container: InputContainer, stream: AudioStream, placing: _Placing
) -> None:
    """Check that the sound goes on to where the header says.

    Raises:
        MediaError: it ends well before.
    """
    end = placing.end_seconds or 0.0
    if stream.duration is not None and stream.time_base is not None:
        stated = float(stream.duration * stream.time_base)
        # Some containers count the silence before a late start, some do not.
        breaks_off = _is_far(stated, end - min(placing.start_seconds or 0.0, 0.0))
    else:
        # The stated length is that of the longest stream, which need not be this one.
        stated = (container.duration or 0) / av.time_base
        breaks_off = _is_far(stated, end) and _is_far(stated, _last_end(path))
    if breaks_off:
        raise MediaError(
            "sound_truncated",
            f"{path}: the sound breaks off at {end:.2f} s, and its header states a length of "
            f"{stated:.2f} s. Fetch the file again",
        )


def _is_far(stated: float, reached: float) -> bool:
    return stated - reached > max(0.5, stated / 50)


def _last_end(path: Path) -> float:
    """Return when the last packet of any stream ends, since the container's start."""
    last = 0.0
    with open_video(path) as (container, _):
        try:
            for packet in container.demux():
                if packet.pts is not None:
                    last = max(
                        last, float((packet.pts + (packet.duration or 0)) * packet.time_base)
                    )
        except MemoryError:
            raise
        except av.FFmpegError:
            pass
        return last - (container.start_time or 0) / av.time_base


def _into_blocks(pieces: Iterable[Samples], n_samples: int) -> Iterator[Samples]:
    held: list[Samples] = []
    n_held = 0
    for piece in pieces:
        held.append(piece)
        n_held += len(piece)
        while n_held >= n_samples:
            joined = np.concatenate(held)
            yield joined[:n_samples]
            held, n_held = [joined[n_samples:]], n_held - n_samples
    if n_held:
        yield np.concatenate(held)
