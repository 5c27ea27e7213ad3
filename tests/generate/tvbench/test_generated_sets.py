"""Sets of 500 and more questions a task are even, hard without the video, and reproducible."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.loading import read_contents
from video_oasis.generate.tvbench.engine import GeneratedSet, TaskSet, generate
from video_oasis.generate.tvbench.files import write_generated
from video_oasis.generate.tvbench.gate import GateInput, measure_giveaways
from video_oasis.generate.tvbench.interface import Mode
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.tasks import TASKS
from video_oasis.schema import Video

# What learned models say is tested below, on the sets themselves.
SETTINGS = TVBenchSettings(gate_learners=(), max_questions=520)
NAMES = sorted(TASKS)


def make(annotations: dict[str, Path], names: Sequence[str], seed: int = 0) -> GeneratedSet:
    tasks = [TASKS[name] for name in names]
    sources = {
        name: folder
        for name, folder in annotations.items()
        if any(name in task.find for task in tasks)
    }
    return generate(sources, tasks, Mode.STRICT, seed, SETTINGS)


@pytest.fixture(scope="module")
def made(annotations: dict[str, Path]) -> dict[str, TaskSet]:
    return {each.task: each for each in make(annotations, NAMES).tasks}


@pytest.mark.parametrize("name", NAMES)
def test_enough_questions_none_twice(name: str, made: dict[str, TaskSet]) -> None:
    assert made[name].refusal == ""
    samples = made[name].samples
    assert 500 <= len(samples) <= 520
    assert len({sample.id for sample in samples}) == len(samples)
    asked = {(s.video, s.question, frozenset(s.choices)) for s in samples}
    assert len(asked) == len(samples)


@pytest.mark.parametrize("name", NAMES)
def test_answers_and_positions_are_even(name: str, made: dict[str, TaskSet]) -> None:
    samples = made[name].samples
    n_choices = len(samples[0].choices)
    positions = Counter(sample.target for sample in samples)
    assert set(positions) == set(range(n_choices))
    assert max(positions.values()) - min(positions.values()) <= 1
    if name == "scene_transition":
        firsts = Counter(
            s.choices[s.target].split(" to ")[0].removeprefix("From ") for s in samples
        )
        seconds = Counter(s.choices[s.target].split(" to ")[1].rstrip(".") for s in samples)
        assert firsts == seconds  # every scene comes first as often as second
        return
    # The sentences of a localization block differ; their verbs and the clips' lengths do not.
    by_question = name != "action_localization"
    offered = Counter((s.question if by_question else "", c) for s in samples for c in s.choices)
    right = Counter((s.question if by_question else "", s.choices[s.target]) for s in samples)
    assert all(right[key] * n_choices == n for key, n in offered.items())


@pytest.mark.parametrize("name", NAMES)
def test_no_learned_model_beats_chance(name: str, made: dict[str, TaskSet]) -> None:
    inputs = [
        GateInput(
            each.sample,
            each.event.length_seconds,
            each.event.video_seconds,
            each.event.family,
            each.cell,
        )
        for each in made[name].questions
    ]
    settings = replace(SETTINGS, gate_learners=("logistic", "neighbours"))
    result = measure_giveaways(inputs, settings, rules=TASKS[name].rules)
    assert [row for row in result.rows if row.is_too_high] == []
    assert {row.predictor for row in result.rows} >= {
        "text: learned/logistic",
        "text: learned/neighbours",
    }


def test_seeds_reproduce_bytes(annotations: dict[str, Path], tmp_path: Path) -> None:
    names = ["action_sequence", "egocentric_sequence", "object_shuffle"]
    for folder, seed in (("first", 0), ("second", 0), ("other", 1)):
        write_generated(make(annotations, names, seed), tmp_path / folder, "1.0")
    files = {path.name: path.read_bytes() for path in (tmp_path / "first").rglob("*.*")}
    again = {path.name: path.read_bytes() for path in (tmp_path / "second").rglob("*.*")}
    other = {path.name: path.read_bytes() for path in (tmp_path / "other").rglob("*.*")}
    assert files == again
    assert files["questions.jsonl"] != other["questions.jsonl"]
    contents = read_contents(BENCHMARKS["tvbench"], tmp_path / "first")
    assert contents.bad_rows == ()
    ours = [json.loads(line) for line in files["questions.jsonl"].decode().splitlines()]
    read = {(s.task, s.video, s.question, s.choices, s.target) for s in contents.samples}
    assert len(read) == len(ours)
    assert read == {
        (
            row["task"],
            Video(row["video"], row["start_seconds"], row["end_seconds"]),
            row["question"],
            tuple(row["choices"]),
            row["choices"].index(row["answer"]),
        )
        for row in ours
    }


def test_the_order_of_the_files_is_of_no_account(
    annotations: dict[str, Path], tmp_path: Path
) -> None:
    source = annotations["svip"]
    for file in source.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    lines = (source / "test_split.txt").read_text().split("\n")
    (tmp_path / "test_split.txt").write_text("\n".join(reversed(lines)))
    task = [TASKS["egocentric_sequence"]]
    first = generate({"svip": source}, task, Mode.STRICT, 0, SETTINGS)
    second = generate({"svip": tmp_path}, task, Mode.STRICT, 0, SETTINGS)
    assert first.tasks[0].samples == second.tasks[0].samples
