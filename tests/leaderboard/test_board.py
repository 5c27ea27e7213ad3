"""Leaderboards: files that keep their entries as they are, and entries that can be checked."""

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError, SettingsError
from video_oasis.leaderboard.board import add_entries, lock_board, read_board, write_board
from video_oasis.leaderboard.entry import Entry, Score
from video_oasis.leaderboard.verify import check_entries
from video_oasis.report.leaderboard import write_leaderboard

SCORE = Score(
    n_samples=10, n=10, n_scored=8, n_unparsed=1, n_refused=0, n_error=1, n_missing=0,
    accuracy=0.75, accuracy_low=0.5, accuracy_high=0.9, chance=0.25, lower_bound=0.6,
)  # fmt: skip
ENTRY = Entry(
    model="m|odd",
    model_ids=("model1-m",),
    description={"backend": "openai", "temperature": 0.0},
    protocol={"diagnostic": "standard", "max_frames": None, "frames": {"max_frames": 128}},
    max_frames=128,
    set_name="distilled",
    set_id="set1-x",
    answers="read1-abc",
    overall=SCORE,
    mean_of_benchmarks=0.75,
    benchmarks={"bench": SCORE},
    version="0.1",
)
BETTER = replace(
    ENTRY, model="n", answers="read1-def", overall=replace(SCORE, accuracy=0.875, n_scored=10)
)


def test_a_board_reads_back_to_the_same_in_any_order(tmp_path: Path) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    write_board([ENTRY, BETTER], first)
    write_board([BETTER, ENTRY], second)
    assert first.read_bytes() == second.read_bytes()
    assert {each.id for each in read_board(first)} == {ENTRY.id, BETTER.id}


def test_entries_are_added_once_and_replaced_only_on_demand() -> None:
    assert add_entries([ENTRY], [ENTRY, BETTER], replace=False) == (ENTRY, BETTER)
    again = replace(ENTRY, answers="read1-other")
    with pytest.raises(SettingsError, match="give --replace"):
        add_entries([ENTRY, BETTER], [again], replace=False)
    assert add_entries([ENTRY, BETTER], [again], replace=True) == (again, BETTER)
    # Another set or another setting is another line.
    others = (
        replace(ENTRY, set_id="set1-y"),
        replace(ENTRY, protocol={}),
        replace(ENTRY, description={}),
    )
    for other in others:
        assert len(add_entries([ENTRY], [other], replace=False)) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "no leaderboard of ours"),
        ("{", "not JSON"),
        ('{"layout": "video-oasis leaderboard 1", "entries": 1}', "entries is 1"),
        ('{"layout": "video-oasis leaderboard 1", "entries": [{}]}', "entry 1: model: Field req"),
        ('{"layout": "video-oasis leaderboard 1", "entries": [3]}', "entry 1: Input should be"),
    ],
)
def test_files_that_are_no_leaderboard(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "board.json"
    file.write_text(text)
    with pytest.raises(SettingsError, match=message):
        read_board(file)


def test_an_entry_changed_by_hand_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    write_board([ENTRY], file)
    plain = json.loads(file.read_text())
    plain["entries"][0]["overall"]["n_scored"] = 10
    file.write_text(json.dumps(plain))
    with pytest.raises(SettingsError, match=r"entry 1 \(m\|odd on distilled\): its id is not"):
        read_board(file)


@pytest.mark.parametrize(
    ("part", "value", "message"),
    [
        ("accuracy", "high", r"entry 1: overall\.accuracy: Input should be a valid number"),
        ("n_scored", None, r"entry 1: overall\.n_scored: Input should be a valid integer"),
        ("chance", float("nan"), "entry 1: no canonical JSON"),
    ],
)
def test_numbers_that_are_none_are_refused(
    tmp_path: Path, part: str, value: Any, message: str
) -> None:
    file = tmp_path / "board.json"
    write_board([ENTRY], file)
    plain = json.loads(file.read_text())
    plain["entries"][0]["overall"][part] = value
    file.write_text(json.dumps(plain))
    with pytest.raises(SettingsError, match=message):
        read_board(file)


def test_two_entries_about_the_same_are_refused_unless_they_are_one(tmp_path: Path) -> None:
    file = tmp_path / "board.json"
    write_board([ENTRY, ENTRY], file)
    assert read_board(file) == (ENTRY,)
    write_board([ENTRY, replace(ENTRY, answers="read1-other")], file)
    with pytest.raises(SettingsError, match=r"entry 2 .*: an earlier entry is about the same"):
        read_board(file)


def test_one_who_adds_waits_for_another(tmp_path: Path) -> None:
    file = tmp_path / "boards/board.json"

    def add() -> None:
        with lock_board(file):
            write_board(add_entries(read_board(file), [BETTER], replace=False), file)

    adding = threading.Thread(target=add)
    with lock_board(file):
        adding.start()
        adding.join(timeout=0.2)
        assert adding.is_alive()
        write_board([ENTRY], file)
    adding.join()
    assert {each.id for each in read_board(file)} == {ENTRY.id, BETTER.id}


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"\.board\.json\.lock: cannot be written"):
        lock_board(tmp_path / "file/board.json").__enter__()
    (tmp_path / "board.json").mkdir()
    with pytest.raises(RunError, match=r"board\.json: cannot be written \(Is a directory\)"):
        write_board([ENTRY], tmp_path / "board.json")


def test_differences_from_a_run_are_named() -> None:
    near = replace(SCORE, accuracy_low=0.5011)
    assert check_entries([ENTRY], [replace(ENTRY, overall=near)])[0].differences == ()
    given = replace(
        ENTRY,
        max_frames=64,
        answers="read1-other",
        overall=replace(SCORE, n_scored=7, accuracy=0.7),
        benchmarks={"other": SCORE},
    )
    (check,) = check_entries([ENTRY], [given])
    assert check.is_known
    assert check.differences == (
        "max_frames: the entry says 128, the run gives 64",
        "answers: the entry says read1-abc, the run gives read1-other",
        "bench: only in the entry",
        "other: only in the run",
        "overall, n_scored: the entry says 8, the run gives 7",
        "overall, accuracy: the entry says 0.75, the run gives 0.7",
    )
    (check,) = check_entries([BETTER], [ENTRY])
    assert not check.is_known


def test_names_stay_names_in_titles_and_heads() -> None:
    entry = replace(ENTRY, set_name="<b>|set", benchmarks={"be|nch": SCORE})
    title, note, head = (
        line
        for line in write_leaderboard([entry]).splitlines()
        if line.startswith(("## ", "Set ", "| model"))
    )
    assert title == "## \\<b\\>\\|set, 10 samples"
    assert note.startswith("Set set1-x. Percent right")
    assert head.endswith("| mean of benchmarks | be\\|nch |")


def test_the_best_stands_first_in_a_table_for_each_set() -> None:
    other_set = replace(ENTRY, set_id="set1-y", set_name="original")
    text = write_leaderboard([ENTRY, BETTER, other_set])
    rows = [line for line in text.splitlines() if line.startswith(("| m\\", "| n", "## "))]
    assert rows[0] == "## distilled, 10 samples"
    assert rows[1].startswith(
        "| n | standard | read1-def | 128 | 10 of 10 | 87.5 \\[50.0, 90.0\\] | 60.0 | 75.0 | 75.0"
    )
    # Names cannot break out of the table.
    assert rows[2].startswith("| m\\|odd | standard | read1-abc | 128 | 8 of 10 | 75.0 ")
    assert rows[3] == "## original, 10 samples"
