"""Corrects p values for being many, by Holm's step-down rule (Holm 1979)."""

from collections.abc import Sequence
from typing import overload


@overload
def adjust_by_holm(p_values: Sequence[float]) -> list[float]: ...
@overload
def adjust_by_holm(p_values: Sequence[float | None]) -> list[float | None]: ...
def adjust_by_holm(p_values: Sequence[float | None]) -> Sequence[float | None]:
    """Return the p values adjusted for the size of their family, in the order given.

    Args:
        p_values: the family; None where there is no test, which stays None and does not count.
    """
    tested = [(p, index) for index, p in enumerate(p_values) if p is not None]
    adjusted: list[float | None] = [None] * len(p_values)
    highest = 0.0
    for rank, (p, index) in enumerate(sorted(tested)):
        highest = max(highest, min(1.0, (len(tested) - rank) * p))
        adjusted[index] = highest
    return adjusted
