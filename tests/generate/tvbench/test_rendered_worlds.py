"""Of clips that this program draws, every answer kept is what was drawn."""

import json
import math
from pathlib import Path

import pytest

from video_oasis.generate.clips.clevrer import write_clevrer_annotation
from video_oasis.generate.clips.rolling import make_rolling_world
from video_oasis.generate.clips.world import HEIGHT, WIDTH, World
from video_oasis.generate.sources.clevrer import CLEVRER
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.interface import Event, Mode
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.tasks import TASKS

HIGHEST = -40
"""Pixels above the picture beyond which CLEVRER's camera sees no ground, so nothing can be."""


@pytest.fixture(scope="module")
def worlds() -> dict[str, World]:
    made = {f"video_{n:05d}.mp4": make_rolling_world(3, n) for n in range(70)}
    return {
        video: world
        for video, world in made.items()
        if all(pose is None or pose.y > HIGHEST for thing in world.things for pose in thing.poses)
    }


@pytest.fixture(scope="module")
def annotations(worlds: dict[str, World], tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("worlds")
    for video, world in worlds.items():
        scene = write_clevrer_annotation(world, video_filename=video)
        (folder / f"annotation_{Path(video).stem}.json").write_text(json.dumps(scene))
    return folder


def find(task: str, folder: Path) -> list[Event]:
    return [
        found
        for scene in CLEVRER.read(folder)
        for found in TASKS[task].find["clevrer"](
            scene, TVBenchSettings(), Mode.STRICT, Draws(0, task)
        )
        if isinstance(found, Event)
    ]


def locate(world: World, thing: int, frame: int) -> tuple[float, float] | None:
    """Return where a thing is in the picture, None if it is not in it."""
    pose = world.things[thing].poses[frame]
    if pose is None:
        return None
    x, y = world.views[frame].project(pose.x, pose.y)
    return (x, y) if 0 <= x < WIDTH and 0 <= y < HEIGHT else None


def step(world: World, thing: int, frame: int, other: int) -> float:
    """Return how far a thing moves between two frames, in pixels."""
    first, second = (world.things[thing].poses[each] for each in (frame, other))
    assert first is not None
    assert second is not None
    return math.hypot(first.x - second.x, first.y - second.y)


def test_directions_are_those_drawn(worlds: dict[str, World], annotations: Path) -> None:
    events = find("moving_direction", annotations)
    assert len(events) >= 30
    for event in events:
        world = worlds[event.video]
        thing = int(event.key.removeprefix("object "))
        seen = [locate(world, thing, frame) for frame in range(world.n_frames)]
        there = [place for place in seen if place is not None]
        right, down = there[-1][0] > there[0][0], there[-1][1] > there[0][1]
        drawn = f"{'Down' if down else 'Up'} and to the {'right' if right else 'left'}."
        assert event.choices[event.target] == drawn, (event.video, event.key)


def test_counts_are_those_drawn(worlds: dict[str, World], annotations: Path) -> None:
    events = [event for event in find("object_count", annotations) if event.slots[0] == "objects"]
    assert len(events) >= 60
    assert len({event.target for event in events}) >= 3
    for event in events:
        world = worlds[event.video]
        frame, other = (0, 1) if event.slots[1] == "begins" else (127, 126)
        n_moving = sum(
            locate(world, thing, frame) is not None
            and step(world, thing, frame, other) > 0.05  # pixels; what comes to rest moves by less
            for thing in range(len(world.things))
        )
        assert event.choices[event.target] == str(n_moving), (event.video, event.key)
