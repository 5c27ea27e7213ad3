"""Names a video by its content, so that a moved or renamed copy is the same video."""

import hashlib
import re
from fractions import Fraction
from pathlib import Path
from typing import Final

from video_oasis.errors import MediaError
from video_oasis.hashing import content_id
from video_oasis.media.container import check_file, unreadable

_PIECE_BYTES: Final = 1 << 20
_IMAGE_SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


def identify_video(path: Path) -> str:
    """Return the content id of a video file: its size, first, middle and last MiB.

    Raises:
        MediaError: there is no such file, it is empty, or it cannot be read.
    """
    check_file(path)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            pieces = []
            for offset in (0, (size - _PIECE_BYTES) // 2, size - _PIECE_BYTES):
                file.seek(max(0, offset))
                pieces.append(hashlib.sha256(file.read(_PIECE_BYTES)).hexdigest())
    except OSError as error:
        raise unreadable(path, error) from error
    return content_id("video1", {"bytes": size, "pieces": pieces})


def list_images(folder: Path) -> list[Path]:
    """Return the images of a folder in natural order: ``2.jpg`` before ``10.jpg``.

    Raises:
        MediaError: kind ``empty``: the folder has none.
    """
    images = [
        path
        for path in folder.iterdir()
        if path.suffix.lower() in _IMAGE_SUFFIXES
        and not path.name.startswith(".")
        and path.is_file()
    ]
    if not images:
        raise MediaError(
            "empty",
            f"{folder}: a folder without images. Expected one image file for each frame "
            f"({', '.join(sorted(_IMAGE_SUFFIXES))})",
        )
    return sorted(images, key=lambda path: _natural_order(path.name))


def identify_images(images: list[Path], fps: Fraction) -> str:
    """Return the content id of a video kept as images: their contents in order, and the rate."""
    digests = [hashlib.sha256(image.read_bytes()).hexdigest() for image in images]
    return content_id("images1", {"images": digests, "fps": str(fps)})


def _natural_order(name: str) -> tuple[list[tuple[bool, int, str]], str]:
    parts = re.findall(r"\d+|\D+", name)
    return [(False, int(part), "") if part.isdecimal() else (True, 0, part) for part in parts], name
