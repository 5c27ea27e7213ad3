"""The answers are what the worlds show, read off them again by other means."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from video_oasis.generate.clips.render import Picture, render
from video_oasis.generate.clips.world import Pose, Thing, World
from video_oasis.generate.planted.acts import ACT_VARIANTS, make_acts, show_acts
from video_oasis.generate.planted.layout import Question
from video_oasis.generate.planted.parades import make_parade
from video_oasis.generate.planted.returns import make_returns, show_returns
from video_oasis.generate.planted.scene import Scene
from video_oasis.generate.planted.truth import PlantedKind

SAMPLED = range(4, 64, 8)
"""The frames that one frame a second shows."""
TIMES = {"once": 1, "twice": 2, "three times": 3, "four times": 4}


def seen_poses(thing: Thing) -> list[Pose]:
    return [pose for pose in thing.poses if pose is not None]


def starts(thing: Thing) -> int:
    return next(frame for frame, pose in enumerate(thing.poses) if pose is not None)


def tell_way(thing: Thing) -> str:
    first, *_, last = seen_poses(thing)
    if first.x != last.x:
        return "to the right" if last.x > first.x else "to the left"
    return "upward" if last.y < first.y else "downward"


def tell_direction(world: World) -> str:
    return ", ".join(f"the {thing.shape} {tell_way(thing)}" for thing in world.things)


def tell_state_change(world: World) -> str:
    return ", ".join(
        f"the {thing.shape} from {seen_poses(thing)[0].colour} to {seen_poses(thing)[-1].colour}"
        for thing in world.things
    )


def tell_cause(world: World) -> str:
    told = []
    for met in world.collisions:
        pair = [world.things[number] for number in met.things]
        striker, struck = sorted(pair, key=lambda thing: -moves_before(thing, met.frame))
        told.append(
            f"the {seen_poses(striker)[0].colour} ball strikes the "
            f"{seen_poses(struck)[0].colour} one"
        )
    return ", ".join(told)


def moves_before(thing: Thing, frame: int) -> float:
    before, at = thing.poses[frame - 5], thing.poses[frame]
    assert before is not None
    assert at is not None
    return abs(at.x - before.x)


def tell_narrative(world: World) -> str:
    told = []
    for thing in sorted(world.things, key=starts):
        first, *_, last = seen_poses(thing)
        if first.colour != last.colour:
            told.append(f"the {thing.shape} changes colour")
        else:
            told.append(f"the {thing.shape} goes {tell_way(thing)}")
    return f"first {told[0]}, then {told[1]}"


TELL = {
    "direction": tell_direction,
    "state_change": tell_state_change,
    "cause": tell_cause,
    "narrative": tell_narrative,
}


@pytest.mark.parametrize("variant", ACT_VARIANTS)
def test_acts_show_what_the_label_says(variant: str) -> None:
    for number in range(12):
        scene = make_acts(5, variant, number)
        (draft,) = scene.drafts
        assert TELL[variant](scene.world) == draft.label
        assert len({draft.label, *draft.wrong}) == 4


def count_frames(pictures: list[Picture]) -> Counter[bytes]:
    return Counter(picture.tobytes() for picture in pictures)


@pytest.mark.parametrize("variant", ACT_VARIANTS)
def test_all_four_answers_have_the_same_frames(variant: str) -> None:
    scenes = [show_acts(5, variant, 2, answer) for answer in range(4)]
    assert len({scene.drafts[0].label for scene in scenes}) == 4
    assert make_acts(5, variant, 2) in scenes
    clips = [render(scene.world) for scene in scenes]
    counts = [count_frames(clip) for clip in clips]
    assert counts[0] == counts[1] == counts[2] == counts[3]
    sampled = [count_frames([clip[frame] for frame in SAMPLED]) for clip in clips]
    assert sampled[0] == sampled[1] == sampled[2] == sampled[3]
    assert len({clip[32].tobytes() for clip in clips}) == 1
    assert len({tuple(picture.tobytes() for picture in clip) for clip in clips}) == 4


@pytest.mark.parametrize("variant", ACT_VARIANTS)
def test_no_part_of_two_acts_shows_both(variant: str) -> None:
    for number in range(4):
        world = make_acts(5, variant, number).world
        early = {thing for thing in world.things if starts(thing) < 32}
        assert 0 < len(early) < len(world.things)
        assert all(pose is None for thing in early for pose in thing.poses[32:])


def stays(scene: Scene) -> list[bool]:
    (thing,) = scene.world.things
    return [pose is not None for pose in thing.poses]


def test_a_shape_comes_as_often_as_the_label_says() -> None:
    for number in range(16):
        scene = make_returns(5, number)
        in_sight = stays(scene)
        comings = sum(now and not before for before, now in pairwise(in_sight))
        assert comings == TIMES[scene.drafts[0].label]
        assert not in_sight[0]
        assert sum(in_sight) == 30
        assert sum(in_sight[frame] for frame in SAMPLED) == 4


def test_the_middle_frame_says_nothing_of_how_often() -> None:
    scenes = [
        (answer, show_returns(5, 1, answer, is_backwards=is_backwards))
        for answer in range(4)
        for is_backwards in (False, True)
    ]
    assert len({(answer, stays(scene)[32]) for answer, scene in scenes}) == 8
    assert len({scene.drafts[0].label for _, scene in scenes}) == 4
    ways = [make_returns(5, number) for number in range(40)]
    # Twenty of forty are expected backwards; ten is more than three standard deviations off.
    assert 10 < sum(stays(scene)[32] for scene in ways) < 30


@pytest.mark.parametrize("is_told", [True, False])
def test_parades_show_four_shapes_for_a_second_each(is_told: bool) -> None:
    for number in range(12):
        scene = make_parade(5, number, is_told=is_told, n_questions=2)
        order = sorted(scene.world.things, key=starts)
        names = [f"{seen_poses(thing)[0].colour} {thing.shape}" for thing in order]
        first, last = scene.drafts
        assert (first.label, last.label) == (names[0], names[-1])
        assert {first.label, *first.wrong} == set(names)
        assert [starts(thing) for thing in order] == [0, 16, 40, 56]
        assert {len(seen_poses(thing)) for thing in order} == {8}


def test_only_captions_of_summary_scenes_name_shapes() -> None:
    told = make_parade(5, 3, is_told=True, n_questions=2)
    named = [caption for caption in told.captions if " stands " in caption]
    first, last = told.drafts
    assert len(told.captions) == 8
    assert first.label in named[0]
    assert last.label in named[-1]
    untold = make_parade(5, 3, is_told=False, n_questions=2)
    (choices,) = {frozenset((draft.label, *draft.wrong)) for draft in untold.drafts}
    words = {word for choice in choices for word in choice.split()}
    assert not words & set(" ".join(untold.captions).lower().replace(".", "").split())


def test_the_parts_of_questions_that_frames_do_not_show_say_so(
    questions: tuple[Question, ...],
) -> None:
    for question in questions:
        if question.truth.kind is PlantedKind.NATIVE:
            assert set(question.truth.solved_by) <= {"standard", "reverse"}
            assert np.size(question.truth.frames) == 0
