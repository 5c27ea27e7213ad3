"""NTU file names, FunQA rows, label banks of procedures, scenes of films."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


def test_ntu_names_in_a_list(tmp_path: Path, read: Read) -> None:
    (tmp_path / "clips.txt").write_text(
        "S010C003P021R002A020_rgb.avi\t192\n"
        "S001C001P001R001A009\n"
        "S001C001P001R001.avi\n"
        "S001C001P001R001A010_rgb.avi\tlong\n"
        "S010C003P021R002A020_rgb.avi\t192\n"
    )
    (tmp_path / "actions.tsv").write_text("label\tname\nA009\tget up\nA020\tput on a hat\n")
    (first, second), bad = read("ntu", tmp_path)
    assert (first.setup, first.camera, first.person, first.repetition, first.action) == (
        10, 3, 21, 2, 20,
    )  # fmt: skip
    assert first.length_seconds == 6.4  # 192 frames, 30 a second
    assert first.action_names == {9: "get up", 20: "put on a hat"}
    assert second.length_seconds is None
    assert [(row.row, row.field, row.code) for row in bad] == [
        (3, "name", "value_unreadable"),
        (4, "frames", "value_unreadable"),
        (5, "key", "key_repeated"),
    ]


def test_ntu_names_of_clips_in_a_folder(tmp_path: Path, read: Read) -> None:
    (tmp_path / "clips").mkdir()
    for name in ("S001C001P001R001A009_rgb.avi", "holiday.mp4", "notes.md"):
        (tmp_path / "clips" / name).touch()
    (record,), (bad,) = read("ntu", tmp_path)
    assert record.video == "clips/S001C001P001R001A009_rgb.avi"
    assert bad.file == "clips/holiday.mp4"
    with pytest.raises(BenchmarkError, match="no clips"):
        read("ntu", tmp_path / "nothing")


def funqa_row(**changes: Any) -> dict[str, Any]:
    return {
        "instruction": "Find the moment.",
        "visual_input": "H_A_1_0500_0800.mp4",
        "output": "[0060,  0090]",
        "task": "H1",
        "ID": "test_1",
    } | changes


def test_funqa(tmp_path: Path, read: Read) -> None:
    rows = [
        funqa_row(),
        funqa_row(ID="test_2", task="H2", output="A cat jumps."),
        funqa_row(ID="test_3", output="[0290, 0302]"),
        funqa_row(ID="test_4", output="[0290, 0400]"),
        funqa_row(ID="test_5", output="[90, 60]"),
        funqa_row(ID="test_6", output="at the end"),
        funqa_row(ID="test_7", visual_input="H_A_1.mp4"),
        funqa_row(ID="test_1"),
    ]
    (tmp_path / "annotation.json").write_text(json.dumps(rows))
    (first, words, last), bad = read("funqa", tmp_path)
    assert first.length_seconds == 10.0  # 300 frames, 30 a second
    assert first.span_seconds == (2.0, 3.0)
    assert words.span_seconds is None
    assert last.span_seconds == (290 / 30, 10.0)  # two frames past the end are rounding
    assert [(row.id, row.field, row.code) for row in bad] == [
        ("test_4", "output", "range_wrong"),
        ("test_5", "output", "range_wrong"),
        ("test_6", "output", "value_unreadable"),
        ("test_7", "visual_input", "value_unreadable"),
        ("test_1", "key", "key_repeated"),
    ]


def test_procedures(tmp_path: Path, read: Read) -> None:
    (tmp_path / "label_bank.json").write_text(
        json.dumps({"1.1": ["take up the jug", "pour"], "1.2": [], "1.3": ["pour", 3]})
    )
    (tmp_path / "test_split.txt").write_text("ann.MP4 1.1\nbob.MP4 1.2\nann.MP4 1.1\ncid.MP4\n")
    (record,), bad = read("svip", tmp_path)
    assert record.video == "1.1/ann.MP4"
    assert record.steps == ("take up the jug", "pour")
    assert [(row.file, row.row, row.field, row.code) for row in bad] == [
        ("label_bank.json", 2, "1.2", "value_empty"),
        ("label_bank.json", 3, "1.3[1]", "value_unreadable"),
        ("test_split.txt", 2, "procedure", "key_unknown"),
        ("test_split.txt", 3, "key", "key_repeated"),
        ("test_split.txt", 4, "line", "value_unreadable"),
    ]


def test_scenes(tmp_path: Path, read: Read) -> None:
    rows = [
        {"video": "a.mp4", "scenes": ["the yard", "the hall.", "the roof"], "length": 31.5},
        {"video": "b.mp4", "answer": "From the yard to the hall."},
        {"video": "c.mp4", "scenes": ["the yard"]},
        {"video": "d.mp4", "answer": "It rains."},
        {"video": "a.mp4", "answer": "From the yard to the hall."},
        {"video": "e.mp4", "answer": "From the door to the lift to the yard."},
    ]
    (tmp_path / "scenes.json").write_text(json.dumps(rows))
    (first, second), bad = read("movqa", tmp_path)
    assert first.scenes == ("the yard", "the hall", "the roof")
    assert first.length_seconds == 31.5
    assert second.scenes == ("the yard", "the hall")
    assert [(row.id, row.field, row.code) for row in bad] == [
        ("c.mp4", "scenes", "value_empty"),
        ("d.mp4", "answer", "value_unreadable"),
        ("a.mp4", "key", "key_repeated"),
        ("e.mp4", "answer", "value_unreadable"),
    ]
