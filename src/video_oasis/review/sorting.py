"""Arranges what the panel and people say about the category of one sample."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.categorization.files import Categorized
from video_oasis.categorization.opinions import Opinion
from video_oasis.review.category_ledger import CategoryLedger
from video_oasis.schema import SampleKey
from video_oasis.taxonomy.category import Category

_MOST_KEYS: Final = 9


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """One category as a sample's choices.

    Attributes:
        key: the key that chooses it; empty beyond the ninth.
        category: the category.
        voters: the models of the panel that name it.
    """

    key: str
    category: Category
    voters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sorting:
    """What is known of the category of one sample.

    Attributes:
        rows: the categories.
        is_asked: whether the panel was asked about it.
        abstained: the models that name none, each with what became of the question.
        own: the reviewer's opinion; None if there is none.
        others: other people's, as far as the reviewer may know them.
        n_hidden: how many more there are.
    """

    rows: tuple[CategoryRow, ...]
    is_asked: bool
    abstained: tuple[str, ...]
    own: Opinion | None
    others: tuple[Opinion, ...]
    n_hidden: int


def list_keys(categories: Sequence[Category]) -> list[str]:
    """Return the key of each category; those beyond the ninth have none."""
    numbers = range(1, len(categories) + 1)
    return [str(number) if number <= _MOST_KEYS else "" for number in numbers]


def arrange_sorting(
    categorized: Categorized, ledger: CategoryLedger, key: SampleKey, reviewer: str
) -> Sorting:
    """Arrange what is known of a sample's category."""
    categories = categorized.taxonomy.categories
    assigned = categorized.assigned.get(key)
    votes = assigned.votes if assigned else ()
    visible = ledger.list_visible(key, reviewer)
    return Sorting(
        rows=tuple(
            CategoryRow(
                key=its_key,
                category=category,
                voters=tuple(vote.model for vote in votes if vote.category == category.name),
            )
            for its_key, category in zip(list_keys(categories), categories, strict=True)
        ),
        is_asked=assigned is not None,
        abstained=tuple(f"{vote.model} ({vote.status})" for vote in votes if not vote.category),
        own=visible[0] if visible else None,
        others=visible[1:],
        n_hidden=0 if visible else len(ledger.list_others(key, reviewer)),
    )
