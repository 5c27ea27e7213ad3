"""How often raters agree, and how far that is beyond chance: Fleiss' kappa (Fleiss 1971)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Numbers = Floats | NDArray[np.integer]

_SMALLEST: Final = 1e-6
"""Differences below it are of rounding, also in single precision."""


def share_agreeing(counts: Numbers) -> NDArray[np.float64]:
    """Return for each sample the share of pairs of its raters that agree.

    Args:
        counts: samples x categories, how many raters chose each; at least two raters a sample, and
            not every sample needs as many.
    """
    n_raters = counts.sum(axis=1)
    shares: NDArray[np.float64] = ((counts**2).sum(axis=1) - n_raters) / (n_raters * (n_raters - 1))
    return shares


def expect_agreeing(totals: Floats) -> Floats:
    """Return the share of pairs that would agree if only how frequent categories are decided.

    Args:
        totals: categories x columns, how often each was chosen in all samples of a column.

    Returns:
        One share for each column; NaN where nothing was chosen.
    """
    with np.errstate(invalid="ignore"):
        shares = totals / totals.sum(axis=0)
    expected: Floats = (shares**2).sum(axis=0)
    return expected


def correct_for_chance(agreeing: Floats, expected: Floats) -> Floats:
    """Return kappa, (agreeing - expected) / (1 - expected); NaN where chance alone agrees always.

    Args:
        agreeing: the share of pairs that agree, one for each column.
        expected: the share that would by chance, as Fleiss or Cohen have it.
    """
    beyond = 1 - expected
    return np.divide(
        agreeing - expected,
        beyond,
        out=np.full_like(agreeing, np.nan),
        where=beyond > _SMALLEST,
    )
