"""Decisions of people, from the review list into the assignments."""

import csv
import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from video_oasis.categorization.decisions import Decided, DecisionFiles, write_review
from video_oasis.categorization.opinions import Opinion
from video_oasis.errors import RunError, SettingsError
from video_oasis.schema import Sample, Status
from video_oasis.taxonomy.category import Category, Taxonomy
from video_oasis.taxonomy.votes import AssignedSample, Outcome, Vote

MakeSample = Callable[..., Sample]
KNOWN = {("bench", "1"), ("bench", "2"), ("bench", "3")}
VOTES = (Vote("m", "Order", Status.OK), Vote("n", None, Status.UNPARSED, "empty"))


@pytest.fixture
def files(tmp_path: Path, make_sample: MakeSample) -> DecisionFiles:
    """A review list of three samples."""
    samples = [make_sample(id=name, question='Who says "a, b"?\nWho?') for name in ("1", "2", "3")]
    rows = [
        AssignedSample("bench", each.id, each.task, None, Outcome.SPLIT, VOTES) for each in samples
    ]
    found = DecisionFiles(tmp_path)
    found.review.write_bytes(write_review(rows, {("bench", each.id): each for each in samples}))
    return found


def fill(files: DecisionFiles, categories: dict[str, str]) -> None:
    with files.review.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["category"] = categories.get(row["sample_id"], "")
    with files.review.open("w", newline="", encoding="utf-8-sig") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_the_list_shows_what_a_person_needs(files: DecisionFiles) -> None:
    with files.review.open(newline="", encoding="utf-8") as file:
        first = next(csv.DictReader(file))
    assert first == {
        "benchmark": "bench",
        "sample_id": "1",
        "category": "",
        "votes": "m: Order; n: unparsed",
        "task": "order",
        "question": 'Who says "a, b"?\nWho?',
        "options": "washes the pan | lights the stove | cuts an onion | opens a tin",
    }


def test_filled_rows_are_kept_before_the_list_is_written_again(
    files: DecisionFiles, taxonomy: Taxonomy
) -> None:
    assert files.take_in(taxonomy, KNOWN) == Decided({}, ())
    assert not files.opinions.path.exists()
    fill(files, {"1": "Place", "3": " reason "})
    expected = {("bench", "1"): "Place", ("bench", "3"): "Reason"}
    assert files.take_in(taxonomy, KNOWN) == Decided(expected, ())
    rows = [json.loads(line) for line in files.opinions.path.read_text().splitlines()]
    assert [(row["sample_id"], row["category"], row["reviewer"]) for row in rows] == [
        ("1", "Place", ""),
        ("3", "Reason", ""),
    ]
    # Taken in again, or without the list, nothing is added.
    assert files.take_in(taxonomy, KNOWN) == Decided(expected, ())
    files.review.unlink()
    assert files.take_in(taxonomy, KNOWN) == Decided(expected, ())
    assert len(files.opinions.read()) == 2


def test_a_later_decision_replaces_an_earlier_one(files: DecisionFiles, taxonomy: Taxonomy) -> None:
    fill(files, {"1": "Place"})
    files.take_in(taxonomy, KNOWN)
    fill(files, {"1": "Order"})
    assert files.take_in(taxonomy, KNOWN) == Decided({("bench", "1"): "Order"}, ())


def test_people_must_agree_and_the_list_settles_it(
    files: DecisionFiles, taxonomy: Taxonomy
) -> None:
    def say(sample_id: str, reviewer: str, category: str | None) -> None:
        now = datetime.now(UTC)
        files.opinions.append(Opinion("bench", sample_id, category, reviewer, "", now))

    for reviewer in ("ann", "bob"):
        say("1", reviewer, "Place")
    say("2", "ann", "Place")
    say("2", "bob", "Order")
    say("3", "ann", "Order")
    say("3", "ann", "Place")
    agreed = {("bench", "1"): "Place", ("bench", "3"): "Place"}
    assert files.take_in(taxonomy, KNOWN) == Decided(agreed, (("bench", "2"),))
    # The latest is taken back: the one before it stands, and then none.
    say("3", "ann", None)
    assert files.take_in(taxonomy, KNOWN).categories["bench", "3"] == "Order"
    say("3", "ann", None)
    say("3", "ann", None)
    assert files.take_in(taxonomy, KNOWN) == Decided({("bench", "1"): "Place"}, (("bench", "2"),))
    fill(files, {"2": "Reason"})
    settled = {("bench", "1"): "Place", ("bench", "2"): "Reason"}
    assert files.take_in(taxonomy, KNOWN) == Decided(settled, ())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"category": 3}, "category is 3; expected text"),
        ({"reviewer": None}, "reviewer is None; expected text"),
        ({"made_at": "noon"}, "made_at is 'noon'; expected a time"),
        ({"more": ""}, "expected an object with the fields benchmark, sample_id, category"),
    ],
)
def test_a_line_that_is_no_opinion_is_named(
    files: DecisionFiles, taxonomy: Taxonomy, changes: dict[str, Any], message: str
) -> None:
    good = Opinion("bench", "1", "Place", "ann", "", datetime.now(UTC))
    files.opinions.append(good)
    assert files.opinions.read() == (good,)
    line = json.dumps(good.plain() | changes)
    files.opinions.path.write_text(f"{json.dumps(good.plain())}\n{line}\n")
    with pytest.raises(RunError, match=rf"decided\.jsonl line 2: .*{message}"):
        files.take_in(taxonomy, KNOWN)


def test_a_category_that_is_none_is_refused_with_its_line(
    files: DecisionFiles, taxonomy: Taxonomy
) -> None:
    fill(files, {"1": "Place", "2": "Plaice"})
    # The questions take two lines each, so sample 2 is on the third record.
    with pytest.raises(SettingsError, match=r"review\.csv row 3 \(2\): category is 'Plaice'"):
        files.take_in(taxonomy, KNOWN)
    assert not files.opinions.path.exists()


def test_a_sample_that_is_none_is_refused_with_its_line(
    files: DecisionFiles, taxonomy: Taxonomy
) -> None:
    # A spreadsheet made 1 of 001.
    fill(files, {"1": "Place"})
    known = {("bench", "001"), ("bench", "2"), ("bench", "3")}
    with pytest.raises(SettingsError, match=r"row 2 \(1\): the run has no such sample of bench"):
        files.take_in(taxonomy, known)
    fill(files, {"2": "Place"})
    assert files.take_in(taxonomy, known).categories == {("bench", "2"): "Place"}


def test_questions_are_no_formulas(make_sample: MakeSample) -> None:
    sample = make_sample(question='=HYPERLINK("x")', choices=("-1", "+1"), target=0)
    row = AssignedSample("bench", "s1", "@task", None, Outcome.SPLIT, VOTES)
    text = write_review([row], {("bench", "s1"): sample}).decode()
    (found,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (found["question"], found["options"], found["task"], found["votes"]) == (
        "'=HYPERLINK(\"x\")", "'-1 | +1", "'@task", "m: Order; n: unparsed",
    )  # fmt: skip


def test_another_taxonomy_leaves_what_was_decided_alone(
    files: DecisionFiles, taxonomy: Taxonomy
) -> None:
    fill(files, {"1": "Place"})
    files.take_in(taxonomy, KNOWN)
    files.review.unlink()
    other = Taxonomy((Category("This", "x"), Category("That", "y")))
    assert files.take_in(other, KNOWN) == Decided({("bench", "1"): "Place"}, ())


def test_files_of_another_form_are_refused(files: DecisionFiles, taxonomy: Taxonomy) -> None:
    files.review.write_text("a;b\n1;2\n")
    with pytest.raises(SettingsError, match=r"review\.csv: no column benchmark, category, sample"):
        files.take_in(taxonomy, KNOWN)
    files.review.write_bytes(b"\xff\xfe")
    with pytest.raises(RunError, match=r"review\.csv: cannot be read as CSV"):
        files.take_in(taxonomy, KNOWN)
