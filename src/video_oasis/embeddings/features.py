"""Reads embeddings of frames that others have released."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from video_oasis.embeddings.vectors import Vectors, unit_rows
from video_oasis.errors import ModelUnavailable, SchemaError, UserError


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
