"""CLEVRER's annotation files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


def scene(number: int = 1) -> dict[str, Any]:
    state = {
        "location": [1.0, 2.0, 0.2],
        "orientation": [0.0, 0.0, 0.5],
        "velocity": [3.0, 4.0, 0.1],
        "angular_velocity": [0.0, 0.0, 0.0],
    }
    return {
        "scene_index": number,
        "video_filename": f"video_{number:05d}.mp4",
        "object_property": [
            {"object_id": 0, "color": "red", "material": "metal", "shape": "cube"},
            {"object_id": 1, "color": "blue", "material": "rubber", "shape": "sphere"},
        ],
        "motion_trajectory": [
            {
                "frame_id": 0,
                "objects": [
                    {**state, "object_id": 0, "inside_camera_view": True},
                    {**state, "object_id": 1, "inside_camera_view": False},
                ],
            },
            {
                "frame_id": 127,
                "objects": [{**state, "object_id": 0, "inside_camera_view": True}],
            },
        ],
        "collision": [{"object_ids": [0, 1], "frame_id": 40, "location": [0.0, 0.0, 0.2]}],
    }


def write(folder: Path, name: str, value: object) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value))


def test_reads_a_scene(tmp_path: Path, read: Read) -> None:
    write(tmp_path, "annotation_00000-01000/annotation_00001.json", scene())
    (record,), bad = read("clevrer", tmp_path)
    assert bad == []
    assert record.video == "video_00001.mp4"
    assert record.objects[1].shape == "sphere"
    assert [frame.frame for frame in record.frames] == [0, 127]
    assert record.length_seconds == 128 / 25
    state = record.frames[0].states[0]
    assert state.location == (1.0, 2.0, 0.2)
    assert state.speed == 5.0  # 3 and 4 across; what falls does not count
    assert state.is_visible
    assert not record.frames[0].states[1].is_visible
    assert 1 not in record.frames[1].states
    assert record.collisions[0].object_ids == (0, 1)


def breaks(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    value = scene()
    change(value)
    return value


@pytest.mark.parametrize(
    ("value", "field", "code"),
    [
        (
            breaks(lambda s: s["object_property"][1].pop("color")),
            "object_property[1].color",
            "column_missing",
        ),
        (
            breaks(lambda s: s["motion_trajectory"][0]["objects"][1].update(velocity=[1.0])),
            "motion_trajectory[0].objects[1].velocity",
            "value_unreadable",
        ),
        (
            breaks(lambda s: s["motion_trajectory"][0]["objects"][0].update(object_id=7)),
            "motion_trajectory[0].objects[0].object_id",
            "key_unknown",
        ),
        (
            breaks(lambda s: s["motion_trajectory"][0]["objects"][0].update(object_id=1)),
            "motion_trajectory[0].objects[1].object_id",
            "key_repeated",
        ),
        (
            breaks(lambda s: s["motion_trajectory"].reverse()),
            "motion_trajectory",
            "order_wrong",
        ),
        (
            breaks(
                lambda s: s["motion_trajectory"][1]["objects"][0].update(inside_camera_view="yes")
            ),
            "motion_trajectory[1].objects[0].inside_camera_view",
            "value_unreadable",
        ),
        (breaks(lambda s: s.pop("collision")), "collision", "column_missing"),
        (
            breaks(
                lambda s: s["motion_trajectory"][0]["objects"][0].update(location=[10**400, 0, 0])
            ),
            "motion_trajectory[0].objects[0].location[0]",
            "value_unreadable",
        ),
    ],
)
def test_names_what_is_wrong(
    value: dict[str, Any], field: str, code: str, tmp_path: Path, read: Read
) -> None:
    write(tmp_path, "annotation_00001.json", value)
    write(tmp_path, "annotation_00002.json", scene(2))
    records, (bad,) = read("clevrer", tmp_path)
    assert [record.video for record in records] == ["video_00002.mp4"]
    assert (bad.benchmark, bad.file, bad.row) == ("clevrer", "annotation_00001.json", 1)
    assert (bad.field, bad.code) == (field, code)


def test_a_cut_file_does_not_stop_the_others(tmp_path: Path, read: Read) -> None:
    (tmp_path / "annotation_00001.json").write_text('{"video_filename": "vid')
    write(tmp_path, "annotation_00002.json", scene(2))
    write(tmp_path, "annotation_00003.json", scene(2))
    (tmp_path / "annotation_00004.json").write_text("1" * 5000)  # more digits than Python reads
    records, bad = read("clevrer", tmp_path)
    assert len(records) == 1
    assert [(row.file, row.code) for row in bad] == [
        ("annotation_00001.json", "file_unreadable"),
        ("annotation_00003.json", "key_repeated"),
        ("annotation_00004.json", "file_unreadable"),
    ]
