"""Replies that propose categories, valid and broken in every way."""

import json
from typing import Any

import pytest

from video_oasis.taxonomy.labels import TaskLabel
from video_oasis.taxonomy.proposal import Draft, InvalidProposal, read_proposal, trace_sources


def write(*categories: tuple[Any, Any, Any]) -> str:
    entries = [{"name": n, "definition": d, "members": m} for n, d, m in categories]
    return json.dumps({"categories": entries})


GOOD = write(("Order", "What comes\n first.", [1, 3]), ("Place", "Where.", [2]))


def test_a_reply_becomes_drafts_with_indices() -> None:
    assert read_proposal(GOOD, 3, needs_all=True) == (
        Draft("Order", "What comes first.", (0, 2)),
        Draft("Place", "Where.", (1,)),
    )


@pytest.mark.parametrize("around", ["```json\n{}\n```", "Here you are:\n{}\nGood luck!"])
def test_words_around_the_object_do_not_matter(around: str) -> None:
    assert len(read_proposal(around.replace("{}", GOOD), 3, needs_all=True)) == 2


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not_json"),
        ("I would use two categories.", "not_json"),
        (GOOD[:-9], "not_json"),
        (GOOD + GOOD, "not_json"),
        ("{}", "wrong_shape"),
        ('{"categories": {}}', "wrong_shape"),
        (write(("A", "a", ["1"]), ("B", "b", [2])), "wrong_shape"),
        (write(("A", "a", [1.5]), ("B", "b", [2])), "wrong_shape"),
        (write((None, "a", [1]), ("B", "b", [2])), "wrong_shape"),
        (write(("A", "a", [1, 2, 3])), "number_of_categories"),
        (write(*((f"A{n}", "a", []) for n in range(9))), "number_of_categories"),
        (write(("A", " \n", [1]), ("B", "b", [2])), "empty_text"),
        (write(("", "a", [1]), ("B", "b", [2])), "empty_text"),
        (write(("Time", "a", [1]), ("TIME ", "b", [2])), "repeated_name"),
        (write(("A", "a", [0]), ("B", "b", [2])), "unknown_member"),
        (write(("A", "a", [1]), ("B", "b", [4])), "unknown_member"),
        (write(("A", "a", [1, 2]), ("B", "b", [2])), "repeated_member"),
        (write(("A", "a", [1, 1]), ("B", "b", [2])), "repeated_member"),
        (write(("A", "a", [1]), ("B", "b", [3])), "left_out"),
    ],
)
def test_a_broken_reply_is_named_by_what_is_wrong(text: str, reason: str) -> None:
    with pytest.raises(InvalidProposal) as raised:
        read_proposal(text, 3, needs_all=True)
    assert raised.value.reason == reason
    assert str(raised.value)


def test_labels_may_be_left_out_where_not_all_are_needed() -> None:
    reply = write(("A", "a", [1]), ("B", "b", [3]))
    assert [draft.members for draft in read_proposal(reply, 3, needs_all=False)] == [(0,), (2,)]


def test_each_label_is_followed_into_the_merged_categories() -> None:
    labels = [TaskLabel("b", task, "", 1, "?") for task in ("first", "where", "why", "odd")]
    proposals = [
        [Draft("Order", "o", (0, 2)), Draft("Place", "p", (1,))],
        [Draft("Time", "t", (0,)), Draft("Reason", "r", (2, 1))],
    ]
    # The four categories of both proposals are counted 0 to 3: Order and Time are merged.
    merged = [Draft("When", "w", (2, 0)), Draft("Where", "x", (1,)), Draft("Why", "y", (3,))]
    categories, unplaced = trace_sources(labels, proposals, merged)
    assert [(category.name, category.definition, category.sources) for category in categories] == [
        ("When", "w", ("b: first (2 of 2 proposals)", "b: why (1 of 2 proposals)")),
        ("Where", "x", ("b: where (1 of 2 proposals)",)),
        ("Why", "y", ("b: where (1 of 2 proposals)", "b: why (1 of 2 proposals)")),
    ]
    assert unplaced == ("b: odd",)
