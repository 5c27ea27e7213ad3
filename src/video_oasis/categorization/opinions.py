"""What people say about the categories of samples: one opinion, their file, and what stands."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from video_oasis.errors import SchemaError
from video_oasis.growing_file import GrowingFile
from video_oasis.hashing import content_id
from video_oasis.schema import SampleKey
from video_oasis.standing import find_standing

REVIEW_LIST: Final = ""
"""The reviewer's name of what is filled into the review list."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one person says about one sample; never changed, only followed by others.

    Attributes:
        benchmark: the benchmark.
        sample_id: the sample.
        category: the name of its category; None to take back the person's latest opinion of it.
        reviewer: who says so; ``REVIEW_LIST`` for who filled in the list.
        note: what the reviewer adds.
        made_at: when, with a time zone.
    """

    benchmark: str
    sample_id: str
    category: str | None
    reviewer: str
    note: str
    made_at: datetime

    @property
    def key(self) -> SampleKey:
        """Benchmark and sample id."""
        return self.benchmark, self.sample_id

    @property
    def id(self) -> str:
        """Content id over all fields."""
        return content_id("opinion1", self.plain())

    def plain(self) -> dict[str, str | None]:
        """Return the fields as plain data, in the one form that the file and ids have them in."""
        return asdict(self) | {"made_at": self.made_at.isoformat(timespec="microseconds")}


class OpinionFile(GrowingFile[Opinion]):
    """The opinions of a run, in the order in which they were made."""

    def __init__(self, path: Path) -> None:
        """Name the file; it need not exist yet."""
        super().__init__(path, parse=parse_opinion, to_plain=Opinion.plain, what="category")


def parse_opinion(row: Any) -> Opinion:
    """Make an opinion of a row as ``Opinion.plain`` gives it.

    Raises:
        SchemaError: a field is missing, unknown, or not what it should be.
    """
    names = [each.name for each in fields(Opinion)]
    if not isinstance(row, dict) or row.keys() != set(names):
        raise SchemaError(f"found {row!r}; expected an object with the fields {', '.join(names)}")
    for name, value in row.items():
        if not isinstance(value, str) and (name != "category" or value is not None):
            raise SchemaError(f"{name} is {value!r}; expected text")
    try:
        made_at = datetime.fromisoformat(row["made_at"])
    except ValueError:
        raise SchemaError(f"made_at is {row['made_at']!r}; expected a time") from None
    return Opinion(**{**row, "made_at": made_at})


def list_standing(opinions: Iterable[Opinion]) -> tuple[Opinion, ...]:
    """List each person's latest opinion of each sample that is not taken back, in their order."""
    return find_standing(
        opinions,
        place=lambda each: (each.key, each.reviewer),
        takes_back=lambda each: each.category is None,
    )


def settle(opinions: Iterable[Opinion]) -> dict[SampleKey, str | None]:
    """Say what the opinions of each sample come to: a category, or None where people differ.

    What is filled into the review list settles it. Otherwise all must name the same category.
    """
    by_sample: dict[SampleKey, dict[str, str | None]] = {}
    for opinion in list_standing(opinions):
        by_sample.setdefault(opinion.key, {})[opinion.reviewer] = opinion.category
    return {key: _agree(named) for key, named in by_sample.items()}


def _agree(named: Mapping[str, str | None]) -> str | None:
    if REVIEW_LIST in named:
        return named[REVIEW_LIST]
    categories = set(named.values())
    return categories.pop() if len(categories) == 1 else None
