"""One judgement: its rules, its plain form and its id."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from video_oasis.analysis import ambiguity
from video_oasis.errors import SchemaError
from video_oasis.judgements.judgement import CHECKS, Judgement
from video_oasis.judgements.rows import FIELDS, parse_judgement

Judge = Callable[..., Judgement]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sample_id": " "}, "sample_id is empty"),
        ({"reviewer": ""}, "reviewer is empty"),
        ({"reviewer": "ann "}, "reviewer is 'ann '"),
        ({"check": "taste"}, "check is 'taste'; expected consistency"),
        ({"choice": 1}, "choice is 1 and the decision 'keep'"),
        ({"made_at": datetime(2026, 11, 30)}, "without a time zone"),
        ({"made_at": datetime.min.replace(tzinfo=timezone(timedelta(hours=9)))}, "expected a time"),
    ],
)
def test_a_field_that_breaks_its_rule_is_named(
    judge: Judge, changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        replace(judge(), **changes)


def test_other_needs_a_note_and_correct_a_choice(judge: Judge) -> None:
    with pytest.raises(SchemaError, match="note is empty"):
        judge("other", note=" ")
    with pytest.raises(SchemaError, match="choice is None"):
        judge("correct")
    with pytest.raises(SchemaError, match="choice is -1"):
        judge("correct", choice=-1)
    assert judge("other", note="sound only").note == "sound only"


def test_one_moment_in_two_time_zones_is_one_judgement(judge: Judge) -> None:
    here = judge()
    there = replace(here, made_at=here.made_at.astimezone(timezone(timedelta(hours=5.5))))
    assert there == here
    assert there.id == here.id
    assert there.made_at.tzinfo is UTC


def test_every_field_is_part_of_the_id(judge: Judge) -> None:
    others = [
        judge(benchmark="other"), judge(sample="s2"), judge(reviewer="bob"), judge(minute=1),
        judge(check="redundancy"), judge("skip"), judge(note="hm"), judge("correct", choice=0),
        judge("correct", choice=1),
    ]  # fmt: skip
    assert len({each.id for each in [judge(), *others]}) == 10


def test_the_plain_form_reads_back(judge: Judge) -> None:
    made = judge("correct", choice=2, note="é\n", check="sensitivity")
    assert tuple(made.plain()) == FIELDS
    assert made.plain()["made_at"] == "2026-11-30T09:00:00.000000+00:00"
    assert parse_judgement(made.plain()) == made


def test_optional_fields_may_be_left_out_and_whole_floats_are_indices(judge: Judge) -> None:
    row = {
        "benchmark": "bench",
        "sample_id": "s1",
        "reviewer": "ann",
        "decision": "keep",
        "made_at": "2026-11-30T10:00:00+01:00",
    }
    assert parse_judgement(row) == judge()
    assert parse_judgement(row | {"decision": "correct", "choice": 2.0}) == judge(
        "correct", choice=2
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decision": "maybe"}, "decision is 'maybe'; expected keep, wrong_label"),
        ({"decision": None}, "decision is None; expected text"),
        ({"made_at": "yesterday"}, "made_at is 'yesterday'"),
        ({"choice": True}, "choice is True"),
        ({"choice": 1.5}, "choice is 1.5"),
        ({"colour": "red"}, "colour: no such field"),
    ],
)
def test_a_bad_row_says_which_field(judge: Judge, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SchemaError, match=message):
        parse_judgement(judge().plain() | changes)


def test_a_row_that_lacks_a_field_or_is_none_says_so(judge: Judge) -> None:
    row = judge().plain()
    del row["reviewer"]
    with pytest.raises(SchemaError, match="reviewer: the field is missing"):
        parse_judgement(row)
    with pytest.raises(SchemaError, match="expected an object"):
        parse_judgement([1])


def test_the_checks_are_those_of_the_machine() -> None:
    assert set(CHECKS) == {ambiguity.CONSISTENCY, ambiguity.REDUNDANCY, ambiguity.SENSITIVITY}
