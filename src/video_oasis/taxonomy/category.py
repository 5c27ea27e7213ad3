"""What a category and a taxonomy are."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final

from video_oasis.errors import SchemaError
from video_oasis.hashing import content_id
from video_oasis.schema import MAX_CHOICES

MIN_CATEGORIES: Final = 2
"""The fewest categories that there is anything to choose between."""


@dataclass(frozen=True, slots=True)
class Category:
    """One kind of challenge that a video question can be.

    Attributes:
        name: its name, in one line; unique within a taxonomy but for case.
        definition: what a question asks for that belongs to it, as models and people are told.
        sources: the task labels that it was made of, in words; empty where people wrote it.
    """

    name: str
    definition: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Taxonomy:
    """Categories that every sample belongs to one of.

    Attributes:
        categories: in the order to show them.
        origin: how a model came to propose them, as plain data; empty where people wrote them.
    """

    categories: tuple[Category, ...]
    origin: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        """Check the number of categories, their names and definitions.

        Raises:
            SchemaError: one of them breaks its rule; the message names the category.
        """
        n = len(self.categories)
        if not MIN_CATEGORIES <= n <= MAX_CHOICES:
            raise SchemaError(f"{n} categories; expected {MIN_CATEGORIES} to {MAX_CHOICES}")
        taken: dict[str, int] = {}
        for number, category in enumerate(self.categories, start=1):
            where = f"category {number} ({category.name!r})"
            for part in ("name", "definition"):
                if not getattr(category, part).strip():
                    raise SchemaError(f"{where}: {part} is empty")
            if len(category.name.splitlines()) > 1:
                raise SchemaError(f"{where}: name has several lines; expected one")
            other = taken.setdefault(fold_name(category.name), number)
            if other != number:
                raise SchemaError(
                    f"{where}: category {other} has this name already; rename one of them"
                )
        object.__setattr__(self, "origin", MappingProxyType(dict(self.origin)))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the categories."""
        return tuple(category.name for category in self.categories)

    @cached_property
    def id(self) -> str:
        """Content id over what a panel is told: names and definitions in their order."""
        told = [[category.name, category.definition] for category in self.categories]
        return content_id("taxonomy1", told)

    def find(self, name: str) -> str | None:
        """Return the name of the category that a person means; case and spaces do not matter."""
        by_fold = {fold_name(each): each for each in self.names}
        return by_fold.get(fold_name(name))


def fold_name(name: str) -> str:
    """Return the form in which two names are one."""
    return " ".join(name.split()).casefold()
