"""Proposals of a scripted model: valid, broken, failed and merged."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from video_oasis.categorization.proposing import DrawStatus, Step, propose
from video_oasis.errors import AskRejected, SettingsError
from video_oasis.schema import Answer, FinishReason, Request
from video_oasis.store import Store
from video_oasis.taxonomy.labels import TaskLabel

LABELS = [
    TaskLabel("b", "first", "", 7, "What is first?"),
    TaskLabel("b", "last", "", 5, "What is last?"),
    TaskLabel("c", "where", "room", 3, "Where is it?"),
]
NUMBERED = re.compile(r"^(\d+)\. (\S+)( .*)$", re.MULTILINE)

Sort = Callable[[str, str], str]


def sort_by(request: Request, category_of: Sort) -> str:
    """Sort the numbered lines of a request, named by their first word and the rest."""
    members: dict[str, list[int]] = {}
    for number, word, rest in NUMBERED.findall(request.text):
        members.setdefault(category_of(word, rest), []).append(int(number))
    entries = [
        {"name": name, "definition": f"About {name}.", "members": its}
        for name, its in members.items()
    ]
    return json.dumps({"categories": entries})


def is_merge(request: Request) -> bool:
    return "Proposed categories:" in request.text


def sort_labels(request: Request) -> str:
    return sort_by(request, lambda _, rest: "Space" if "where" in rest else "Time")


def sort_categories(request: Request) -> str:
    return sort_by(request, lambda word, _: f"{word.rstrip(':')}s")


def reply_well(request: Request, _draw: int) -> Answer:
    return Answer(sort_categories(request) if is_merge(request) else sort_labels(request))


def statuses(draws: Sequence[Any]) -> list[tuple[Step, DrawStatus, str]]:
    return [(draw.step, draw.status, draw.reason) for draw in draws]


def test_draws_are_merged_and_their_sources_kept(scripted_model: Any, store: Store) -> None:
    model = scripted_model(reply_well)
    proposed = propose("it", model, LABELS, store, n_draws=3)
    assert proposed.taxonomy is not None
    assert {(each.name, each.sources) for each in proposed.taxonomy.categories} == {
        ("Times", ("b: first (3 of 3 proposals)", "b: last (3 of 3 proposals)")),
        ("Spaces", ("c: where / room (3 of 3 proposals)",)),
    }
    origin = proposed.taxonomy.origin
    assert origin["replies"] == {"propose_valid": 3, "merge_valid": 1}
    assert (origin["n_labels"], origin["n_samples"], origin["unplaced_labels"]) == (3, 15, [])
    # Three different orders of the labels, and the examples and counts are there.
    texts = [request.text for request, _ in model.asked[:3]]
    assert len(set(texts)) == 3
    assert all("b: first (7), such as: What is first?" in text for text in texts)


def test_an_invalid_draw_is_counted_and_takes_no_part(scripted_model: Any, store: Store) -> None:
    n_asked = 0

    def reply(request: Request, draw: int) -> Answer:
        nonlocal n_asked
        n_asked += 1
        if n_asked == 1:
            return Answer('{"categories": [{"name": "Evil", "definition": "x", "members": [1]}]}')
        if n_asked == 2:
            return Answer('{"categories": [{"na', FinishReason.LENGTH)
        return reply_well(request, draw)

    model = scripted_model(reply, concurrency=1)
    proposed = propose("it", model, LABELS, store, n_draws=3)
    assert statuses(proposed.draws) == [
        (Step.PROPOSE, DrawStatus.INVALID, "number_of_categories"),
        (Step.PROPOSE, DrawStatus.INVALID, "cut_off"),
        (Step.PROPOSE, DrawStatus.VALID, ""),
        (Step.MERGE, DrawStatus.VALID, ""),
    ]
    assert proposed.taxonomy is not None
    assert "b: first (1 of 1 proposals)" in proposed.taxonomy.categories[0].sources + (
        proposed.taxonomy.categories[1].sources
    )
    merging = model.asked[-1][0].text
    assert "Evil" not in merging
    assert proposed.count() == {
        "propose_invalid_number_of_categories": 1,
        "propose_invalid_cut_off": 1,
        "propose_valid": 1,
        "merge_valid": 1,
    }


def test_without_a_valid_proposal_there_is_no_taxonomy_and_no_merge(
    scripted_model: Any, store: Store
) -> None:
    model = scripted_model(lambda _r, _d: Answer("<think>hm</think> Time and space, I would say."))
    proposed = propose("it", model, LABELS, store, n_draws=2)
    assert proposed.taxonomy is None
    assert proposed.count() == {"propose_invalid_not_json": 2}
    # Invalid replies are answers: they are stored, and not asked for again.
    propose("it", model, LABELS, store, n_draws=2)
    assert len(model.asked) == 2


def test_a_merge_is_asked_for_again_in_another_order(scripted_model: Any, store: Store) -> None:
    merges: list[str] = []

    def reply(request: Request, draw: int) -> Answer:
        if is_merge(request):
            merges.append(request.text)
            if len(merges) < 3:
                return Answer(sort_categories(request).replace("Spaces", "times"))
        return reply_well(request, draw)

    proposed = propose("it", scripted_model(reply), LABELS, store, n_draws=3)
    assert statuses(proposed.draws)[3:] == [
        (Step.MERGE, DrawStatus.INVALID, "repeated_name"),
        (Step.MERGE, DrawStatus.INVALID, "repeated_name"),
        (Step.MERGE, DrawStatus.VALID, ""),
    ]
    assert len(set(merges)) == 3
    assert proposed.taxonomy is not None
    assert set(proposed.taxonomy.names) == {"Times", "Spaces"}


def test_a_failed_call_is_asked_again_by_the_next_run(scripted_model: Any, store: Store) -> None:
    is_down = True

    def reply(request: Request, draw: int) -> Answer:
        if is_down:
            raise AskRejected("http_400", "too long")
        return reply_well(request, draw)

    model = scripted_model(reply)
    proposed = propose("it", model, LABELS, store, n_draws=2)
    assert statuses(proposed.draws) == [(Step.PROPOSE, DrawStatus.ERROR, "http_400")] * 2
    assert (proposed.taxonomy, proposed.n_failed) == (None, 2)
    is_down = False
    proposed = propose("it", model, LABELS, store, n_draws=2)
    assert proposed.taxonomy is not None
    assert proposed.n_failed == 0


def test_labels_that_no_proposal_places_are_named(scripted_model: Any, store: Store) -> None:
    def reply(request: Request, draw: int) -> Answer:
        if is_merge(request):
            return reply_well(request, draw)
        whole = json.loads(sort_by(request, lambda _, rest: rest.split()[0]))
        whole["categories"] = [entry for entry in whole["categories"] if entry["name"] != "where"]
        return Answer(json.dumps(whole))

    proposed = propose("it", scripted_model(reply), LABELS, store, n_draws=1)
    assert proposed.taxonomy is not None
    assert proposed.taxonomy.origin["unplaced_labels"] == ["c: where / room"]


def test_one_label_is_nothing_to_sort(scripted_model: Any, store: Store) -> None:
    model = scripted_model(reply_well)
    with pytest.raises(SettingsError, match="carry 1 task label: b: first; expected at least 2"):
        propose("it", model, LABELS[:1], store)
    with pytest.raises(SettingsError, match="--draws is 0"):
        propose("it", model, LABELS, store, n_draws=0)
