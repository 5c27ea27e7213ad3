"""Which of the entries that people made one after another stand: what is not taken back."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Entry = TypeVar("Entry")


def find_standing(
    entries: Iterable[Entry],
    *,
    place: Callable[[Entry], Hashable],
    takes_back: Callable[[Entry], bool],
) -> tuple[Entry, ...]:
    """List the latest entry of each place that is not taken back, in their order.

    Args:
        entries: the entries, in the order in which they were made.
        place: whose an entry is and what of, so that a later one replaces it.
        takes_back: whether an entry only takes back the one that stands in its place; the one
            before that stands again.
    """
    stacks: dict[Hashable, list[tuple[int, Entry]]] = {}
    for number, entry in enumerate(entries):
        stack = stacks.setdefault(place(entry), [])
        if not takes_back(entry):
            stack.append((number, entry))
        elif stack:
            stack.pop()
    standing = sorted((stack[-1] for stack in stacks.values() if stack), key=lambda each: each[0])
    return tuple(entry for _, entry in standing)
