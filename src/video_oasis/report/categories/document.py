"""Everything known of the categories of a run, as one plain structure that its files render."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from video_oasis.report.document import ModelRecord
from video_oasis.taxonomy.agreement import PanelAgreement, PanelOverlap
from video_oasis.taxonomy.category import Category
from video_oasis.taxonomy.counts import CrossTable


@dataclass(frozen=True, slots=True)
class ModelVotes:
    """What became of the questions to one model.

    Attributes:
        model: the model.
        is_in_panel: whether its votes count.
        n_ok: samples that it names a category for.
        n_unparsed: samples whose reply names none.
        n_refused: samples that it declines.
        n_error: samples that asking failed for.
        n_missing: samples that it has not been asked about.
        n_accepted: samples accepted by the panel that it names a category for.
        n_same: those of them for which it names the accepted one.
    """

    model: str
    is_in_panel: bool
    n_ok: int
    n_unparsed: int
    n_refused: int
    n_error: int
    n_missing: int
    n_accepted: int
    n_same: int


@dataclass(frozen=True, slots=True)
class CategoriesReport:
    """The categories of a run's samples.

    Attributes:
        version: the version of this package.
        members: which samples: ``kept`` or ``all``.
        taxonomy_id: content id of the names and definitions.
        categories: the categories.
        threshold: so many models of the panel must agree.
        models: the models asked.
        outcomes: samples by how they came to their category, or why they have none.
        n_obsolete: samples that people put into a category that the taxonomy no longer has.
        assignments: content id of all assignments with their votes.
        by_benchmark: samples with a category, benchmark by category.
        by_duration: the same, category by length of the clip.
        by_position: the same, category by position of the right choice as published.
        even_positions: the share of each position if every choice were right equally often.
        clips: different clips of these samples by length.
        agreement: of the models of the panel; None if it has only one.
        overlaps: what other panels make of the samples.
        votes: what became of the questions to each model.
    """

    version: str
    members: str
    taxonomy_id: str
    categories: tuple[Category, ...]
    threshold: int
    models: tuple[ModelRecord, ...]
    outcomes: Mapping[str, int]
    n_obsolete: int
    assignments: str
    by_benchmark: CrossTable
    by_duration: CrossTable
    by_position: CrossTable
    even_positions: tuple[float, ...]
    clips: Mapping[str, int]
    agreement: PanelAgreement | None
    overlaps: tuple[PanelOverlap, ...]
    votes: tuple[ModelVotes, ...]

    @property
    def panel(self) -> tuple[str, ...]:
        """The models whose votes count."""
        return tuple(each.model for each in self.votes if each.is_in_panel)

    @property
    def n_samples(self) -> int:
        """Samples, with a category or without."""
        return sum(self.outcomes.values())

    def to_plain(self) -> dict[str, Any]:
        """Return nested dicts that JSON can carry; what is undefined is None."""
        return asdict(self)
