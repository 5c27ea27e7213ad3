"""Measure pictures: a few numbers each, of colours, light and edges and where they lie."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.media.frames import ReadPicture

COLOURS: Final = (
    *("black", "grey", "white", "red", "orange", "brown"),
    *("yellow", "green", "cyan", "blue", "purple", "pink"),
)
"""Names of the colours that a picture is made of."""

WIDTH: Final = 64
HEIGHT: Final = 48
"""Size at which pictures are measured, whatever their shape."""
CELL: Final = 4
"""Pixels of a side of a grid cell."""

DESCRIPTOR: Final = np.dtype(
    [
        ("light", np.uint8, (HEIGHT // CELL, WIDTH // CELL)),
        ("colours", np.float16, (len(COLOURS),)),
        ("contrast", np.float16),
        ("edges", np.float16),
        ("upright", np.float16),
        ("sharpness", np.float16),
        ("colourfulness", np.float16),
        ("colour_centre", np.float16, (2,)),
    ]
)
"""What is kept of a picture.

``light``: mean brightness of each cell of a grid, 0 to 255, rows from the top. ``colours``: share
of the pixels in each of ``COLOURS``. ``contrast``: standard deviation of the brightness.
``edges``: share of the pixels on an edge. ``upright``: share of the edges' strength in upright
ones. ``sharpness``: the steepest steps of brightness over the contrast. ``colourfulness``: mean
difference of a pixel's strongest and weakest channel. ``colour_centre``: where the strongest
colours lie, from 0 at the left and the top to 1.
"""

Descriptors = npt.NDArray[np.void]
"""An array of ``DESCRIPTOR``, one for each picture."""

_MOST_KEPT: Final = 500_000
"""About 250 MB."""
_KEPT: Final[dict[str, Descriptors]] = {}
"""Descriptors by digest: the same pictures are asked for by every learner and diagnostic."""

_EDGE_STEP: Final = 24
"""A step of brightness from pixel to pixel that counts as an edge."""


def describe_pictures(digests: Sequence[str], read_picture: ReadPicture) -> Descriptors:
    """Return the descriptors of pictures, each measured once in the life of the process.

    Args:
        digests: names of the pictures, at least one; a digest stands for the same picture always.
        read_picture: gives their JPEGs.

    Raises:
        MediaError: a picture is not there any more, or no picture.
    """
    return np.stack([_recall(digest, read_picture) for digest in digests])


def _recall(digest: str, read_picture: ReadPicture) -> Descriptors:
    if digest not in _KEPT:
        jpeg = read_picture(digest)
        try:
            descriptor = measure_picture(jpeg)
        except OSError as error:
            raise MediaError(
                "frame_lost",
                f"frame {digest}: no readable JPEG ({error}). Prepare the videos again",
            ) from error
        if len(_KEPT) >= _MOST_KEPT:
            del _KEPT[next(iter(_KEPT))]
        _KEPT[digest] = descriptor
    return _KEPT[digest]


def measure_picture(jpeg: bytes) -> Descriptors:
    """Return the descriptor of a picture, an array without axes.

    Raises:
        OSError: the bytes are no picture that Pillow can read.
    """
    with Image.open(BytesIO(jpeg)) as image:
        # The decoder leaves out most of a large picture's detail, which takes most of the time.
        image.draft("RGB", (WIDTH, HEIGHT))
        small = image.convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.BOX)
    pixels = np.asarray(small)
    grey = np.asarray(small.convert("L"), np.int16)
    across, down = abs(np.diff(grey, axis=1)), abs(np.diff(grey, axis=0))
    steepest = np.maximum(across[:-1], down[:, :-1])
    contrast = grey.std()
    chroma = (pixels.max(axis=2) - pixels.min(axis=2)).astype(np.float32)
    descriptor = np.zeros((), DESCRIPTOR)
    cells = grey.reshape(HEIGHT // CELL, CELL, WIDTH // CELL, CELL)
    descriptor["light"] = cells.mean(axis=(1, 3)).round()
    descriptor["colours"] = _colour_shares(pixels)
    descriptor["contrast"] = contrast
    descriptor["edges"] = (steepest > _EDGE_STEP).mean()
    descriptor["upright"] = across.sum() / max(1, across.sum() + down.sum())
    descriptor["sharpness"] = np.quantile(steepest, 0.99) / max(1.0, contrast)
    descriptor["colourfulness"] = chroma.mean()
    descriptor["colour_centre"] = locate_centres(chroma**2)
    return descriptor


def locate_centres(weights: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Return the centres of mass of pictures (… × rows × columns) as x and y from 0 to 1.

    A picture without any mass has its centre in the middle.
    """
    *_, n_rows, n_columns = weights.shape
    total = np.maximum(weights.sum(axis=(-2, -1)), 1e-6)
    x = weights.sum(axis=-2) @ np.linspace(-0.5, 0.5, n_columns) / total
    y = weights.sum(axis=-1) @ np.linspace(-0.5, 0.5, n_rows) / total
    centres: npt.NDArray[np.float64] = np.stack([x, y], axis=-1) + 0.5
    return centres


def _colour_shares(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.float64]:
    levels = pixels.astype(np.intp) >> 3
    names = _NAMES[levels[..., 0], levels[..., 1], levels[..., 2]]
    shares: npt.NDArray[np.float64] = (
        np.bincount(names.ravel(), minlength=len(COLOURS)) / names.size
    )
    return shares


def _name_colours() -> npt.NDArray[np.uint8]:
    """Return the index of the name of every colour, red × green × blue in 32 levels each."""
    levels = np.arange(32, dtype=np.uint8) * 8 + 4
    cube = np.stack(np.meshgrid(levels, levels, levels, indexing="ij"), axis=-1)
    hsv = Image.fromarray(cube.reshape(32, -1, 3)).convert("HSV")
    degrees, saturation, value = np.moveaxis(np.asarray(hsv, np.float32), -1, 0)
    degrees, saturation, value = degrees * 360 / 255, saturation / 255, value / 255
    is_grey = (saturation < 0.18) | (saturation * value < 0.1)
    cases: dict[str, Any] = {
        "black": value < 0.2,
        "white": is_grey & (value > 0.8),
        "grey": is_grey,
        "brown": (degrees >= 12) & (degrees < 48) & (value < 0.62),
        "pink": ((degrees < 12) | (degrees >= 320)) & (saturation < 0.55) & (value > 0.65),
        "red": (degrees < 15) | (degrees >= 345),
        "orange": degrees < 42,
        "yellow": degrees < 70,
        "green": degrees < 165,
        "cyan": degrees < 195,
        "blue": degrees < 260,
        "purple": degrees < 310,
    }
    indices = [COLOURS.index(name) for name in cases]
    names = np.select(list(cases.values()), indices, default=COLOURS.index("pink"))
    return names.astype(np.uint8).reshape(32, 32, 32)


_NAMES: Final = _name_colours()
