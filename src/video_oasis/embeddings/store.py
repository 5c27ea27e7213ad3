"""Keeps the embeddings of frames on disk, by encoder and video.

    ENCODER/VIDEO/SHARD.safetensors   the vectors of some frames of the video, one a row, with the
                                      digests of the frames

A video's frames may lie in several shards, so what two timelines of it share is kept once. A shard
is written beside its place, renamed into it and never changed: no writer waits for another, a
killed one leaves nothing that a reader could mistake, and any number of processes and runs may
share the folder.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import numpy as np

from video_oasis.embeddings.vectors import Vectors, check_unit
from video_oasis.errors import MediaError, RunError, SchemaError
from video_oasis.hashing import content_id
from video_oasis.schema import Frame
from video_oasis.whole_file import write_whole

_LAYOUT: Final = "1"
_TENSOR: Final = "embeddings"


class VideoFrames(Protocol):
    """Frames of one video, such as a timeline."""

    @property
    def video(self) -> str:
        """What the frames are of, as a name for a folder; frames are shared within it."""
        ...

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames."""
        ...


@dataclass(frozen=True, slots=True)
class _Place:
    shard: Path
    row: int


class EmbeddingStore:
    """A folder of embeddings.

    Attributes:
        folder: where it is; it is made when something is kept.
    """

    def __init__(self, folder: Path) -> None:
        """Use this folder."""
        self.folder = folder

    def missing(self, encoder_id: str, shown: VideoFrames) -> tuple[str, ...]:
        """Return the digests of the frames that are not kept, each once, in order.

        Raises:
            RunError: a file of the store is damaged.
        """
        kept = self._places(encoder_id, shown.video)
        wanted = dict.fromkeys(frame.digest for frame in shown.frames)
        return tuple(digest for digest in wanted if digest not in kept)

    def load(self, encoder_id: str, shown: VideoFrames) -> Vectors:
        """Return the embeddings of the frames, in their order, [n, d].

        Raises:
            MediaError: kind ``not_embedded``: some are not kept.
            RunError: a file of the store is damaged.
        """
        places = self._places(encoder_id, shown.video)
        digests = [frame.digest for frame in shown.frames]
        n_missing = sum(digest not in places for digest in digests)
        if n_missing:
            raise MediaError(
                "not_embedded",
                f"{self._video_folder(encoder_id, shown.video)}: {n_missing} of "
                f"{len(digests)} frames are not embedded. Prepare the embeddings again",
            )
        rows_of_shard: dict[Path, list[int]] = {}
        for number, digest in enumerate(digests):
            rows_of_shard.setdefault(places[digest].shard, []).append(number)
        shards = {shard: _read_vectors(shard) for shard in rows_of_shard}
        sizes = {vectors.shape[1] for vectors in shards.values()}
        if len(sizes) > 1:
            raise RunError(
                f"{self._video_folder(encoder_id, shown.video)}: vectors of {sorted(sizes)} "
                "numbers by one encoder; remove that folder and prepare the embeddings again"
            )
        embeddings = np.empty((len(digests), sizes.pop()), np.float32)
        for shard, numbers in rows_of_shard.items():
            embeddings[numbers] = shards[shard][[places[digests[n]].row for n in numbers]]
        return embeddings

    def keep(
        self, encoder_id: str, video: str, digests: Sequence[str], embeddings: Vectors
    ) -> None:
        """Keep the embeddings of some frames of a video; they are safe once this returns.

        Args:
            encoder_id: what embedded them.
            video: what the frames are of.
            digests: the frames, each once.
            embeddings: one row for each, of length one.

        Raises:
            SchemaError: they do not belong together, or a row is not of length one.
            RunError: the folder takes no more.
        """
        from safetensors.numpy import save  # noqa: PLC0415

        if len(set(digests)) != len(embeddings) or len(digests) != len(embeddings):
            raise SchemaError(
                f"{len(embeddings)} embeddings for {len(digests)} frames, {len(set(digests))} of "
                "them different; expected one for each"
            )
        check_unit(embeddings, f"video {video}")
        about = {"layout": _LAYOUT, "encoder": encoder_id, "video": video}
        data = save(
            {_TENSOR: np.ascontiguousarray(embeddings, np.float32)},
            metadata={**about, "digests": json.dumps(list(digests))},
        )
        folder = self._video_folder(encoder_id, video)
        shard = folder / f"{content_id('shard1', list(digests))}.safetensors"
        try:
            write_whole(shard, data)
        except OSError as error:
            raise RunError(
                f"{folder}: embeddings cannot be kept there ({error.strerror}). Free space or give "
                "another folder for embeddings; what is kept already is not embedded again"
            ) from error

    def _video_folder(self, encoder_id: str, video: str) -> Path:
        return self.folder / encoder_id / video

    def _places(self, encoder_id: str, video: str) -> Mapping[str, _Place]:
        """Return where each kept frame of a video lies."""
        places: dict[str, _Place] = {}
        for shard in sorted(self._video_folder(encoder_id, video).glob("*.safetensors")):
            for row, digest in enumerate(_read_digests(shard, encoder_id, video)):
                places.setdefault(digest, _Place(shard, row))
        return places


def _read_digests(shard: Path, encoder_id: str, video: str) -> list[str]:
    """Return whose embeddings a shard holds, reading its header only."""
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415

    try:
        with safe_open(shard, framework="numpy") as file:
            about = file.metadata() or {}
            rows = file.get_slice(_TENSOR)
            shape, dtype = rows.get_shape(), rows.get_dtype()
        digests: list[str] = json.loads(about.get("digests", "[]"))
    except (SafetensorError, OSError, ValueError) as error:
        raise _damaged(shard, str(error)) from error
    expected = {"layout": _LAYOUT, "encoder": encoder_id, "video": video}
    found = {key: about.get(key) for key in expected}
    if found != expected:
        raise _damaged(shard, f"it says it is {found}, and its place says {expected}")
    if dtype != "F32" or len(shape) != 2 or shape[0] != len(digests):
        raise _damaged(shard, f"a {dtype} array of shape {shape} for {len(digests)} frames")
    return digests


def _read_vectors(shard: Path) -> Vectors:
    from safetensors import SafetensorError, safe_open  # noqa: PLC0415

    try:
        with safe_open(shard, framework="numpy") as file:
            vectors: Vectors = file.get_tensor(_TENSOR)
        check_unit(vectors, "its embeddings")
    except (SafetensorError, OSError, SchemaError) as error:
        raise _damaged(shard, str(error)) from error
    return vectors


def _damaged(shard: Path, found: str) -> RunError:
    return RunError(
        f"{shard}: no sound file of embeddings ({found}); remove it and prepare the embeddings "
        "again, or import them again"
    )
