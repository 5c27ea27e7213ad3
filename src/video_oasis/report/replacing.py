"""Puts files into a report's folder whole or not at all, and removes those of earlier ones."""

from collections.abc import Collection
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Write a file beside its place and move it there.

    Raises:
        OSError: it cannot be written.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    unfinished = file.with_name(f".{file.name}.part")
    unfinished.write_bytes(content)
    unfinished.replace(file)


def remove_others(folder: Path, pattern: str, kept: Collection[str]) -> None:
    """Remove the files of a folder that fit a pattern, but for those of these names.

    Raises:
        OSError: one cannot be removed.
    """
    names = set(kept)
    for file in folder.glob(pattern):
        if file.name not in names:
            file.unlink()
