"""Reads sources in tests."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from video_oasis.generate.sources import SOURCES
from video_oasis.schema import BadRow

Read = Callable[[str, Path], tuple[list[Any], list[BadRow]]]


@pytest.fixture
def read() -> Read:
    """Read a source; return its records and its bad rows."""

    def read(name: str, root: Path) -> tuple[list[Any], list[BadRow]]:
        rows = list(SOURCES[name].read(root))
        return (
            [row for row in rows if not isinstance(row, BadRow)],
            [row for row in rows if isinstance(row, BadRow)],
        )

    return read
