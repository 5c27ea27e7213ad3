"""Counts in two ways at once, such as samples by category and benchmark."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.errors import SchemaError

POSITIONS: Final = ("A", "B", "C", "D", "others")
"""Where the right answer stands among the choices as published, as the field counts it."""


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Counts of things that have a row and a column.

    Attributes:
        rows: names of the rows.
        columns: names of the columns.
        counts: one tuple for each row, one number for each column.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Check that there is one count for each row and column.

        Raises:
            SchemaError: otherwise.
        """
        widths = [len(row) for row in self.counts]
        if widths != [len(self.columns)] * len(self.rows):
            raise SchemaError(
                f"{len(self.rows)} rows and {len(self.columns)} columns, and counts of {widths}"
            )

    @property
    def column_totals(self) -> tuple[int, ...]:
        """The sum of each column."""
        return tuple(sum(row[number] for row in self.counts) for number in range(len(self.columns)))


def cross(
    pairs: Iterable[tuple[str, str]], rows: Sequence[str], columns: Sequence[str]
) -> CrossTable:
    """Count pairs of a row and a column.

    Args:
        pairs: one for each thing.
        rows: the rows in the order to show them.
        columns: the columns in the order to show them.

    Raises:
        SchemaError: a pair has another row or column.
    """
    counts = Counter(pairs)
    strange = [pair for pair in counts if pair[0] not in rows or pair[1] not in columns]
    if strange:
        raise SchemaError(f"no row and column for {strange[0]}")
    return CrossTable(
        tuple(rows),
        tuple(columns),
        tuple(tuple(counts[row, column] for column in columns) for row in rows),
    )


def name_position(target: int) -> str:
    """Return the column of a sample whose right choice has this index."""
    return POSITIONS[min(target, len(POSITIONS) - 1)]


def spread_evenly(numbers_of_choices: Iterable[int]) -> tuple[float, ...]:
    """Return the share of each position if every choice were right equally often.

    Args:
        numbers_of_choices: of each sample.
    """
    counts = Counter(numbers_of_choices)
    n_samples = counts.total()
    named = len(POSITIONS) - 1
    shares = [
        sum(n / n_choices for n_choices, n in counts.items() if position < n_choices) / n_samples
        for position in range(named)
    ]
    beyond = sum(
        n * (n_choices - named) / n_choices for n_choices, n in counts.items() if n_choices > named
    )
    return (*shares, beyond / n_samples)
