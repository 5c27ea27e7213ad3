"""Reads embeddings of frames that others have released, and keeps them as a timeline's own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from video_oasis.embeddings.store import EmbeddingStore, VideoFrames
from video_oasis.embeddings.vectors import Vectors, unit_rows
from video_oasis.errors import ModelUnavailable, SchemaError, UserError
from video_oasis.hashing import content_id

_SAME_COSINE: Final = 0.99
"""Two embeddings of one frame by one encoder are at least this alike."""


def imported_encoder_id(name: str) -> str:
    """Return what embeddings are kept under that came as files.

    Args:
        name: what made them, as the user states it.
    """
    return content_id("encoder1", {"backend": "imported", "name": name})


def import_features(
    file: Path, timeline: VideoFrames, name: str, store: EmbeddingStore, *, key: str | None = None
) -> None:
    """Keep the embeddings of a file as those of a timeline's frames, under a stated encoder.

    Args:
        file: as for ``read_features``.
        timeline: the frames, one for each row of the file, in the same order.
        name: what made the embeddings.
        store: where to keep them.
        key: as for ``read_features``.

    Raises:
        UserError: the file cannot be used, is not of as many frames, or is not what is kept of
            them already under that name.
        RunError: the store cannot keep them, or is damaged.
    """
    features = read_features(file, key=key)
    if len(features) != len(timeline.frames):
        raise UserError(
            f"{file}: embeddings of {len(features)} frames for a video of which "
            f"{len(timeline.frames)} frames are shown; expected one for each. Check that it was "
            "made from the same frames of the same video"
        )
    encoder_id = imported_encoder_id(name)
    row_of_digest = {frame.digest: row for row, frame in enumerate(timeline.frames)}
    missing = store.missing(encoder_id, timeline)
    if missing:
        rows = [row_of_digest[digest] for digest in missing]
        store.keep(encoder_id, timeline.video, missing, features[rows])
    rows = list(row_of_digest.values())
    cosines = np.sum(store.load(encoder_id, timeline)[rows] * features[rows], axis=1)
    if cosines.min() < _SAME_COSINE:
        raise UserError(
            f"{file}: other embeddings of the same frames are kept under the name {name!r}; give "
            "these another name"
        )


def read_features(file: Path, *, key: str | None = None) -> Vectors:
    """Read the embeddings of one video's frames from a file that ``torch.save`` wrote.

    The file is read as data: nothing in it is run.

    Args:
        file: holds one tensor, or a dictionary of tensors.
        key: which tensor of a dictionary; None for the only one that can be meant.

    Returns:
        [n, d], scaled to length one.

    Raises:
        UserError: it cannot be read, holds something other than data, or no such tensor.
        ModelUnavailable: PyTorch is not installed.
    """
    tensor = _choose_tensor(file, _load(file), key)
    try:
        return unit_rows(tensor.float().numpy(), f"{file}")
    except SchemaError as error:
        raise UserError(f"{error}; get or make the file again") from error


def _load(file: Path) -> Any:
    try:
        import torch  # noqa: PLC0415
    except ImportError:
        raise ModelUnavailable(
            f"{file}: to read it the package torch is needed; pip install 'video-oasis[clip]'"
        ) from None
    try:
        return torch.load(file, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise UserError(f"{file}: there is no such file") from None
    except Exception as error:  # a damaged file raises whatever comes to the unpickler
        raise UserError(
            f"{file}: refused ({type(error).__name__}): expected plain tensors as torch.save "
            "writes them. Anything else is not read, since that could run code from the file"
        ) from error


def _choose_tensor(file: Path, loaded: Any, key: str | None) -> Any:
    if not isinstance(loaded, Mapping):
        if key is not None:
            raise UserError(f"{file}: it has no names, so leave {key!r} out")
        if not _is_features(loaded):
            raise UserError(f"{file}: {_show(loaded)}; expected a tensor of one vector a frame")
        return loaded
    if key is None:
        found = [name for name, value in loaded.items() if _is_features(value)]
        if len(found) != 1:
            raise UserError(
                f"{file}: {len(found)} tensors of one vector a frame; expected one, or to be told "
                f"which. It holds {_list(loaded)}"
            )
        return loaded[found[0]]
    if key not in loaded or not _is_features(loaded[key]):
        raise UserError(
            f"{file}: no tensor of one vector a frame called {key!r}; it holds {_list(loaded)}"
        )
    return loaded[key]


def _is_features(value: Any) -> bool:
    import torch  # noqa: PLC0415

    return isinstance(value, torch.Tensor) and value.ndim == 2 and value.is_floating_point()


def _list(loaded: Mapping[Any, Any]) -> str:
    shown = [f"{name} ({_show(value)})" for name, value in list(loaded.items())[:8]]
    return ", ".join([*shown, "…"] if len(loaded) > len(shown) else shown) or "nothing"


def _show(value: Any) -> str:
    shape = getattr(value, "shape", None)
    return type(value).__name__ if shape is None else f"{value.dtype} of shape {list(shape)}"
