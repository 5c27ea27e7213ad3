"""Reads the answers of a planned audit, in the one form that verdicts are made from."""

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from video_oasis.analysis.grid import AnswerGrid, arrange
from video_oasis.audit import PreparedAudit
from video_oasis.diagnostics import DIAGNOSTICS
from video_oasis.store import Store
from video_oasis.table import make_long_table


@dataclass(frozen=True, slots=True)
class Answered:
    """The answers of an audit.

    Attributes:
        whole: the long table.
        table: its rows but those of spares: of models that have a vote, or no part in the tests.
        grid: those rows, arranged.
        tests: the diagnostics whose verdicts make up the union.
        threshold: how many models of one test must be right to make a sample a shortcut.
    """

    whole: pl.DataFrame
    table: pl.DataFrame
    grid: AnswerGrid
    tests: tuple[str, ...]
    threshold: int

    @property
    def n_models(self) -> Mapping[str, int]:
        """The number of models of each test."""
        return _count_models(self.grid, self.tests)


def read_answered(audit: PreparedAudit, store: Store) -> Answered:
    """Read the answers that there are; those that are missing count as missing.

    Args:
        audit: the planned audit.
        store: its answers.
    """
    whole = make_long_table(audit.assignments, store)
    table = whole.filter(~pl.col("model").is_in(list(audit.spares))) if audit.spares else whole
    grid = arrange(table)
    tests = tuple(name for name in grid.tests if DIAGNOSTICS[name].is_test)
    largest = max(_count_models(grid, tests).values(), default=1)
    return Answered(whole, table, grid, tests, audit.settings.threshold or largest)


def _count_models(grid: AnswerGrid, tests: tuple[str, ...]) -> dict[str, int]:
    return {name: grid.tests[name].stop - grid.tests[name].start for name in tests}
