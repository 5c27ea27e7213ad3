"""Says where something stands in a list that is looked through, and what comes next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from video_oasis.report.numbers import write_count


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sample stands among those looked at; the names are empty where there is none.

    Attributes:
        number: its place from 1; 0 if the filters leave it out.
        n: how many samples there are.
        previous: the one before it.
        following: the one after it.
        upcoming: the one to go to once it is decided: the next without a judgement, or the next
            conflict, from the start again after the last; in a list of judged ones simply the one
            after it.
    """

    number: int
    n: int
    previous: str
    following: str
    upcoming: str


def make_place(
    before: Sequence[str],
    after: Sequence[str],
    candidates: Iterable[str],
    *,
    is_listed: bool = True,
) -> Place:
    """Make the place of a sample.

    Args:
        before: the names before its own.
        after: the names after it.
        candidates: the names to go to once it is decided, the first first.
        is_listed: whether it is itself among those looked at.
    """
    return Place(
        number=len(before) + 1 if is_listed else 0,
        n=len(before) + is_listed + len(after),
        previous=before[-1] if before else "",
        following=after[0] if after else "",
        upcoming=next(iter(candidates), ""),
    )


def describe_place(place: Place) -> str:
    """Say where a sample stands in the list."""
    if not place.number:
        return "outside the filters"
    return f"{write_count(place.number)} of {write_count(place.n)}"
