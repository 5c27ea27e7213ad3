"""The released TVBench beside what is derived from excerpts of its sources, and before the gate."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.benchmarks import BENCHMARKS
from video_oasis.benchmarks.loading import read_contents
from video_oasis.generate.sources import SOURCES
from video_oasis.generate.tvbench.draws import Draws
from video_oasis.generate.tvbench.gate import GateInput, measure_giveaways
from video_oasis.generate.tvbench.interface import Event, Mode
from video_oasis.generate.tvbench.settings import TVBenchSettings
from video_oasis.generate.tvbench.tasks import TASKS

Rows = list[dict[str, Any]]


@pytest.fixture(scope="session")
def released(shared_data: Path) -> Callable[[str], Rows]:
    """Read the released rows of a task."""

    def read(task: str) -> Rows:
        rows: Rows = json.loads(
            (shared_data / "annotations" / "tvbench" / "json" / f"{task}.json").read_text()
        )
        return rows

    return read


def derive(task: str, source: str, folder: Path) -> list[Event]:
    return [
        found
        for record in SOURCES[source].read(folder)
        for found in TASKS[task].find[source](
            record, TVBenchSettings(), Mode.FAITHFUL, Draws(0, task)
        )
        if isinstance(found, Event)
    ]


def test_localization_windows(
    shared_data: Path, tmp_path: Path, released: Callable[[str], Rows]
) -> None:
    lines = (shared_data / "sources" / "charades_sta_test_excerpt.txt").read_text()
    (tmp_path / "charades_sta.txt").write_text(lines)
    videos = sorted({line.split()[0] for line in lines.splitlines() if line})
    # Lengths are published for few of these videos; all released windows lie inside.
    table = "".join(f"{video},,100\n" for video in videos)
    (tmp_path / "Charades.csv").write_text(f"id,actions,length\n{table}")
    derived = {
        (e.video, e.slots[0], e.start_seconds, e.end_seconds, e.choices[e.target])
        for e in derive("action_localization", "charades-sta", tmp_path)
    }
    rows = released("action_localization")
    assert len(rows) == 160
    for row in rows:
        sentence = re.search(r"'(.*)'", row["question"])
        assert sentence is not None
        start, end = round(row["start"], 3), round(row["end"], 3)
        assert (row["video"], sentence[1].rstrip("."), start, end, row["answer"]) in derived


def test_procedures(shared_data: Path, tmp_path: Path, released: Callable[[str], Rows]) -> None:
    bank = shared_data / "sources" / "svip_csv_label_bank_tasks1-5.json"
    (tmp_path / "label_bank.json").write_bytes(bank.read_bytes())
    rows = released("egocentric_sequence")
    lines = sorted({"{1} {0}".format(*row["video"].split("/")) for row in rows})
    (tmp_path / "split.txt").write_text("\n".join(lines))
    derived = {e.video: e for e in derive("egocentric_sequence", "svip", tmp_path)}
    assert len(rows) == 200
    for row in rows:
        event = derived[row["video"]]
        assert event.choices[event.target] == row["answer"]


def test_antonyms(shared_data: Path, tmp_path: Path, released: Callable[[str], Rows]) -> None:
    actions = shared_data / "sources" / "ntu_actions_A001-A120.tsv"
    (tmp_path / "actions.tsv").write_bytes(actions.read_bytes())
    rows = released("action_antonym")
    lines = [f"{row['video']}\t{row['video_length']}" for row in rows]
    (tmp_path / "clips.txt").write_text("\n".join(lines))
    derived = {e.video: e for e in derive("action_antonym", "ntu", tmp_path)}
    for row in rows:
        event = derived[row["video"]]
        assert event.choices[event.target].lower() == row["answer"].lower()
        assert {each.lower() for each in event.choices} == {
            each.lower() for each in row["candidates"]
        }


def test_counts_of_moving_objects(shared_data: Path, tmp_path: Path) -> None:
    for number in ("10000", "11000"):
        name = f"annotation_{number}"
        excerpt = shared_data / "sources" / f"clevrer_{name}_excerpt.json"
        (tmp_path / f"{name}.json").write_bytes(excerpt.read_bytes())
    derived = {(e.video, e.key): e for e in derive("object_count", "clevrer", tmp_path)}
    event = derived["video_10000.mp4", "objects ends"]
    assert event.choices[event.target] == "3"  # as CLEVRER's own question has it


@pytest.mark.parametrize(
    ("task", "learners", "is_open"),
    [
        ("action_sequence", (), False),
        ("egocentric_sequence", (), False),
        ("unexpected_action", ("neighbours",), False),
        ("action_count", ("neighbours",), False),
        ("moving_direction", ("neighbours",), True),
        ("object_shuffle", ("neighbours",), True),
    ],
)
def test_the_gate(task: str, learners: tuple[str, ...], is_open: bool, shared_data: Path) -> None:
    contents = read_contents(BENCHMARKS["tvbench"], shared_data / "annotations" / "tvbench")
    inputs = [GateInput(sample) for sample in contents.samples if sample.task == task]
    settings = TVBenchSettings(gate_learners=learners, gate_permutations=15)
    result = measure_giveaways(inputs, settings, rules=TASKS[task].rules)
    assert result.is_open is is_open
