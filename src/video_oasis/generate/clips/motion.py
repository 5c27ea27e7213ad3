"""Lays out how things stand, go, change and come into sight, and how the camera moves."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from video_oasis.generate.clips.world import HEIGHT, WIDTH, Pose, View

Poses = tuple[Pose | None, ...]


def stand(pose: Pose, n_frames: int) -> Poses:
    """Stay as one is in all frames."""
    return (pose,) * n_frames


def show_only(poses: Iterable[Pose | None], frames: Collection[int]) -> Poses:
    """Be absent from all frames but these."""
    return tuple(pose if number in frames else None for number, pose in enumerate(poses))


def go(start: Pose, end_x: float, end_y: float, n_frames: int) -> Poses:
    """Go along a straight line at an even speed, there in the first frame and in the last.

    Backwards it is the same positions in the opposite order, to the last bit.
    """
    return tuple(
        replace(
            start, x=_between(start.x, end_x, i, n_frames), y=_between(start.y, end_y, i, n_frames)
        )
        for i in range(n_frames)
    )


def turn_colour(pose: Pose, colour: str, n_frames: int, *, n_blended: int) -> Poses:
    """Take on another colour halfway, over so many frames in the middle."""
    first = (n_frames - n_blended) // 2
    poses = []
    for i in range(n_frames):
        step = min(max(i - first + 1, 0), n_blended + 1)
        share = step / (n_blended + 1)
        if share == 0:
            poses.append(pose)
        elif share == 1:
            poses.append(replace(pose, colour=colour))
        else:
            poses.append(replace(pose, blend=colour, blend_share=share))
    return tuple(poses)


def strike(striker: Pose, struck: Pose, reach: float, n_frames: int) -> tuple[Poses, Poses]:
    """Let one thing run into another of its mass: it stops, and the other goes on at its speed.

    They touch in the middle frame. Backwards it is the second that runs into the first, with the
    same positions.

    Args:
        striker: where it is when they touch.
        struck: where the other is; it goes on in the direction from the first to it.
        reach: how far each travels, in pixels.
        n_frames: length, an odd number so that there is a middle frame.

    Returns:
        The poses of both.
    """
    distance = ((struck.x - striker.x) ** 2 + (struck.y - striker.y) ** 2) ** 0.5
    step_x = (struck.x - striker.x) / distance
    step_y = (struck.y - striker.y) / distance
    middle = n_frames // 2
    comes, goes = [], []
    for i in range(n_frames):
        before = reach * max(0, middle - i) / middle
        after = reach * max(0, i - middle) / middle
        comes.append(replace(striker, x=striker.x - step_x * before, y=striker.y - step_y * before))
        goes.append(replace(struck, x=struck.x + step_x * after, y=struck.y + step_y * after))
    return tuple(comes), tuple(goes)


def place(act: Sequence[Pose | None], first_frame: int, n_frames: int) -> Poses:
    """Put a stretch of poses into a clip; the thing is absent before and after."""
    after = n_frames - first_frame - len(act)
    return ((None,) * first_frame) + tuple(act) + ((None,) * after)


def hold_camera(n_frames: int) -> tuple[View, ...]:
    """Keep the camera still."""
    return (View(),) * n_frames


def pan_camera(by_x: float, by_y: float, n_frames: int) -> tuple[View, ...]:
    """Let the camera pass over the world's middle, so far in all."""
    return tuple(
        View(
            WIDTH / 2 + _between(-by_x / 2, by_x / 2, i, n_frames),
            HEIGHT / 2 + _between(-by_y / 2, by_y / 2, i, n_frames),
        )
        for i in range(n_frames)
    )


def zoom_camera(first: float, last: float, n_frames: int) -> tuple[View, ...]:
    """Let the camera zoom evenly."""
    return tuple(View(zoom=_between(first, last, i, n_frames)) for i in range(n_frames))


def _between(first: float, last: float, i: int, n: int) -> float:
    """Return the i-th of n evenly spaced numbers; the same when first and last are exchanged."""
    return (first * (n - 1 - i) + last * i) / (n - 1)
