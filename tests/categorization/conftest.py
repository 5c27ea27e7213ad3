"""Fixtures for taxonomies and stores."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from video_oasis.store import Store
from video_oasis.taxonomy.category import Category, Taxonomy


@pytest.fixture
def taxonomy() -> Taxonomy:
    return Taxonomy(
        (
            Category("Order", "When things\nhappen."),
            Category("Place", "Where things are."),
            Category("Reason", "Why things happen."),
        )
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.create(tmp_path / "answers.sqlite") as opened:
        yield opened
