"""Reads the categories that a model proposes, and puts several proposals together."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pydantic import TypeAdapter, ValidationError

from video_oasis.errors import OasisError
from video_oasis.taxonomy.category import MIN_CATEGORIES, Category, fold_name
from video_oasis.taxonomy.labels import TaskLabel

MAX_PROPOSED: Final = 8
"""The most categories that a proposal may have: more are no small set."""

_OUTER_OBJECT: Final = re.compile(r"\{.*\}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Draft:
    """One category of a proposal.

    Attributes:
        name: its name.
        definition: its definition.
        members: indices, from 0, of what it holds, in the order that it was put to the model.
    """

    name: str
    definition: str
    members: tuple[int, ...]


class InvalidProposal(OasisError):
    """A reply that is no proposal of the form asked for.

    Attributes:
        reason: a constant word for counting, such as ``not_json``.
    """

    def __init__(self, reason: str, message: str) -> None:
        """Keep the reason for counting and the message for reading."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    definition: str
    members: list[int]


@dataclass(frozen=True, slots=True)
class _Reply:
    categories: list[_Entry]


_REPLY: Final = TypeAdapter(_Reply)


def read_proposal(text: str, n_members: int, *, needs_all: bool) -> tuple[Draft, ...]:
    """Read a reply that sorts numbered things into categories of its own.

    Args:
        text: the reply without reasoning; one JSON object, whatever stands around it.
        n_members: how many things there were, numbered from 1.
        needs_all: whether each of them must be in a category; else some may be left out.

    Raises:
        InvalidProposal: it breaks the form. Reasons: ``not_json``, ``wrong_shape``,
            ``number_of_categories``, ``empty_text``, ``repeated_name``, ``unknown_member``,
            ``repeated_member`` and ``left_out``.
    """
    drafts = tuple(
        Draft(
            " ".join(entry.name.split()),
            " ".join(entry.definition.split()),
            tuple(number - 1 for number in entry.members),
        )
        for entry in _parse(text).categories
    )
    _check_categories(drafts)
    _check_members([member for draft in drafts for member in draft.members], n_members, needs_all)
    return drafts


def _parse(text: str) -> _Reply:
    found = _OUTER_OBJECT.search(text)
    if found is None:
        raise InvalidProposal("not_json", "there is no JSON object in the reply")
    try:
        return _REPLY.validate_json(found[0], strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        reason = "not_json" if first["type"] == "json_invalid" else "wrong_shape"
        where = ".".join(map(str, first["loc"]))
        message = f"{where}: {first['msg']}" if where else first["msg"]
        raise InvalidProposal(reason, message) from None


def _check_categories(drafts: Sequence[Draft]) -> None:
    if not MIN_CATEGORIES <= len(drafts) <= MAX_PROPOSED:
        raise InvalidProposal(
            "number_of_categories",
            f"{len(drafts)} categories; expected {MIN_CATEGORIES} to {MAX_PROPOSED}",
        )
    if not all(draft.name and draft.definition for draft in drafts):
        raise InvalidProposal("empty_text", "a name or a definition is empty")
    name, n = Counter(fold_name(draft.name) for draft in drafts).most_common(1)[0]
    if n > 1:
        raise InvalidProposal("repeated_name", f"{n} categories are called {name!r}")


def _check_members(members: Sequence[int], n_members: int, needs_all: bool) -> None:
    unknown = sorted({member + 1 for member in members if not 0 <= member < n_members})
    if unknown:
        raise InvalidProposal(
            "unknown_member", f"there is no number {unknown[0]}; expected 1 to {n_members}"
        )
    counts = Counter(members)
    repeated = sorted(member + 1 for member, n in counts.items() if n > 1)
    if repeated:
        raise InvalidProposal("repeated_member", f"number {repeated[0]} stands there twice")
    if needs_all and len(counts) < n_members:
        left_out = sorted(set(range(n_members)) - counts.keys())
        raise InvalidProposal("left_out", f"number {left_out[0] + 1} is in no category")


def trace_sources(
    labels: Sequence[TaskLabel],
    proposals: Sequence[Sequence[Draft]],
    merged: Sequence[Draft],
) -> tuple[tuple[Category, ...], tuple[str, ...]]:
    """Follow each label through the proposals into the merged categories.

    Args:
        labels: the labels.
        proposals: the valid proposals, members being indices of labels.
        merged: what they were merged into, members being indices of the proposals' categories, all
            counted one after the other.

    Returns:
        The categories, each with the labels that led to it and in how many of the proposals; and
        the labels that no proposal places.
    """
    target = {member: number for number, draft in enumerate(merged) for member in draft.members}
    counts: Mapping[int, Counter[int]] = {number: Counter() for number in range(len(merged))}
    for number, draft in enumerate(chain.from_iterable(proposals)):
        counts[target[number]].update(draft.members)
    categories = tuple(
        Category(
            draft.name,
            draft.definition,
            tuple(
                f"{labels[label].text} ({n} of {len(proposals)} proposals)"
                for label, n in sorted(counts[number].items())
            ),
        )
        for number, draft in enumerate(merged)
    )
    placed = set().union(*counts.values())
    unplaced = tuple(label.text for number, label in enumerate(labels) if number not in placed)
    return categories, unplaced
