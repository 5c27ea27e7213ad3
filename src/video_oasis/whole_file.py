"""Writes files whole or not at all."""

import uuid
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """Write a file beside its place and move it there, making its folder if need be.

    A killed process leaves the file as it was; several may write the same one.

    Raises:
        OSError: it cannot be written; nothing is left beside it.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    beside = file.with_name(f".{uuid.uuid4().hex}.part")
    try:
        beside.write_bytes(content)
        beside.replace(file)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
