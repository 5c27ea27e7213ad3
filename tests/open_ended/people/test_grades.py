"""One grade, which grades stand, and their table."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError, SchemaError
from video_oasis.open_ended.people.grades import (
    GradeFile,
    PersonGrade,
    list_standing,
    parse_grade,
    to_frame,
)
from video_oasis.open_ended.people.sampling import ChosenPair, choose_pairs
from video_oasis.schema import OpenQuestion, SampleKey

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def grade(pair: str = "p1", reviewer: str = "ann", **changes: Any) -> PersonGrade:
    fields: dict[str, Any] = {
        "pair": pair, "benchmark": "open", "sample_id": "q1", "reviewer": reviewer,
        "correct": True, "score": None, "note": "", "made_at": NOON,
    }  # fmt: skip
    return PersonGrade(**fields | changes)


def take_back(pair: str = "p1", reviewer: str = "ann") -> PersonGrade:
    return grade(pair, reviewer, correct=None, takes_back=True)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"pair": ""}, "pair is empty"),
        ({"reviewer": " "}, "reviewer is empty"),
        ({"score": 6}, "score is 6; expected 0 to 5"),
        ({"score": -1}, "score is -1"),
        ({"correct": None, "score": 3}, "score is 3 and correct is not given"),
        ({"takes_back": True}, "takes_back is true; expected no grade"),
        ({"made_at": NOON.replace(tzinfo=None)}, "without a time zone"),
    ],
)
def test_a_grade_that_makes_no_sense_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        grade(**changes)


def test_the_latest_grade_of_a_pair_and_person_stands() -> None:
    first, bob = grade(score=5), grade(reviewer="bob", correct=None)
    second, other = grade(correct=False, score=0, note="no"), grade("p2", correct=False)
    assert list_standing([first, bob, second, other]) == (bob, second, other)
    # What is taken back uncovers what was before it.
    assert list_standing([first, second, take_back()]) == (first,)
    assert list_standing([first, second, take_back(), take_back(), bob]) == (bob,)
    assert list_standing([take_back(), first]) == (first,)


def test_the_file_gives_back_what_it_was_given(tmp_path: Path) -> None:
    file = GradeFile(tmp_path / "people" / "grades.jsonl")
    assert file.read() == ()
    made_at = NOON.astimezone(timezone(timedelta(hours=5)))
    grades = (grade(score=0, note="a\nb\u2028c", made_at=made_at), grade(correct=None), take_back())
    file.append(*grades)
    assert file.read() == grades
    assert grades[0].made_at.isoformat() == "2026-03-01T12:00:00+00:00"
    assert len({each.id for each in grades}) == 3
    assert replace(grades[0]).id == grades[0].id


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"correct": "yes"}, "correct is 'yes'; expected true or false, or null"),
        ({"correct": 1}, "correct is 1"),
        ({"score": 2.5}, "score is 2.5; expected a whole number, or null"),
        ({"score": True}, "score is True"),
        ({"takes_back": None}, "takes_back is None; expected true or false"),
        ({"note": None}, "note is None; expected text"),
        ({"made_at": "noon"}, "made_at is 'noon'; expected a time"),
        ({"model": "ant"}, "expected an object with the fields pair, benchmark"),
    ],
)
def test_a_row_that_is_no_grade_is_named(
    tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    row = grade().plain() | changes
    with pytest.raises(SchemaError, match=words):
        parse_grade(row)
    file = GradeFile(tmp_path / "grades.jsonl")
    file.append(grade())
    with file.path.open("a", encoding="utf-8") as handle:
        handle.write("[]\n")
    with pytest.raises(RunError, match=r"grades.jsonl line 2: found \[\]"):
        file.read()


@pytest.fixture
def chosen(make_table: Any, questions: Mapping[SampleKey, OpenQuestion]) -> list[ChosenPair]:
    table = make_table({f"p{number}": [("llm", True, 5.0)] for number in range(4)})
    return choose_pairs(table, 2, 0, questions)


def test_the_table_has_what_stands_of_the_chosen_pairs(chosen: list[ChosenPair]) -> None:
    pair, other = (each.pair for each in chosen)
    grades = [
        grade(pair, score=4), grade(pair, "bob", correct=False), grade(other, correct=None),
        grade("gone"), grade(pair, correct=False, score=1),
    ]  # fmt: skip
    table = to_frame(grades, chosen)
    assert table.rows(named=True) == [
        {"pair": pair, "reviewer": "bob", "correct": False, "score": None, "weight": 2.0},
        {"pair": other, "reviewer": "ann", "correct": None, "score": None, "weight": 2.0},
        {"pair": pair, "reviewer": "ann", "correct": False, "score": 1.0, "weight": 2.0},
    ]
    assert to_frame([], chosen).schema == table.schema
