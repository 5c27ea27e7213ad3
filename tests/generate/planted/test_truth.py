"""The file of truth is read as it was written, and every fault of it is named."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import BenchmarkError
from video_oasis.generate.planted.truth import (
    Evidence,
    PlantedKind,
    PlantedSample,
    read_truth,
    write_truth,
)

SAMPLE = PlantedSample(
    sample_id="native-direction-0001",
    kind=PlantedKind.NATIVE,
    variant="direction",
    evidence=(Evidence.ORDER,),
    frames=(),
    acceptable=("upward",),
    solved_by=("standard",),
    may_solve=(),
    flagged_by=(),
)


def write_rows(folder: Path, *changes: dict[str, Any]) -> None:
    rows = [json.dumps(asdict(SAMPLE) | change) for change in changes]
    (folder / "truth.jsonl").write_text("".join(f"{row}\n" for row in rows))


def test_truth_comes_back_as_it_went(tmp_path: Path) -> None:
    assert write_truth([SAMPLE], tmp_path) == tmp_path / "truth.jsonl"
    assert read_truth(tmp_path) == (SAMPLE,)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sample_id": ""}, r"line 2: sample_id is ''"),
        ({"kind": "hearing"}, r"line 2: kind has 'hearing'; expected blind, audio"),
        ({"variant": None}, r"line 2: variant is None"),
        ({"evidence": ["smell"]}, r"line 2: evidence has 'smell'"),
        ({"frames": [1, "2"]}, r"line 2: frames is \[1, '2'\]; expected a list of whole numbers"),
        ({"frames": [True]}, r"line 2: frames is \[True\]"),
        ({"acceptable": "upward"}, r"line 2: acceptable is 'upward'; expected a list of texts"),
        ({"solved_by": ["blnd"]}, r"line 2: solved_by has 'blnd'; expected blind"),
        ({"flagged_by": ["order"]}, r"line 2: flagged_by has 'order'; expected consistency"),
        ({}, r"line 2: sample 'native-direction-0001' stands in an earlier line"),
    ],
)
def test_a_bad_row_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    write_rows(tmp_path, {}, {"sample_id": "other"} | change if change else {})
    with pytest.raises(BenchmarkError, match=message):
        read_truth(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", r"line 1: no JSON"),
        ("[1]", r"line 1: '\[1\]'; expected an object"),
        ("", "it is empty"),
    ],
)
def test_a_file_that_is_none_is_named(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "truth.jsonl").write_text(content)
    with pytest.raises(BenchmarkError, match=message):
        read_truth(tmp_path)


def test_a_folder_without_truth_is_named(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="expected the truth of a calibration set"):
        read_truth(tmp_path)
