"""Writes the text files of a report."""

from collections.abc import Mapping
from pathlib import Path

from video_oasis.errors import RunError
from video_oasis.whole_file import write_whole


def write_texts(texts: Mapping[str, str], folder: Path, *, what: str) -> list[Path]:
    """Write texts into a folder, each whole or not at all.

    Args:
        texts: the texts by the name of their file, which may be in a folder within.
        folder: the folder; made if need be.
        what: what they are, for the message.

    Returns:
        The files in the same order.

    Raises:
        RunError: the folder cannot be written.
    """
    files = {folder / name: text for name, text in texts.items()}
    try:
        for file, text in files.items():
            write_whole(file, text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(
            f"{folder}: {what} cannot be written there ({error.strerror}); make room or mend its "
            f"permissions, then give the same command again"
        ) from error
    return list(files)
