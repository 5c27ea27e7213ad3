"""STAR's question files."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


def question(**changes: Any) -> dict[str, Any]:
    return {
        "question_id": "Sequence_T3_1",
        "question": "What happened after the person took the towel?",
        "video_id": "AB12C",
        "start": 2.5,
        "end": 14.0,
        "answer": "Opened the window.",
        "question_program": [],
        "choices": [
            {"choice_id": 0, "choice": "Opened the window.", "choice_program": []},
            {"choice_id": 1, "choice": "Closed the book.", "choice_program": []},
        ],
        "situations": {
            "000120": {"rel_pairs": [], "actions": ["a027", "a001"], "bbox": []},
            "000090": {"rel_pairs": [], "actions": ["a027"], "bbox": []},
        },
    } | changes


def write(folder: Path, *questions: object) -> None:
    (folder / "STAR_val.json").write_text(json.dumps(questions))


def test_reads_questions(tmp_path: Path, read: Read) -> None:
    write(tmp_path, question())
    (tmp_path / "action_classes.txt").write_text("a027 take a towel/s from somewhere\n")
    (record,), bad = read("star", tmp_path)
    assert bad == []
    assert record.video == "AB12C.mp4"
    assert (record.start_seconds, record.end_seconds) == (2.5, 14.0)
    assert record.choices == ("Opened the window.", "Closed the book.")
    assert record.frames_of_action == {
        "take a towel/s from somewhere": (90, 120),
        "a001": (120,),
    }


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"end": 2.5}, "end", "range_wrong"),
        ({"start": -1}, "start", "value_unreadable"),
        ({"answer": "Slept."}, "answer", "target_unknown"),
        ({"choices": [{"choice_id": 0}]}, "choices[0].choice", "column_missing"),
        ({"situations": {"first": {"actions": []}}}, "situations.first", "value_unreadable"),
        ({"situations": {"000001": {"actions": [7]}}}, "situations.000001.actions[0]",
         "value_unreadable"),
        ({"question_id": "Sequence_T3_2"}, "key", "key_repeated"),
    ],
)  # fmt: skip
def test_names_what_is_wrong(
    changes: dict[str, Any], field: str, code: str, tmp_path: Path, read: Read
) -> None:
    write(tmp_path, question(question_id="Sequence_T3_2"), question(**changes))
    records, (bad,) = read("star", tmp_path)
    assert len(records) == 1
    assert (bad.file, bad.row, bad.field, bad.code) == ("STAR_val.json", 2, field, code)


def test_a_line_of_classes_that_is_none(tmp_path: Path, read: Read) -> None:
    write(tmp_path, question())
    (tmp_path / "action_classes.txt").write_text("a001 put a box\nput a bag\n")
    with pytest.raises(BenchmarkError, match=r"action_classes\.txt line 2.*put a bag"):
        read("star", tmp_path)
