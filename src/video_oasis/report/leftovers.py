"""Removes what earlier reports left in a folder."""

from collections.abc import Collection
from pathlib import Path


def remove_others(folder: Path, pattern: str, kept: Collection[str]) -> None:
    """Remove the files of a folder that fit a pattern, but for those of these names.

    Raises:
        OSError: one cannot be removed.
    """
    names = set(kept)
    for file in folder.glob(pattern):
        if file.name not in names:
            file.unlink()
