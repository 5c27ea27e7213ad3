"""Takes in the categories that people chose, in the review page or in the review list."""

import csv
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from video_oasis.categorization.opinions import (
    REVIEW_LIST,
    Opinion,
    OpinionFile,
    list_standing,
    settle,
)
from video_oasis.csv_text import write_csv
from video_oasis.errors import RunError, SettingsError
from video_oasis.schema import Sample, SampleKey
from video_oasis.taxonomy.category import Taxonomy
from video_oasis.taxonomy.votes import AssignedSample

_CATEGORY: Final = "category"
_COLUMNS: Final = (
    "benchmark", "sample_id", _CATEGORY, "votes", "task", "question", "options",
)  # fmt: skip
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take the beginning of a formula from."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What people decided.

    Attributes:
        categories: the name of a category by sample; it may be one that the taxonomy no longer has.
        disputed: the samples about which they differ, so that nothing is decided.
    """

    categories: Mapping[SampleKey, str]
    disputed: tuple[SampleKey, ...]


@dataclass(frozen=True, slots=True)
class DecisionFiles:
    """Where a person's decisions lie.

    Attributes:
        folder: the folder of the run's categories.
    """

    folder: Path

    @property
    def review(self) -> Path:
        """The samples to decide about, as CSV with an empty column ``category`` to fill."""
        return self.folder / "review.csv"

    @property
    def opinions(self) -> OpinionFile:
        """What people said, in the review page or by way of the list."""
        return OpinionFile(self.folder / "decided.jsonl")

    def take_in(self, taxonomy: Taxonomy, known: Collection[SampleKey]) -> Decided:
        """Read what was decided, and add what was filled into the review list since.

        The list's decisions are kept before anything else, since the list itself is written again.

        Args:
            taxonomy: the categories that can be filled in.
            known: the samples that the list can be about.

        Raises:
            SettingsError: the list is no such list, or a category is filled in that is none, or for
                a sample that is none.
            RunError: a file cannot be read or written.
        """
        filled = self._read_review(taxonomy, known)
        now = datetime.now(UTC)

        def list_new(opinions: Sequence[Opinion]) -> list[Opinion]:
            before = {
                each.key: each.category
                for each in list_standing(opinions)
                if each.reviewer == REVIEW_LIST
            }
            return [
                Opinion(*key, category, reviewer=REVIEW_LIST, note="", made_at=now)
                for key, category in filled.items()
                if before.get(key) != category
            ]

        if filled:
            self.opinions.append_after(list_new)
        settled = settle(self.opinions.read())
        return Decided(
            categories={key: named for key, named in settled.items() if named is not None},
            disputed=tuple(key for key, named in settled.items() if named is None),
        )

    def _read_review(
        self, taxonomy: Taxonomy, known: Collection[SampleKey]
    ) -> dict[SampleKey, str]:
        if not self.review.is_file():
            return {}
        try:
            # Spreadsheets write a byte order mark.
            text = self.review.read_text(encoding="utf-8-sig", errors="surrogatepass")
            rows = csv.DictReader(io.StringIO(text, newline=""))
            absent = set(_COLUMNS[:3]) - set(rows.fieldnames or ())
            if absent:
                raise SettingsError(
                    f"{self.review}: no column {', '.join(sorted(absent))}; expected "
                    f"{', '.join(_COLUMNS[:3])} and commas between them"
                )
            filled = {}
            for number, row in enumerate(rows, start=2):
                named = (row[_CATEGORY] or "").strip()
                if not named:
                    continue
                where = f"{self.review} row {number} ({row['sample_id']})"
                category = taxonomy.find(named)
                if category is None:
                    raise SettingsError(
                        f"{where}: category is {named!r}; expected {', '.join(taxonomy.names)}, or "
                        f"leave it empty"
                    )
                key = (row["benchmark"], row["sample_id"])
                if key not in known:
                    raise SettingsError(
                        f"{where}: the run has no such sample of {row['benchmark']}; a spreadsheet "
                        f"may have changed its id: restore it, or empty the row's category"
                    )
                filled[key] = category
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise RunError(
                f"{self.review}: cannot be read as CSV in UTF-8 ({error}); save it in that form, "
                f"or delete it to have it written again"
            ) from error
        return filled


def write_review(rows: Sequence[AssignedSample], samples: Mapping[SampleKey, Sample]) -> bytes:
    """Write the list of samples to decide about; a person fills in the column ``category``.

    Args:
        rows: the samples, those that come first first.
        samples: their questions.
    """
    cells = (
        (
            row.benchmark,
            row.sample_id,
            "",
            _write_text(_write_votes(row)),
            _write_text(row.task),
            _write_text(samples[row.key].question),
            _write_text(" | ".join(samples[row.key].choices)),
        )
        for row in rows
    )
    return write_csv(_COLUMNS, cells).encode("utf-8", "surrogatepass")


def _write_text(text: str) -> str:
    """Keep a benchmark's text from being run by the spreadsheet that opens the list."""
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


def _write_votes(row: AssignedSample) -> str:
    return "; ".join(f"{vote.model}: {vote.category or vote.status.value}" for vote in row.votes)


def list_obsolete(decided: Mapping[SampleKey, str], categories: Iterable[str]) -> list[SampleKey]:
    """List the samples that people put into a category that the taxonomy no longer has."""
    known = set(categories)
    return [key for key, category in decided.items() if category not in known]
