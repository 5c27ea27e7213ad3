"""What stands, kept in step with the file: undo, other processes, clocks that go backwards."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from video_oasis.errors import RunError
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.review.ledger import Ledger
from video_oasis.review.outdated import Outdated

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def judgement(sample: str = "s1", reviewer: str = "ann", **changes: Any) -> Judgement:
    fields: dict[str, Any] = {
        "benchmark": "bench", "sample_id": sample, "reviewer": reviewer, "check": "consistency",
        "decision": Decision.KEEP, "choice": None, "note": "", "made_at": NOON,
    }  # fmt: skip
    return Judgement(**fields | changes)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "judgements.jsonl")


def test_undo_goes_back_one_decision_at_a_time(journal: Journal) -> None:
    ledger = Ledger(journal)
    first = ledger.record(judgement(), seen="")
    second = ledger.record(judgement("s2", made_at=NOON + timedelta(seconds=1)), seen="")
    third = ledger.record(
        judgement(decision=Decision.AMBIGUOUS, made_at=NOON + timedelta(seconds=2)), seen=first.id
    )
    assert ledger.find_last("ann") == third
    assert ledger.undo("ann", expected=third.id) == third
    assert ledger.find(first.key, "ann") == first
    assert ledger.undo("ann", expected=second.id) == second
    assert ledger.find(second.key, "ann") is None
    assert ledger.undo("ann", expected=first.id) == first
    assert ledger.list_judged("ann") == frozenset()
    with pytest.raises(Outdated, match="nothing to undo"):
        ledger.undo("ann", expected="")
    assert len(journal.read()) == 6


def test_only_what_the_page_shows_can_be_replaced_or_undone(journal: Journal) -> None:
    ledger, other = Ledger(journal), Ledger(journal)
    made = other.record(judgement(), seen="")
    with pytest.raises(Outdated, match="You judged this sample meanwhile"):
        ledger.record(judgement(decision=Decision.SKIP), seen="")
    with pytest.raises(Outdated, match="another one by now"):
        ledger.undo("ann", expected="")
    ledger.undo("ann", expected=made.id)
    with pytest.raises(Outdated, match="taken back meanwhile"):
        other.record(judgement(decision=Decision.SKIP), seen=made.id)
    assert len(journal.read()) == 2


def test_others_are_hidden_until_one_has_an_opinion(journal: Journal) -> None:
    ledger = Ledger(journal)
    anns = ledger.record(judgement(), seen="")
    assert ledger.list_visible(anns.key, "bob") == ()
    skipped = ledger.record(judgement(reviewer="bob", decision=Decision.SKIP), seen="")
    assert ledger.list_visible(anns.key, "bob") == (skipped,)
    assert ledger.list_visible(anns.key, "ann") == (anns, skipped)
    assert ledger.conflicts == frozenset()
    bobs = ledger.record(
        judgement(reviewer="bob", decision=Decision.OTHER, note="no"), seen=skipped.id
    )
    assert ledger.list_visible(anns.key, "bob") == (bobs, anns)
    assert ledger.conflicts == {("bench", "s1")}
    assert ledger.reviewers == ["ann", "bob"]
    # Taken back, one is blind again, and there is no conflict.
    ledger.undo("bob", expected=bobs.id)
    assert ledger.list_visible(anns.key, "bob") == (skipped,)
    assert ledger.conflicts == frozenset()


def test_a_judgement_stands_even_if_the_clock_went_back(journal: Journal) -> None:
    ledger = Ledger(journal)
    first = ledger.record(judgement(made_at=NOON + timedelta(days=1)), seen="")
    second = ledger.record(judgement(decision=Decision.AMBIGUOUS, made_at=NOON), seen=first.id)
    assert second.made_at == first.made_at + timedelta(microseconds=1)
    assert ledger.find(first.key, "ann") == second
    ledger.undo("ann", expected=second.id)
    assert ledger.find(first.key, "ann") == first


def test_a_journal_that_is_rewritten_by_hand_is_read_anew(journal: Journal) -> None:
    ledger = Ledger(journal)
    ledger.record(judgement(), seen="")
    ledger.record(judgement("s2"), seen="")
    line = journal.path.read_bytes().splitlines(keepends=True)[0]
    journal.path.write_bytes(line)
    ledger.refresh()
    assert ledger.list_judged("ann") == {("bench", "s1")}
    journal.path.unlink()
    ledger.refresh()
    assert ledger.list_judged("ann") == frozenset()
    journal.path.write_bytes(b"{}\n" + line)
    with pytest.raises(RunError, match="line 1"):
        ledger.refresh()
