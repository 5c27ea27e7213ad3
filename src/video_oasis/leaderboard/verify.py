"""Compares the entries of a leaderboard with what a run gives."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from video_oasis.leaderboard.entry import Entry

_TOLERANCE: Final = 1e-6
_INTERVAL_TOLERANCE: Final = 2e-3
"""Resamples are drawn alike everywhere, and summed in single precision."""


@dataclass(frozen=True, slots=True)
class Check:
    """What became of one entry.

    Attributes:
        entry: the entry.
        is_known: whether the run has this model, set and these settings.
        differences: what differs, each in one line; empty if the run gives the very entry.
    """

    entry: Entry
    is_known: bool
    differences: tuple[str, ...]


def check_entries(entries: Sequence[Entry], given: Sequence[Entry]) -> tuple[Check, ...]:
    """Compare entries with those that a run gives.

    Args:
        entries: the entries of a leaderboard.
        given: the entries of the run, of all its models and sets.
    """
    by_place = {entry.place: entry for entry in given}
    return tuple(
        Check(
            entry=entry,
            is_known=entry.place in by_place,
            differences=tuple(_compare(entry, by_place[entry.place]))
            if entry.place in by_place
            else (),
        )
        for entry in entries
    )


def _compare(entry: Entry, given: Entry) -> Iterator[str]:
    for name in ("model_ids", "max_frames", "answers", "mean_of_benchmarks"):
        stated, found = getattr(entry, name), getattr(given, name)
        if not _is_same(name, stated, found):
            yield f"{name}: the entry says {stated}, the run gives {found}"
    for benchmark in sorted(entry.benchmarks.keys() ^ given.benchmarks.keys()):
        where = "entry" if benchmark in entry.benchmarks else "run"
        yield f"{benchmark}: only in the {where}"
    shared = entry.benchmarks.keys() & given.benchmarks.keys()
    scores = [("overall", entry.overall, given.overall)] + [
        (name, entry.benchmarks[name], given.benchmarks[name]) for name in sorted(shared)
    ]
    for where, stated_score, found_score in scores:
        found_values = asdict(found_score)
        for name, stated in asdict(stated_score).items():
            if not _is_same(name, stated, found_values[name]):
                yield (
                    f"{where}, {name}: the entry says {stated}, the run gives {found_values[name]}"
                )


def _is_same(name: str, stated: Any, found: Any) -> bool:
    if isinstance(stated, float) and isinstance(found, float):
        is_end = name.endswith(("_low", "_high"))
        return math.isclose(
            stated, found, rel_tol=0, abs_tol=_INTERVAL_TOLERANCE if is_end else _TOLERANCE
        )
    return bool(stated == found)
