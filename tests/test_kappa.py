"""Agreement beyond chance, against values worked out by hand."""

import numpy as np
import pytest

from video_oasis.kappa import correct_for_chance, expect_agreeing, share_agreeing


def test_kappa_of_samples_with_two_to_four_raters() -> None:
    counts = np.array([[3, 0], [1, 1], [1, 3]])
    # Of three pairs three agree, of one none, of six three.
    shares = share_agreeing(counts)
    assert shares == pytest.approx([1, 0, 1 / 2])
    # Five of nine chose the first.
    expected = expect_agreeing(counts.sum(axis=0, dtype=np.float64)[:, None])
    assert expected == pytest.approx([(25 + 16) / 81])
    kappa = correct_for_chance(np.array([shares.mean()]), expected)
    assert kappa == pytest.approx([(1 / 2 - 41 / 81) / (40 / 81)])


def test_kappa_is_undefined_where_all_choose_the_same_or_nothing() -> None:
    totals = np.array([[4, 0], [0, 0]], np.float32)
    expected = expect_agreeing(totals)
    assert expected[0] == 1
    assert np.isnan(correct_for_chance(np.ones(2, np.float32), expected)).all()
