"""A question's row keeps everything published about it, and a set is never written over others."""

from pathlib import Path

import pytest

from video_oasis.errors import SettingsError
from video_oasis.generate.tvbench.files import to_question_row
from video_oasis.generate.tvbench.out_folder import check_folder
from video_oasis.schema import Sample, Video


def test_published_columns_stay_and_take_no_name_of_ours() -> None:
    sample = Sample(
        id="q1",
        benchmark="b",
        video=Video("v.mp4", 1.0, 2.0, duration_seconds=9.5),
        question="How often?",
        choices=("2", "3"),
        target=1,
        task="count",
        metadata={"answer": "B", "choices": "3|4", "film": "yes"},
    )
    assert to_question_row(sample) == {
        "id": "q1",
        "task": "count",
        "video": "v.mp4",
        "start_seconds": 1.0,
        "end_seconds": 2.0,
        "duration_seconds": 9.5,
        "question": "How often?",
        "choices": ["2", "3"],
        "answer": "3",
        "original_answer": "B",
        "original_choices": "3|4",
        "film": "yes",
    }


def test_a_folder_is_new_empty_or_an_earlier_set(tmp_path: Path) -> None:
    check_folder(tmp_path / "new", "mark.json")
    (tmp_path / ".hidden").touch()
    check_folder(tmp_path, "mark.json")
    (tmp_path / "thesis.md").touch()
    with pytest.raises(SettingsError, match=r"has 'thesis.md' and no mark.json"):
        check_folder(tmp_path, "mark.json")
    with pytest.raises(SettingsError, match="is a file"):
        check_folder(tmp_path / "thesis.md", "mark.json")
    (tmp_path / "mark.json").touch()
    check_folder(tmp_path, "mark.json")
