"""Embeds the frames of timelines that are not kept yet."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from video_oasis.embeddings.encoders.interface import Encoder, make_encoder_id
from video_oasis.embeddings.store import EmbeddingStore, VideoFrames
from video_oasis.errors import MediaError
from video_oasis.media.frames import MediaFailure, ReadPicture

KEPT_AT_ONCE: Final = 256
"""Frames embedded before they are kept: what a killed process loses at most."""


@dataclass(frozen=True, slots=True)
class EmbedProgress:
    """How far the frames have come.

    Attributes:
        n_frames: frames that were not kept yet.
        n_done: of which embedded and kept.
        n_lost: of which not to be had, with the others of their video.
    """

    n_frames: int
    n_done: int = 0
    n_lost: int = 0


Listener = Callable[[EmbedProgress], None]


@dataclass(frozen=True, slots=True)
class _Wanted:
    video: str
    digest: str


def embed_timelines(
    timelines: Sequence[VideoFrames],
    read_picture: ReadPicture,
    encoder: Encoder,
    store: EmbeddingStore,
    *,
    batch: int = 32,
    listener: Listener = lambda _progress: None,
) -> dict[str, MediaFailure]:
    """Embed every frame of the timelines that is not kept, and keep it.

    Frames of several videos go through the encoder together; what two timelines of a video share is
    embedded once. Stopped at any moment, it goes on where it was.

    Args:
        timelines: whose frames to embed.
        read_picture: gives a frame's JPEG.
        encoder: what embeds them; not asked for anything but its identity if all is kept.
        store: where embeddings are kept.
        batch: pictures that go through the encoder at once.
        listener: told how far it has come.

    Returns:
        Why a video has frames that are not kept, by what its frames are of.

    Raises:
        ModelUnavailable: the encoder cannot be used.
        RunError: the store cannot keep them, or is damaged.
    """
    encoder_id = make_encoder_id(encoder.describe())
    wanted = list(
        dict.fromkeys(
            _Wanted(timeline.video, digest)
            for timeline in timelines
            for digest in store.missing(encoder_id, timeline)
        )
    )
    failures: dict[str, MediaFailure] = {}
    progress = EmbedProgress(len(wanted))
    listener(progress)
    for start in range(0, len(wanted), KEPT_AT_ONCE):
        portion = wanted[start : start + KEPT_AT_ONCE]
        pictures = _read_pictures(portion, read_picture, failures)
        if pictures:
            embeddings = encoder.embed_pictures([*pictures.values()], batch)
            rows_of_video: dict[str, list[int]] = {}
            for row, each in enumerate(pictures):
                rows_of_video.setdefault(each.video, []).append(row)
            digests = [each.digest for each in pictures]
            for video, rows in rows_of_video.items():
                store.keep(encoder_id, video, [digests[row] for row in rows], embeddings[rows])
        progress = replace(
            progress,
            n_done=progress.n_done + len(pictures),
            n_lost=progress.n_lost + len(portion) - len(pictures),
        )
        listener(progress)
    return failures


def _read_pictures(
    portion: Sequence[_Wanted], read_picture: ReadPicture, failures: dict[str, MediaFailure]
) -> dict[_Wanted, bytes]:
    """Read what can be read of a portion; a video that has lost a frame is not read any further."""
    pictures: dict[_Wanted, bytes] = {}
    for each in portion:
        if each.video not in failures:
            try:
                pictures[each] = read_picture(each.digest)
            except MediaError as error:
                failures[each.video] = MediaFailure(error.kind, str(error))
    return pictures
