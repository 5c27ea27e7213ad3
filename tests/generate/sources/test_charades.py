"""Charades' tables, and Charades-STA's lines with their lengths."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


def test_reads_actions_with_their_times(tmp_path: Path, read: Read) -> None:
    (tmp_path / "Charades_v1_classes.txt").write_text("c001 Putting a box somewhere\n")
    (tmp_path / "Charades_v1_test.csv").write_text(
        "id,subject,actions,length\n"
        "AB12C,S1,c001 2.00 5.50;c077 0.00 31.00,30.5\n"
        "QUIET,S1,,12\n"
        "WRONG,S1,c001 5.50,12\n"
        "LATER,S1,c001 5.50 2.00,12\n"
        "NOLEN,S1,,\n"
        "QUIET,S1,,12\n"
    )
    records, bad = read("charades", tmp_path)
    assert [record.id for record in records] == ["AB12C", "QUIET"]
    assert [(a.name, a.start_seconds, a.end_seconds) for a in records[0].actions] == [
        ("Putting a box somewhere", 2.0, 5.5),
        ("c077", 0.0, 31.0),
    ]
    assert records[0].length_seconds == 30.5
    assert [(row.row, row.id, row.field, row.code) for row in bad] == [
        (3, "WRONG", "actions", "value_unreadable"),
        (4, "LATER", "actions", "range_wrong"),
        (5, "NOLEN", "length", "value_empty"),
        (6, "QUIET", "key", "key_repeated"),
    ]


def test_reads_sentences_with_lengths_of_their_videos(tmp_path: Path, read: Read) -> None:
    (tmp_path / "Charades_v1_test.csv").write_text("id,actions,length\nAB12C,,30.5\n")
    (tmp_path / "charades_sta_test.txt").write_text(
        "AB12C 2.0 5.5##a person opens a box.\n"
        "AB12C 20.0 31.0##a person closes a box.\n"
        "\n"
        "ZZZZZ 2.0 5.5##a person opens a box.\n"
        "AB12C 5.5 2.0##a person opens a box.\n"
        "AB12C 2.0 5.5 a person opens a box.\n"
        "AB12C 2.0 40.0##a person opens a box.\n"
        "AB12C 2.0 5.5##a person opens a box.\n"
    )
    records, bad = read("charades-sta", tmp_path)
    first, second = records
    assert first.video == "AB12C.mp4"
    assert first.sentence == "a person opens a box"
    assert (first.start_seconds, first.end_seconds) == (2.0, 5.5)
    assert first.others == (("a person closes a box", 20.0, 31.0),)
    assert second.end_seconds == 30.5  # published half a second past the end of the video
    assert [(row.row, row.field, row.code) for row in bad] == [
        (4, "video", "length_missing"),
        (5, "times", "range_wrong"),
        (6, "line", "value_unreadable"),
        (7, "times", "range_wrong"),
        (8, "key", "key_repeated"),
    ]


def test_real_lines(shared_data: Path, tmp_path: Path, read: Read) -> None:
    sources = shared_data / "sources"
    for name in ("charades_sta_test_excerpt.txt", "Charades_v1_test_excerpt.csv"):
        (tmp_path / name).write_bytes((sources / name).read_bytes())
    records, bad = read("charades-sta", tmp_path)
    assert len(records) == 25  # lengths of so many videos are in the excerpt
    assert {row.code for row in bad} == {"length_missing"}
    assert len(records) + len(bad) == 200
    assert records[0].length_seconds == pytest.approx(41.25)
