"""One line of a leaderboard: a model, how it was asked, on which samples, and how it did."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from video_oasis.errors import SchemaError
from video_oasis.hashing import content_id

SHARE_DIGITS: Final = 6
"""Decimals that shares are kept with: enough for any set, and the same on every machine."""


@dataclass(frozen=True, slots=True)
class Score:
    """How a model did on one benchmark, or on all samples of a set.

    Attributes:
        n_samples: samples that it was asked about.
        n: answers: samples x parts x draws x rotations.
        n_scored: those with one readable choice; n is the sum of this and the next four.
        n_unparsed: those that no one choice can be read from.
        n_refused: those in which the model declined.
        n_error: those that failed.
        n_missing: those not asked.
        accuracy: over the scored answers; null without one.
        accuracy_low: lower end of its 95 % interval; null with fewer than two videos.
        accuracy_high: its upper end.
        chance: mean of 1/n_choices over the same answers.
        lower_bound: the accuracy if every answer that is not scored were wrong.
    """

    n_samples: int
    n: int
    n_scored: int
    n_unparsed: int
    n_refused: int
    n_error: int
    n_missing: int
    accuracy: float | None
    accuracy_low: float | None
    accuracy_high: float | None
    chance: float | None
    lower_bound: float | None


@dataclass(frozen=True)
class Entry:
    """One line of a leaderboard.

    Attributes:
        model: the name to show the model under.
        model_ids: the ids of the model, over all that changes its answers.
        description: what the ids are made from.
        protocol: the other settings that change what it is shown or how its answers count.
        max_frames: the most frames that one request shows it.
        set_name: the name of the set of samples.
        set_id: content id over its samples and their right choices.
        answers: content id over every question as it was asked and its answer as it was read.
        overall: how it did, every sample counting the same.
        mean_of_benchmarks: its accuracy, every benchmark counting the same; null if one has none.
        benchmarks: how it did on each.
        version: the version of the program that made the entry.
    """

    model: str
    model_ids: tuple[str, ...]
    description: Mapping[str, Any]
    protocol: Mapping[str, Any]
    max_frames: int
    set_name: str
    set_id: str
    answers: str
    overall: Score
    mean_of_benchmarks: float | None
    benchmarks: Mapping[str, Score]
    version: str

    @cached_property
    def id(self) -> str:
        """Content id over everything in the entry."""
        return content_id("entry1", self.to_plain())

    @cached_property
    def place(self) -> str:
        """Content id over what is evaluated, on what and how: one line of the board."""
        return content_id(
            "place1",
            [self.set_id, self.model, dict(self.description), dict(self.protocol)],
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the entry as plain data."""
        plain = asdict(self)
        return plain | {"model_ids": list(self.model_ids)}


_ENTRY: Final = TypeAdapter(Entry)


def read_entry(plain: Any) -> Entry:
    """Make an entry of plain data as ``Entry.to_plain`` gives it.

    Raises:
        SchemaError: it is something else; the message says what.
    """
    try:
        return _ENTRY.validate_python(plain)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise SchemaError(f"{where}: {first['msg']}" if where else first["msg"]) from None
