"""Holm's correction, by hand and by its invariants."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from video_oasis.holm import adjust_by_holm


def test_by_hand() -> None:
    # Sorted 0.01, 0.03, 0.04 times 3, 2, 1, never falling.
    assert adjust_by_holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert adjust_by_holm([0.9, 0.8]) == [1.0, 1.0]
    assert adjust_by_holm([]) == []


def test_what_is_not_tested_does_not_count() -> None:
    assert adjust_by_holm([None, 0.01, None, 0.02]) == [None, 0.02, None, 0.02]


@given(st.lists(st.floats(0, 1), max_size=20))
def test_it_only_raises_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = [p for p in adjust_by_holm(p_values) if p is not None]
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)
