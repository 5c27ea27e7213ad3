"""Annotations made up at random, in the published shapes, enough for 500 questions a task."""

import json
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

COLOURS: Final = ("red", "blue", "green")
STEPS: Final = ("fill the jug", "light the lamp", "fold the cloth", "shut the box")
VERBS: Final = ("opens", "closes", "washes")
THINGS: Final = ("door", "box", "bag", "window")
PLACES: Final = ("kitchen", "yard", "street", "office", "garden", "hall", "cellar", "roof")
ACTIONS: Final = (
    ("put", "blanket", "Put down the blanket."),
    ("take", "towel", "Took the towel."),
    ("open", "window", "Opened the window."),
    ("close", "book", "Closed the book."),
)


@pytest.fixture(scope="session")
def annotations(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folder of each source."""
    root = tmp_path_factory.mktemp("annotations")
    written = {}
    for name, write in WRITERS.items():
        folder = root / name
        folder.mkdir()
        write(folder, np.random.default_rng(7))
        written[name] = folder
    return written


def write_clevrer(folder: Path, random: np.random.Generator) -> None:
    for number in range(1300):
        shape = ("cube", "sphere")[number % 2]
        moving = random.random(3) < 0.55
        ways = random.choice((-0.05, 0.05), size=(3, 2))
        starts = random.uniform(-1.0, 1.0, size=(3, 2))
        frames = []
        for frame in (*range(0, 124, 4), 124, 125, 126, 127):
            objects = []
            for each in range(3):
                at = starts[each] + moving[each] * ways[each] * frame / 2
                objects.append(
                    {
                        "object_id": each,
                        "location": [round(float(at[0]), 4), round(float(at[1]), 4), 0.2],
                        "velocity": [float(ways[each][0]) * 25, 0.3, 0.0]
                        if moving[each]
                        else [0.0, 0.001, 0.0],
                        "inside_camera_view": True,
                    }
                )
            frames.append({"frame_id": frame, "objects": objects})
        scene = {
            "scene_index": number,
            "video_filename": f"video_{number:05d}.mp4",
            "object_property": [
                {"object_id": each, "color": COLOURS[each], "material": "metal", "shape": shape}
                for each in range(3)
            ],
            "motion_trajectory": frames,
            "collision": [],
        }
        (folder / f"annotation_{number:05d}.json").write_text(json.dumps(scene))


def write_perception_test(folder: Path, random: np.random.Generator) -> None:
    asked = (
        "How many times did the person lift the lid?",
        "How many times did the person turn the key?",
    )
    videos: dict[str, Any] = {}
    for number in range(900):
        count = int(random.choice((2, 3, 4, 5), p=(0.3, 0.3, 0.2, 0.2)))
        others = random.permutation([n for n in range(2, 7) if n != count])[:2]
        options = [str(n) for n in random.permutation([count, *others])]
        places = [f"Under the {w} object from the left." for w in ("first", "second", "third")]
        videos[f"video_{number}"] = {
            "metadata": {
                "video_id": f"video_{number}",
                "frame_rate": 30.0,
                "num_frames": int(random.integers(300, 900)),
                "is_cup_game": True,
            },
            "object_tracking": [
                {"id": each, "label": "cup", "is_occluder": each < 3} for each in range(4)
            ],
            "action_localisation": [],
            "mc_question": [
                {
                    "id": 1,
                    "question": asked[number % 2],
                    "options": options,
                    "answer_id": options.index(str(count)),
                    "tag": ["action counting"],
                },
                {
                    "id": 2,
                    "question": "Under which of the objects is the coin at the end?",
                    "options": places,
                    "answer_id": int(random.integers(3)),
                    "tag": ["occlusion"],
                },
            ],
        }
    (folder / "all_valid.json").write_text(json.dumps(videos))


def write_star(folder: Path, random: np.random.Generator) -> None:
    lines = [f"a{n:03d} {verb} a {thing} somewhere" for n, (verb, thing, _) in enumerate(ACTIONS)]
    (folder / "action_classes.txt").write_text("\n".join(lines))
    questions = []
    for number in range(700):
        first, second = random.permutation(len(ACTIONS))[:2].tolist()
        after = bool(random.integers(2))
        asked, answer = (first, second) if after else (second, first)
        start = round(float(random.uniform(0, 9)), 1)
        frame = round(30 * start)
        phrase = ACTIONS[asked][2].rstrip(".")
        questions.append(
            {
                "question_id": f"Sequence_T{3 if after else 4}_{number}",
                "question": f"What happened {'after' if after else 'before'} the person "
                f"{phrase[0].lower()}{phrase[1:]}?",
                "video_id": f"V{number:04d}",
                "start": start,
                "end": start + 12.0,
                "answer": ACTIONS[answer][2],
                "choices": [
                    {"choice_id": n, "choice": text} for n, (_, _, text) in enumerate(ACTIONS)
                ],
                "situations": {
                    f"{frame + 15:06d}": {"actions": [f"a{first:03d}"]},
                    f"{frame + 90:06d}": {"actions": [f"a{first:03d}"]},
                    f"{frame + 180:06d}": {"actions": [f"a{second:03d}"]},
                    f"{frame + 330:06d}": {"actions": [f"a{second:03d}"]},
                },
            }
        )
    (folder / "STAR_val.json").write_text(json.dumps(questions))


def write_charades_sta(folder: Path, random: np.random.Generator) -> None:
    rows = ["id,actions,length"]
    lines = []
    for number in range(1600):
        video = f"V{number:04d}"
        length = round(float(random.uniform(45, 70)), 1)
        duration = float(random.uniform(16, 26) if number % 4 == 0 else random.uniform(3, 5))
        start = round(float(random.uniform(0, length - duration)), 1)
        verb, thing = random.choice(VERBS), random.choice(THINGS)
        rows.append(f"{video},,{length}")
        lines.append(f"{video} {start} {start + duration:.1f}##a person {verb} the {thing}.")
    (folder / "Charades_v1_test.csv").write_text("\n".join(rows))
    (folder / "charades_sta_test.txt").write_text("\n".join(lines))


def write_movqa(folder: Path, random: np.random.Generator) -> None:
    rows = []
    for number in range(800):
        before, after = random.permutation(PLACES)[:2].tolist()
        rows.append({"video": f"film_{number}.mp4", "scenes": [f"the {before}", f"the {after}"]})
    (folder / "scenes.json").write_text(json.dumps(rows))


def write_ntu(folder: Path, random: np.random.Generator) -> None:
    names = [
        f"S{setup:03d}C{camera:03d}P{person:03d}R{turn:03d}A{action:03d}_rgb.avi"
        f"\t{int(random.integers(60, 90)) + 8 * (action % 2)}"
        for setup in range(1, 6)
        for camera in (1, 2)
        for person in range(1, 11)
        for turn in (1, 2)
        for action in (8, 9, 14, 15, 16, 17, 18, 19, 20, 21, 61, 62, 87, 88, 89, 90, 1)
    ]
    (folder / "clips.txt").write_text("\n".join(names))


def write_funqa(folder: Path, random: np.random.Generator) -> None:
    rows = []
    for number in range(1200):
        kind = "HCM"[number % 3]
        n_frames = int(random.integers(400, 700))
        duration = int(random.integers(150, 300) if number % 4 == 0 else random.integers(20, 40))
        start = int(random.integers(0, n_frames - duration))
        rows.append(
            {
                "instruction": "Find the moment.",
                "visual_input": f"{kind}_A_{number}_1000_{1000 + n_frames}.mp4",
                "output": f"[{start:04d}, {start + duration:04d}]",
                "task": f"{kind}1",
                "ID": f"test_{number}",
            }
        )
    (folder / "annotation.json").write_text(json.dumps(rows))


def write_svip(folder: Path, random: np.random.Generator) -> None:
    bank = {}
    lines = []
    for family in range(8):
        orders = list(permutations(f"{step} ({family})" for step in STEPS))
        for member, order in enumerate(random.permutation(len(orders))[:3].tolist()):
            procedure = f"{family}.{member}"
            bank[procedure] = list(orders[order])
            n_videos = int(random.integers(22, 30))
            lines += [f"cook{n}.MP4 {procedure}" for n in range(n_videos)]
    (folder / "label_bank.json").write_text(json.dumps(bank))
    (folder / "test_split.txt").write_text("\n".join(lines))


WRITERS: Final[dict[str, Callable[[Path, np.random.Generator], None]]] = {
    "clevrer": write_clevrer,
    "perception-test": write_perception_test,
    "star": write_star,
    "charades-sta": write_charades_sta,
    "movqa": write_movqa,
    "ntu": write_ntu,
    "funqa": write_funqa,
    "svip": write_svip,
}
