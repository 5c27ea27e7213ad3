"""Cuts every clip of a set alike: eight seconds, one for each eighth that tests tell apart."""

from typing import Final

FPS: Final = 8
"""Frames a second."""
N_PARTS: Final = 8
"""Parts of a clip; each lasts a second, so that one frame a second shows the middle of each."""
FRAMES_PER_PART: Final = FPS
N_FRAMES: Final = N_PARTS * FRAMES_PER_PART
CENTRE_FRAME: Final = N_FRAMES // 2
"""The frame at the middle of a clip, the first of part 4."""
MIDDLE_OF_PART: Final = FRAMES_PER_PART // 2
"""The frame within a part that one frame a second shows."""


def frames_of(*parts: int) -> frozenset[int]:
    """Return the frames of parts, counted from 0."""
    return frozenset(
        part * FRAMES_PER_PART + frame for part in parts for frame in range(FRAMES_PER_PART)
    )


SAMPLED_FRAMES: Final = tuple(part * FRAMES_PER_PART + MIDDLE_OF_PART for part in range(N_PARTS))
"""The frames that one frame a second shows."""
