"""Each task's events from hand-made annotation files equal those worked out by hand."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.generate.sources import SOURCES
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.engine import generate
from video_oasis.generate.tvbench.interface import Event, LeftOut, Mode
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.tasks import TASKS
from video_oasis.generate.tvbench.tasks.egocentric_sequence import count_violations
from video_oasis.generate.tvbench.tasks.moving_direction import project
from video_oasis.schema import BadRow

Find = Callable[..., tuple[list[Event], Counter[str]]]


@pytest.fixture
def find(tmp_path: Path) -> Find:
    """Find a task's events in a source's files; return them and what was left out."""

    def find(task: str, source: str, mode: Mode = Mode.STRICT) -> tuple[list[Event], Counter[str]]:
        events, left_out = [], Counter[str]()
        for record in SOURCES[source].read(tmp_path):
            assert not isinstance(record, BadRow), record
            draws = Draws(0, task)
            for found in TASKS[task].find[source](record, TVBenchSettings(), mode, draws):
                if isinstance(found, LeftOut):
                    left_out[found.reason] += 1
                else:
                    events.append(found)
        return events, left_out

    return find


def answers(events: list[Event]) -> dict[tuple[str, str], str]:
    return {(event.video, event.key): event.choices[event.target] for event in events}


def write_scene(folder: Path, number: int, objects: list[dict[str, Any]], n_frames: int) -> None:
    """Write a scene; an object has its look, and a function from frame to its state."""
    scene = {
        "scene_index": number,
        "video_filename": f"v{number}.mp4",
        "object_property": [
            {"object_id": n, **{k: each[k] for k in ("color", "material", "shape")}}
            for n, each in enumerate(objects)
        ],
        "motion_trajectory": [
            {
                "frame_id": frame,
                "objects": [
                    {"object_id": n, **each["at"](frame)} for n, each in enumerate(objects)
                ],
            }
            for frame in range(n_frames)
        ],
        "collision": [],
    }
    (folder / f"annotation_{number}.json").write_text(json.dumps(scene))


def thing(
    color: str, at: Callable[[int], dict[str, Any]], shape: str = "cube", material: str = "metal"
) -> dict[str, Any]:
    return {"color": color, "material": material, "shape": shape, "at": at}


def state(x: float, y: float, *, speed: float = 0.0, seen: bool = True) -> dict[str, Any]:
    return {
        "location": [x, y, 0.2],
        "velocity": [0.0, speed, 9.0],
        "inside_camera_view": seen,
    }


def test_object_count(find: Find, tmp_path: Path) -> None:
    # At first two move (one unseen), at last one metal cube and one rubber sphere do.
    write_scene(
        tmp_path,
        1,
        [
            thing("red", lambda f: state(0, 0, speed=0.0 if f == 0 else 1.0)),
            thing("blue", lambda f: state(0, 0, speed=3.0 if f == 0 else 0.001)),
            thing("gray", lambda f: state(0, 0, speed=3.0, seen=f > 0), "sphere", "rubber"),
        ],
        2,
    )
    # Something creeps at the end: neither moving nor at rest.
    write_scene(tmp_path, 2, [thing("red", lambda f: state(0, 0, speed=1.0 if f == 0 else 0.1))], 2)
    # What creeps is out of sight, so the end is clear.
    write_scene(
        tmp_path,
        3,
        [thing("red", lambda _: state(0, 0, speed=0.1, seen=False)) for _ in range(2)],
        2,
    )
    # Four move: more than can be answered; of the spheres, one does.
    write_scene(
        tmp_path,
        4,
        [thing("red", lambda _: state(0, 0, speed=1.0)) for _ in range(3)]
        + [thing("red", lambda _: state(0, 0, speed=1.0), "sphere")],
        1,
    )
    events, left_out = find("object_count", "clevrer")
    found = answers(events)
    assert found["v1.mp4", "objects begins"] == "1"
    assert found["v1.mp4", "objects ends"] == "2"
    assert found["v1.mp4", "metal objects ends"] == "1"
    assert found["v1.mp4", "rubber objects ends"] == "1"
    assert found["v1.mp4", "spheres begins"] == "0"
    assert found["v2.mp4", "cubes begins"] == "1"
    assert ("v2.mp4", "objects ends") not in found
    assert found["v3.mp4", "objects ends"] == "0"
    assert ("v4.mp4", "objects begins") not in found
    assert found["v4.mp4", "cubes begins"] == "3"
    assert found["v4.mp4", "spheres begins"] == "1"
    # For objects and for metal objects, at the first and at the last frame (the same one).
    assert left_out == {
        "something may or may not be moving": 1,
        "more than 3 objects are moving": 4,
    }
    (event,) = [e for e in events if (e.video, e.key) == ("v1.mp4", "metal objects ends")]
    assert event.slots == ("metal objects", "ends")


def test_camera() -> None:
    # By hand: depth 4.8916 at x = 0 and 3.1602 at x = 2.
    assert project((0.0, 1.0, 0.2)) == pytest.approx((240 + 525 / 4.8916, 141.4), abs=0.2)
    assert project((2.0, 0.0, 0.2)) == pytest.approx((240, 297.6), abs=0.2)


def walk(x: float, y: float, n_seen: int = 40) -> Callable[[int], dict[str, Any]]:
    """Go from the middle of the scene to a place in 39 steps, seen in the first frames."""
    return lambda frame: state(x * frame / 39, y * frame / 39, seen=frame < n_seen)


@pytest.mark.parametrize(
    ("x", "y", "answer"),
    [
        (1.0, 1.0, "Down and to the right."),
        (1.0, -1.0, "Down and to the left."),
        (-2.0, 1.0, "Up and to the right."),
        (-2.0, -1.0, "Up and to the left."),
        (1.0, 0.1, None),  # less than 48 pixels across
        (0.2, 1.0, None),  # less than 32 pixels down
    ],
)
def test_moving_direction(
    x: float, y: float, answer: str | None, find: Find, tmp_path: Path
) -> None:
    write_scene(tmp_path, 1, [thing("red", walk(x, y), "cube")], 40)
    events, _ = find("moving_direction", "clevrer")
    assert [event.choices[event.target] for event in events] == ([answer] if answer else [])


def test_moving_direction_reversed(find: Find, tmp_path: Path) -> None:
    backwards = walk(1.0, 1.0)
    write_scene(tmp_path, 1, [thing("red", lambda frame: backwards(39 - frame))], 40)
    (event,), _ = find("moving_direction", "clevrer")
    assert event.choices[event.target] == "Up and to the left."


def test_moving_direction_leaves_out_what_is_unclear(find: Find, tmp_path: Path) -> None:
    def there_and_back(frame: int) -> dict[str, Any]:
        far = min(frame, 2 * 26 - frame)  # 26 steps there, 13 back: a third of the way is left
        return state(far / 26, 2 * far / 26)

    write_scene(tmp_path, 1, [thing("red", walk(1, 1)), thing("red", walk(-2, 1))], 40)
    write_scene(tmp_path, 2, [thing("red", walk(1, 1)), thing("red", walk(1, 1), "sphere")], 40)
    write_scene(tmp_path, 3, [thing("red", walk(1.3, 1.3, n_seen=31))], 40)
    write_scene(tmp_path, 4, [thing("red", there_and_back)], 40)
    events, left_out = find("moving_direction", "clevrer")
    assert [(event.video, event.slots) for event in events] == [
        ("v2.mp4", ("red", "cube")),
        ("v2.mp4", ("red", "sphere")),
    ]
    assert left_out == {
        "another object has the same colour and shape": 2,
        "no clear direction": 2,
    }


def write_perception(folder: Path, questions: list[dict[str, Any]], n_occluders: int) -> None:
    video = {
        "metadata": {"frame_rate": 30, "num_frames": 600},
        "object_tracking": [{"is_occluder": n < n_occluders} for n in range(6)],
        "mc_question": questions,
    }
    (folder / f"{n_occluders}.json").write_text(json.dumps({f"video_{n_occluders}": video}))


def ask(number: int, question: str, options: list[str], answer: int) -> dict[str, Any]:
    return {"id": number, "question": question, "options": options, "answer_id": answer}


def test_action_count(find: Find, tmp_path: Path) -> None:
    write_perception(
        tmp_path,
        [
            ask(1, "How many lifts?", ["4", "3", "6"], 0),
            ask(2, "How many lifts?", ["4", "3", "6"], 2),  # 6 is not asked for
            ask(3, "How many distinct lifts are there?", ["2", "3", "4"], 0),
            ask(4, "Who lifts?", ["2", "Ann", "Bob"], 0),
        ],
        3,
    )
    strict, left_out = find("action_count", "perception-test")
    assert answers(strict) == {("video_3.mp4", "1"): "4"}
    assert strict[0].choices == ("2", "3", "4", "5")
    assert strict[0].length_seconds == 20.0
    assert left_out == {
        "the number is not one of those asked for": 1,
        "a question whose wording goes with few numbers": 1,
        "not a question for a number": 1,
    }
    faithful, _ = find("action_count", "perception-test", Mode.FAITHFUL)
    assert answers(faithful) == {("video_3.mp4", "1"): "4", ("video_3.mp4", "3"): "2"}


def test_object_shuffle(find: Find, tmp_path: Path) -> None:
    first, second, third, fourth = (
        f"Under the {word} object from the left" for word in ("first", "second", "third", "fourth")
    )
    three = [ask(1, "Where is it?", [third, first, second], 2)]
    write_perception(tmp_path, [*three, ask(2, "Where is it?", [first, second, fourth], 0)], 3)
    write_perception(tmp_path, three, 4)
    strict, left_out = find("object_shuffle", "perception-test")
    assert answers(strict) == {("video_3.mp4", "1"): f"{second}."}
    assert left_out == {
        "not a question for one of three places": 1,
        "not known to have exactly 3 objects": 1,
    }
    faithful, _ = find("object_shuffle", "perception-test", Mode.FAITHFUL)
    assert len(faithful) == 2


def star_question(number: int, relation: str, **changes: Any) -> dict[str, Any]:
    return {
        "question_id": f"Sequence_T3_{number}",
        "question": f"What happened {relation} the person took the towel?",
        "video_id": "AB12C",
        "start": 1.0,
        "end": 12.0,
        "answer": "Opened the window.",
        "choices": [{"choice": "Opened the window."}, {"choice": "Closed the book."}],
        # The towel from second 1 to 3, the window from 5 to 12.
        "situations": {
            "30": {"actions": ["a1"]},
            "90": {"actions": ["a1"]},
            "150": {"actions": ["a2"]},
            "360": {"actions": ["a2"]},
        },
    } | changes


def write_star(folder: Path, *questions: dict[str, Any]) -> None:
    text = json.dumps(questions).replace('"a1"', '"a001"').replace('"a2"', '"a002"')
    (folder / "STAR_val.json").write_text(text)
    (folder / "action_classes.txt").write_text(
        "a001 take a towel/s from somewhere\na002 open a window\n"
    )


def test_action_sequence_from_star(find: Find, tmp_path: Path) -> None:
    near = {"30": {"actions": ["a1"]}, "90": {"actions": ["a1"]}, "110": {"actions": ["a2"]}}
    again = {**star_question(0, "")["situations"], "300": {"actions": ["a1"]}}
    write_star(
        tmp_path,
        star_question(1, "after"),
        star_question(2, "before"),
        star_question(3, "after", situations=near),
        star_question(4, "after", situations=again),
        star_question(5, "after", answer="Closed the book."),
        star_question(6, "after", question="What did the person do?"),
    )
    faithful, _ = find("action_sequence", "star", Mode.FAITHFUL)
    assert answers(faithful) == {
        ("AB12C.mp4", "Sequence_T3_1"): "Took the towel.",
        ("AB12C.mp4", "Sequence_T3_2"): "Opened the window.",
        ("AB12C.mp4", "Sequence_T3_3"): "Took the towel.",
        ("AB12C.mp4", "Sequence_T3_4"): "Took the towel.",
        ("AB12C.mp4", "Sequence_T3_5"): "Took the towel.",
    }
    assert faithful[0].choices == ("Opened the window.", "Took the towel.")
    assert (faithful[0].start_seconds, faithful[0].end_seconds) == (1.0, 12.0)
    strict, left_out = find("action_sequence", "star")
    # Question 2 says the window came first, which its own times deny.
    assert answers(strict) == {("AB12C.mp4", "Sequence_T3_1"): "Took the towel."}
    assert left_out == {
        "the two actions are not clearly apart": 3,
        "no times of one of the two actions, or several": 1,
        "not a question for what came before or after": 1,
    }


def test_a_pair_asked_about_from_both_ends_is_asked_once(tmp_path: Path) -> None:
    asked_after = {
        "question_id": "Sequence_T3_1",
        "video_id": "V1",
        "start": 1.0,
        "end": 12.0,
        "question": "What happened after the person took the towel?",
        "answer": "Opened the window.",
        "choices": [{"choice_id": 0, "choice": "Opened the window."}],
        "situations": {},
    }
    asked_before = asked_after | {
        "question_id": "Sequence_T4_1",
        "question": "What happened before the person opened the window?",
        "answer": "Took the towel.",
        "choices": [{"choice_id": 0, "choice": "Took the towel."}],
    }
    later = asked_after | {"question_id": "Sequence_T3_2", "start": 20.0, "end": 31.0}
    (tmp_path / "STAR_val.json").write_text(json.dumps([asked_after, asked_before, later]))
    settings = TVBenchSettings(gate_learners=(), gate_permutations=10, min_questions=2)
    task = TASKS["action_sequence"]
    (made,) = generate({"star": tmp_path}, [task], Mode.FAITHFUL, 0, settings).tasks
    assert made.refusal == ""
    assert sorted(sample.video.start_seconds or 0 for sample in made.samples) == [1.0, 20.0]


def test_action_sequence_from_charades(find: Find, tmp_path: Path) -> None:
    (tmp_path / "Charades_v1_classes.txt").write_text(
        "c001 Putting a blanket somewhere\nc002 Opening a door\nc003 Sneezing\n"
    )
    (tmp_path / "Charades_v1.csv").write_text(
        "id,actions,length\n"
        "CLEAR,c001 2.0 5.0;c002 6.0 9.0;c003 0.0 1.0,20\n"
        "CLOSE,c001 2.0 5.5;c002 6.0 9.0,20\n"
        "AGAIN,c001 2.0 5.0;c002 6.0 9.0;c001 8.0 10.0,20\n"
        "LATER,c001 12.0 15.0;c002 6.0 9.0,20\n"
    )
    strict, left_out = find("action_sequence", "charades")
    assert [(e.video, e.choices[e.target], e.start_seconds, e.end_seconds) for e in strict] == [
        ("CLEAR.mp4", "Put down the blanket.", 2.0, 9.0),
        ("LATER.mp4", "Opened the door.", 6.0, 15.0),
    ]
    assert left_out["an action whose verb is not one that is asked about"] == 1
    faithful, _ = find("action_sequence", "charades", Mode.FAITHFUL)
    assert ("CLOSE.mp4", 2.0, 9.0) in {(e.video, e.start_seconds, e.end_seconds) for e in faithful}


def test_scene_transition(find: Find, tmp_path: Path) -> None:
    rows = [
        {"video": "a.mp4", "scenes": ["the yard", "the hall", "a roof"]},
        {"video": "b.mp4", "scenes": ["the yard", "the hall", "The Yard"]},
        {"video": "c.mp4", "answer": "From Skull Island to the hall."},
    ]
    (tmp_path / "scenes.json").write_text(json.dumps(rows))
    strict, left_out = find("scene_transition", "movqa")
    assert answers(strict) == {
        ("a.mp4", "scene 1"): "From the yard to the hall.",
        ("a.mp4", "scene 2"): "From the hall to a roof.",
    }
    assert set(strict[0].choices) == {"From the yard to the hall.", "From the hall to the yard."}
    assert left_out == {"a scene that comes more than once": 2, "a name in the description": 1}
    faithful, _ = find("scene_transition", "movqa", Mode.FAITHFUL)
    assert ("c.mp4", "scene 1") in answers(faithful)


def write_moments(folder: Path, *lines: str, length: float = 60.0) -> None:
    videos = sorted({line.split()[0] for line in lines})
    table = "".join(f"{video},,{length}\n" for video in videos)
    (folder / "Charades_v1.csv").write_text(f"id,actions,length\n{table}")
    (folder / "charades_sta.txt").write_text("\n".join(lines))


def test_action_localization_faithful(find: Find, tmp_path: Path) -> None:
    write_moments(
        tmp_path,
        "SHORT 12.0 18.0##a person opens a door.",
        "WHOLE 3.0 20.0##a person opens a door.",
        "EARLY 2.0 8.0##a person opens a door.",
    )
    events, _ = find("action_localization", "charades-sta", Mode.FAITHFUL)
    found = {(e.video, e.choices[e.target]): (e.start_seconds, e.end_seconds) for e in events}
    assert found == {
        ("SHORT.mp4", "At the beginning of the video."): (12.0, 30.0),
        ("SHORT.mp4", "In the middle of the video."): (6.0, 24.0),
        ("SHORT.mp4", "At the end of the video."): (0.0, 18.0),
        ("WHOLE.mp4", "Throughout the entire video."): (3.0, 20.0),
        ("EARLY.mp4", "At the beginning of the video."): (2.0, 20.0),
    }


def test_action_localization_strict(find: Find, tmp_path: Path) -> None:
    write_moments(
        tmp_path,
        "AAAAA 30.0 34.0##a person opens a door.",
        "BBBBB 30.0 34.0##a person opens a door.",
        "BBBBB 36.0 40.0##the person is opening a box.",
        "CCCCC 30.0 34.0##it rains.",
    )
    events, left_out = find("action_localization", "charades-sta")
    of_video = Counter((event.video, event.choices[event.target]) for event in events)
    # Lengths of 15 to 25 seconds; four seconds are never most of that.
    assert of_video["AAAAA.mp4", "At the beginning of the video."] == 11
    assert of_video["AAAAA.mp4", "In the middle of the video."] == 11
    assert of_video["AAAAA.mp4", "At the end of the video."] == 11
    assert of_video["AAAAA.mp4", "Throughout the entire video."] == 0
    for event in events:
        start, end = event.start_seconds or 0.0, event.end_seconds or 0.0
        assert event.group == f"open {end - start:g}"
        if event.video == "BBBBB.mp4" and event.slots == ("a person opens a door",):
            assert end <= 36.0  # the box is opened in no clip about the door
    assert left_out["no verb found in the sentence"] == 1


def test_unexpected_action(find: Find, tmp_path: Path) -> None:
    rows = [
        {"visual_input": f"{name}_0_300.mp4", "output": output, "task": task, "ID": name}
        for name, output, task in [
            ("late", "[200, 280]", "H1"),  # two thirds are past
            ("mid", "[100, 200]", "C1"),  # a third to two thirds
            ("early", "[30, 100]", "M1"),
            ("all", "[20, 280]", "H1"),
            ("gap", "[90, 150]", "H1"),  # 30 to 50 %
            ("words", "A cat jumps.", "H2"),
        ]
    ]
    (tmp_path / "annotation.json").write_text(json.dumps(rows))
    faithful, left_out = find("unexpected_action", "funqa", Mode.FAITHFUL)
    assert [(e.slots[0], e.choices[e.target]) for e in faithful] == [
        ("funny", "At the end of the video."),
        ("creative", "In the middle of the video."),
        ("magical", "At the beginning of the video."),
        ("funny", "Throughout the entire video."),
    ]
    assert left_out == {
        "the moment lies between two parts": 1,
        "a row that describes the moment in words": 1,
    }
    strict, _ = find("unexpected_action", "funqa")
    gap = [event for event in strict if event.video == "gap_0_300.mp4"]
    # From 3 to 5 of 10 seconds; in a clip of 7 seconds it can begin, or lie in the middle.
    of_seven = {e.choices[e.target]: e for e in gap if e.length_seconds == 7.0}
    assert set(of_seven) == {"At the beginning of the video.", "In the middle of the video."}
    start = of_seven["At the beginning of the video."].start_seconds
    assert start is not None
    assert 5 - 0.35 * 7 <= start <= 3


def test_action_antonym(find: Find, tmp_path: Path) -> None:
    (tmp_path / "clips.txt").write_text(
        "S001C001P001R001A008_rgb.avi\t60\n"
        "S001C002P001R001A008_rgb.avi\t60\n"
        "S001C001P001R001A009_rgb.avi\t61\n"
        "S001C001P002R001A009_rgb.avi\t120\n"
        "S001C001P002R001A010_rgb.avi\t120\n"
        "S001C001P002R001A014_rgb.avi\n"
    )
    strict, left_out = find("action_antonym", "ntu")
    assert [event.choices[event.target] for event in strict] == [
        "Sitting down.",
        "Sitting down.",
        "Standing up.",
        "Standing up.",
    ]
    assert strict[0].unit == strict[1].unit  # two views of one performance
    assert strict[0].group == strict[2].group  # the same person, in about the same time
    assert strict[2].group != strict[3].group
    assert left_out == {
        "an action without an opposite": 1,
        "the clip's length is not listed": 1,
    }
    (tmp_path / "actions.tsv").write_text("A008\tsit\nA009\tget up\nA014\twear it\nA015\tdoff it\n")
    faithful, _ = find("action_antonym", "ntu", Mode.FAITHFUL)
    assert faithful[2].choices == ("Sit.", "Get up.")
    assert len(faithful) == 5


def test_egocentric_sequence(find: Find, tmp_path: Path) -> None:
    bank = {
        "1": ["take up the jug", "pour", "put down the jug"],
        "2": ["take up the jug", "put down the jug", "pour"],
        "3": ["take up the jug", "pour", "pour", "put down the jug"],
        "4": ["take up the jug", "pour", "put down the jug"],
    }
    (tmp_path / "label_bank.json").write_text(json.dumps(bank))
    (tmp_path / "split.txt").write_text("ann.MP4 1\nbob.MP4 2\ncid.MP4 3\ndan.MP4 4\n")
    strict, left_out = find("egocentric_sequence", "svip")
    in_order = "take up the jug, pour, put down the jug"
    other = "take up the jug, put down the jug, pour"
    assert answers(strict) == {
        ("1/ann.MP4", ""): in_order,
        ("2/bob.MP4", ""): other,
        ("4/dan.MP4", ""): in_order,
    }
    assert all(event.choices == (in_order, other) for event in strict)  # both are right elsewhere
    assert left_out == {"no other procedure has the same steps in another order": 1}
    (event,) = [e for e in find("egocentric_sequence", "svip", Mode.FAITHFUL)[0] if e.family == "3"]
    assert event.choices[event.target] == "take up the jug, pour, pour, put down the jug"
    assert len(event.choices) == 4
    texts = {", ".join(sorted(choice.split(", "))) for choice in event.choices}
    assert len(texts) == 1  # distractors are the same steps in orders no procedure has


def test_a_procedure_of_one_step_has_no_other_order(find: Find, tmp_path: Path) -> None:
    (tmp_path / "label_bank.json").write_text(json.dumps({"1": ["stir"]}))
    (tmp_path / "split.txt").write_text("ann.MP4 1\n")
    events, left_out = find("egocentric_sequence", "svip", Mode.FAITHFUL)
    assert (events, left_out) == ([], {"too few orders of the steps": 1})


def test_logic_of_steps() -> None:
    assert count_violations(["take up the jug", "pour", "put down the jug"]) == 0
    assert count_violations(["put down the jug", "pour", "take up the jug"]) == 1
    assert count_violations(["put down the cap", "take up the jug"]) == 1
