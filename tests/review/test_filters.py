"""Which sample comes next, for whom, and how far they are."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.review.filters import Filters, Progress, Selection
from video_oasis.review.ledger import Ledger

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
Select = Callable[..., Selection]


@pytest.fixture
def select(made_run: Any, tmp_path: Path) -> Select:
    """Look at the run as a reviewer, after judgements given as (reviewer, sample, decision)."""

    def make(reviewer: str, *judgements: tuple[str, str, str]) -> Selection:
        journal = Journal(tmp_path / "judgements.jsonl")
        for number, (who, sample, decision) in enumerate(judgements):
            made_at = NOON + timedelta(seconds=number)
            journal.append(
                Judgement("bars", sample, who, "", Decision(decision), None, "", made_at)
            )
        return Selection(made_run.contents, Ledger(journal), reviewer)

    return make


def names_of(made_run: Any, *ids: str) -> list[str]:
    return [made_run.name(each) if each else "" for each in ids]


def test_a_decision_leads_to_the_next_open_sample_and_round_to_the_first(
    select: Select, made_run: Any
) -> None:
    selection = select(
        "ann", ("ann", "q01", "keep"), ("ann", "q09", "skip"), ("bob", "q02", "keep")
    )
    filters = Filters("consistency")
    first = selection.find_place(filters, made_run.name("q00"))
    assert (first.number, first.n) == (1, 10)
    assert [first.previous, first.following, first.upcoming] == names_of(made_run, "", "q01", "q02")
    last = selection.find_place(filters, made_run.name("q08"))
    assert [last.previous, last.following, last.upcoming] == names_of(made_run, "q07", "q09", "q00")


def test_a_sample_keeps_its_place_when_the_filters_leave_it_out(
    select: Select, made_run: Any
) -> None:
    selection = select("ann", ("ann", "q03", "keep"))
    place = selection.find_place(Filters("consistency", decision="open"), made_run.name("q03"))
    assert (place.number, place.n) == (0, 9)
    assert [place.previous, place.following, place.upcoming] == names_of(
        made_run, "q02", "q04", "q04"
    )


def test_settling_one_conflict_leads_to_the_next(select: Select, made_run: Any) -> None:
    conflicts = [
        judgement
        for sample in ("q02", "q05", "q12")
        for judgement in (("ann", sample, "keep"), ("bob", sample, "ambiguous"))
    ]
    selection = select("ann", *conflicts, ("ann", "q05", "broken_video"))
    filters = Filters("conflicts")
    assert selection.find_start(filters) == made_run.name("q02")
    settled = selection.find_place(filters, made_run.name("q05"))
    assert (settled.number, settled.n) == (0, 2)
    assert [settled.previous, settled.upcoming] == names_of(made_run, "q02", "q12")
    last = selection.find_place(filters, made_run.name("q12"))
    assert last.upcoming == made_run.name("q02")
    assert selection.measure_progress()[3] == Progress("conflicts", 2, 2)


def test_in_a_list_of_judged_samples_the_next_is_simply_the_next(
    select: Select, made_run: Any
) -> None:
    selection = select("ann", *(("ann", f"q{number:02}", "keep") for number in (1, 4, 7)))
    filters = Filters("consistency", decision="keep")
    assert selection.find_place(filters, made_run.name("q01")).upcoming == made_run.name("q04")
    assert selection.find_place(filters, made_run.name("q07")).upcoming == ""


def test_filters_know_no_more_than_the_reviewer_may(select: Select, made_run: Any) -> None:
    made = [("ann", "q01", "keep"), ("ann", "q02", "ambiguous"), ("bob", "q02", "keep")]
    made += [("bob", "q01", "skip")]
    selection = select("bob", *made)
    # Bob has an opinion of q02 alone.
    assert selection.find_start(Filters("all", reviewer="ann")) == made_run.name("q02")
    assert selection.find_place(Filters("all", reviewer="ann"), "").n == 1
    assert selection.find_place(Filters("all", reviewer="ann", decision="keep"), "").n == 0
    assert selection.find_place(Filters("all", reviewer="ann", decision="drop"), "").n == 1
    assert selection.find_place(Filters("all", decision="skip"), "").n == 1
    assert selection.find_place(Filters("all", decision="judged"), "").n == 2
    assert selection.find_place(Filters("all", decision="open"), "").n == 22


def test_words_are_searched_in_question_choices_and_names(select: Select) -> None:
    selection = select("ann")
    for text, n in (
        ("CONTAINER.mkv", 1),
        ("bar rests place", 23),
        ("passwd script", 1),
        ("zebra", 0),
    ):
        assert selection.find_place(Filters("all", text=text), "").n == n, text
    assert selection.find_start(Filters("all", text="zebra")) == ""
    assert selection.find_place(Filters("all", task="order", text="clip"), "").n == 10


def test_one_starts_in_the_first_queue_that_is_not_done(select: Select) -> None:
    assert select("ann").complete(Filters()).queue == "consistency"
    done = [("ann", f"q{number:02}", "keep") for number in range(10)]
    assert select("ann", *done).complete(Filters(text="x")) == Filters("redundancy", text="x")
    assert select("ann").complete(Filters("all")).queue == "all"


def test_progress_counts_ones_own_judgements(select: Select) -> None:
    selection = select(
        "ann", ("ann", "q01", "skip"), ("ann", "q12", "keep"), ("bob", "q02", "keep")
    )
    assert selection.measure_progress() == [
        Progress("consistency", 1, 10),
        Progress("redundancy", 0, 1),
        Progress("sensitivity", 1, 10),
        Progress("conflicts", 0, 0),
        Progress("all", 2, 24),
    ]


def test_an_address_has_what_is_set() -> None:
    filters = Filters("all", task="a & b", text='"<>')
    assert filters.query(sample="ab") == "queue=all&task=a+%26+b&text=%22%3C%3E&sample=ab"
