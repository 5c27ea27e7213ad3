"""Keeps small pictures of the frames that tests showed, for the pages about single samples."""

import io
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image

from video_oasis.errors import MediaError
from video_oasis.media.frames import ReadPicture
from video_oasis.report.document import SampleView
from video_oasis.report.leftovers import remove_others
from video_oasis.whole_file import write_whole

MAX_PER_REQUEST: Final = 8
"""How many frames of one request are pictured."""
MAX_THUMBNAILS: Final = 2000
"""How many pictures a report has in all."""
_FEWEST: Final = 2
_LONGEST_SIDE: Final = 160
_QUALITY: Final = 70


@dataclass(frozen=True, slots=True)
class Thumbnails:
    """The pictures there are.

    Attributes:
        digests: those with a picture.
        n_left_out: those beyond the most that a report has.
        n_lost: those that the frame store does not have any more.
        has_store: whether there is a frame store at all.
    """

    digests: frozenset[str] = frozenset()
    n_left_out: int = 0
    n_lost: int = 0
    has_store: bool = False


def pick_frames(view: SampleView) -> tuple[tuple[int, ...], ...]:
    """Choose for each request of a sample which of its frames to picture, by their positions.

    They are spread evenly over those shown, in the order shown, the first and the last among them.
    A diagnostic that makes many requests of a sample gets fewer for each.
    """
    n_parts = count_parts(view)
    return tuple(
        spread(len(each.frames), max(MAX_PER_REQUEST // n_parts[each.test], _FEWEST))
        for each in view.showings
    )


def count_parts(view: SampleView) -> Counter[str]:
    """Count the requests that each diagnostic makes of a sample."""
    return Counter(test for test, _ in {(each.test, each.part) for each in view.showings})


def spread(n: int, n_picked: int) -> tuple[int, ...]:
    """Return at most so many of the positions 0 to n - 1, evenly, both ends among them."""
    if n <= n_picked:
        return tuple(range(n))
    return tuple(round(step * (n - 1) / (n_picked - 1)) for step in range(n_picked))


def write_thumbnails(
    views: Sequence[SampleView],
    folder: Path,
    read_picture: ReadPicture | None,
    *,
    limit: int = MAX_THUMBNAILS,
) -> Thumbnails:
    """Write the pictures of the samples that come first, and remove those of earlier reports.

    A picture that is there already is neither read nor written again.

    Args:
        views: the samples.
        folder: where the pictures lie, each named by its digest.
        read_picture: reads the frame store; None if there is none.
        limit: the most pictures.

    Raises:
        OSError: the folder cannot be written.
    """
    if read_picture is None:
        remove_others(folder, "*.jpg", ())
        return Thumbnails()
    wanted = dict.fromkeys(
        each.frames[position]
        for view in views
        for each, positions in zip(view.showings, pick_frames(view), strict=True)
        for position in positions
    )
    chosen = list(wanted)[:limit]
    remove_others(folder, "*.jpg", [f"{digest}.jpg" for digest in chosen])
    lost = {digest for digest in chosen if not _write(digest, folder, read_picture)}
    return Thumbnails(
        digests=frozenset(chosen) - lost,
        n_left_out=len(wanted) - len(chosen),
        n_lost=len(lost),
        has_store=True,
    )


def _write(digest: str, folder: Path, read_picture: ReadPicture) -> bool:
    file = folder / f"{digest}.jpg"
    if file.exists():
        return True
    try:
        jpeg = read_picture(digest)
    except MediaError:
        return False
    image = Image.open(io.BytesIO(jpeg))
    # The decoder halves the size for free, as often as the thumbnail allows.
    image.draft("RGB", (_LONGEST_SIDE, _LONGEST_SIDE))
    image.thumbnail((_LONGEST_SIDE, _LONGEST_SIDE))
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_QUALITY)
    write_whole(file, buffer.getvalue())
    return True
