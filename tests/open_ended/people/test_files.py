"""The file of chosen answers."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError
from video_oasis.open_ended.people.files import PeopleFiles, read_chosen, write_chosen
from video_oasis.open_ended.people.sampling import choose_pairs
from video_oasis.schema import OpenQuestion, SampleKey


@pytest.fixture
def chosen(make_table: Any, questions: Mapping[SampleKey, OpenQuestion]) -> Any:
    table = make_table({"p1": [("llm", True, 5.0)], "p2": [], "p3": [("llm", False, 0.0)]})
    files = {("open", "a.mp4"): Path("/videos/ä b.mp4")}
    return choose_pairs(table, 2, 0, questions, files=files)


def test_the_file_gives_back_what_was_written(tmp_path: Path, chosen: Any) -> None:
    file = PeopleFiles(tmp_path / "run").sample
    assert read_chosen(file) == ()
    write_chosen(file, chosen)
    assert read_chosen(file) == tuple(chosen)
    write_chosen(file, chosen[:1])
    assert read_chosen(file) == tuple(chosen[:1])
    row = json.loads(file.read_text(encoding="utf-8"))
    assert (row["file"], row["stratum"], row["weight"]) == ("/videos/ä b.mp4", "yes", 1.0)
    assert row["chance"] == 1.0
    assert row["video"]["start_seconds"] == 1.0


@pytest.mark.parametrize(
    "changes",
    [{"weight": 0}, {"chance": 0}, {"stratum": "maybe"}, {"video": None}, {"model": "ant"}],
)
def test_a_line_that_is_no_chosen_answer_is_named(
    tmp_path: Path, chosen: Any, changes: dict[str, Any]
) -> None:
    file = PeopleFiles(tmp_path).sample
    write_chosen(file, chosen)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    rows[1] |= changes
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with pytest.raises(RunError, match=r"sample.jsonl line 2: no chosen answer") as found:
        read_chosen(file)
    # Choosing anew reads the file, too.
    assert "Move the file away and choose anew" in str(found.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    file = PeopleFiles(tmp_path).sample
    file.parent.mkdir()
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(RunError, match=r"sample.jsonl: cannot be read .* Move the file away"):
        read_chosen(file)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path, chosen: Any) -> None:
    (tmp_path / "people").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be written"):
        write_chosen(PeopleFiles(tmp_path).sample, chosen)
