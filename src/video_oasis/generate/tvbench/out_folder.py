"""Keeps a set from being written over files that are not an earlier set."""

from pathlib import Path

from video_oasis.errors import SettingsError


def check_folder(folder: Path, mark: str) -> None:
    """Check that a set may be written to a folder: there is nothing in it, or an earlier set.

    Args:
        folder: the folder; need not exist.
        mark: name of the file that every such set has.

    Raises:
        SettingsError: it is a file, or has other files and no mark.
    """
    if folder.exists() and not folder.is_dir():
        raise SettingsError(f"{folder}: is a file; expected the folder to write the set to (--out)")
    if not folder.is_dir() or (folder / mark).is_file():
        return
    found = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
    if found:
        raise SettingsError(
            f"{folder}: has {found[0]!r} and no {mark}, so it is no earlier set and would be "
            f"written over; give a new or empty folder with --out"
        )
