"""Says what can be seen of each thing of a world, frame by frame."""

import numpy as np
import numpy.typing as npt

from video_oasis.generate.clips.render import cover
from video_oasis.generate.clips.world import HEIGHT, WIDTH, Pose, View, World

_IN_PLAIN_SIGHT = 0.95
"""Share of a thing from which nothing of note is hidden; its edge is only ever partly counted."""


def measure_visibility(world: World) -> npt.NDArray[np.float64]:
    """Return the share of each thing that is in the picture and not hidden by one before it.

    Returns:
        Things × frames, 0 to 1; 0 where a thing is absent. Words burned into the picture hide
        nothing.
    """
    shares = np.zeros((len(world.things), world.n_frames))
    measured: dict[tuple[View, tuple[Pose | None, ...]], npt.NDArray[np.float64]] = {}
    for number, view in enumerate(world.views):
        poses = tuple(thing.poses[number] for thing in world.things)
        state = (view, poses)
        if state not in measured:
            measured[state] = _measure(world, view, poses)
        shares[:, number] = measured[state]
    return shares


def find_frames_in_sight(world: World) -> tuple[tuple[int, ...], ...]:
    """Return for each thing the frames in which hardly any of it is hidden or outside."""
    return tuple(
        tuple(np.flatnonzero(shares >= _IN_PLAIN_SIGHT).tolist())
        for shares in measure_visibility(world)
    )


def _measure(world: World, view: View, poses: tuple[Pose | None, ...]) -> npt.NDArray[np.float64]:
    free = np.ones((HEIGHT, WIDTH), np.float32)
    shares = np.zeros(len(poses))
    for number in range(len(poses) - 1, -1, -1):
        pose = poses[number]
        if pose is None:
            continue
        covered = cover(world.things[number].shape, pose, view)
        if covered is None:
            continue
        rows, columns, mask = covered
        area = (pose.side * view.zoom) ** 2
        shares[number] = min(1.0, float((mask * free[rows, columns]).sum()) / area)
        free[rows, columns] *= 1 - mask
    return shares
