"""Perception Test's files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


def video(**changes: Any) -> dict[str, Any]:
    return {
        "metadata": {
            "split": "valid",
            "video_id": "video_7",
            "frame_rate": 29.97,
            "num_frames": 999,
            "is_cup_game": True,
            "is_camera_moving": False,
        },
        "object_tracking": [
            {"id": 0, "label": "cup", "is_occluder": True},
            {"id": 1, "label": "coin", "is_occluder": False},
            {"id": 2, "label": "cup", "is_occluder": True},
        ],
        "action_localisation": [
            {"id": 0, "label": "Lifting something", "timestamps": [1500000, 2250000]}
        ],
        "mc_question": [
            {
                "id": 4,
                "question": "How many lifts are there?",
                "options": ["2", "3", "4"],
                "answer_id": 1,
                "area": "Memory",
                "reasoning": "Descriptive",
                "tag": ["action counting"],
            }
        ],
    } | changes


def question(**changes: Any) -> dict[str, Any]:
    return dict(video()["mc_question"][0]) | changes


def write(folder: Path, **videos: Any) -> None:
    (folder / "all_valid.json").write_text(json.dumps(videos))


def test_reads_questions_with_their_video(tmp_path: Path, read: Read) -> None:
    write(tmp_path, video_7=video())
    (record,), bad = read("perception-test", tmp_path)
    assert bad == []
    assert record.id == "4"
    assert record.options == ("2", "3", "4")
    assert record.target == 1
    assert record.video.video == "video_7.mp4"
    assert record.video.length_seconds == pytest.approx(999 / 29.97)
    assert record.video.is_cup_game
    assert record.video.n_occluders == 2
    (action,) = record.video.actions
    assert (action.start_seconds, action.end_seconds) == (1.5, 2.25)


def test_questions_may_come_without_tracks(tmp_path: Path, read: Read) -> None:
    plain = video()
    del plain["object_tracking"], plain["action_localisation"]
    write(tmp_path, video_7=plain)
    (record,), _ = read("perception-test", tmp_path)
    assert record.video.n_occluders is None


def test_names_bad_questions_and_keeps_the_others(tmp_path: Path, read: Read) -> None:
    write(
        tmp_path,
        video_7=video(
            mc_question=[
                question(id=1, answer_id=3),
                question(id=2, options=["2", "2", "3"]),
                question(id=3, question=""),
                question(id=5),
                question(id=5, question="The same id again?"),
            ]
        ),
        video_8=video(metadata={"frame_rate": 0, "num_frames": 10}),
        video_9=video(action_localisation=[{"label": "Lifting", "timestamps": [5, 2]}]),
    )
    records, bad = read("perception-test", tmp_path)
    assert [record.id for record in records] == ["5"]
    assert [(row.row, row.id, row.field, row.code) for row in bad] == [
        (1, "video_7/1", "mc_question[0].answer_id", "target_out_of_range"),
        (1, "video_7/2", "mc_question[1].options", "options_repeat"),
        (1, "video_7/3", "mc_question[2].question", "value_unreadable"),
        (1, "video_7/5", "key", "key_repeated"),
        (2, "video_8", "metadata.frame_rate", "value_unreadable"),
        (3, "video_9", "action_localisation[0].timestamps", "range_wrong"),
    ]


def test_a_list_is_another_format(tmp_path: Path, read: Read) -> None:
    (tmp_path / "all.json").write_text("[]")
    with pytest.raises(BenchmarkError, match="a member for each video"):
        read("perception-test", tmp_path)
