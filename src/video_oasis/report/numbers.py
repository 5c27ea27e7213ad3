"""How numbers are written in every kind of report."""

NONE = "–"
"""Stands where there is no number."""


def write_percent(share: float | None) -> str:
    """Write a share as a percentage with one decimal, without the sign."""
    return NONE if share is None else f"{100 * share:.1f}"


def write_estimate(share: float | None, low: float | None, high: float | None) -> str:
    """Write a share with its interval, such as ``56.6 [52.1, 61.0]``."""
    if share is None or low is None or high is None:
        return write_percent(share)
    return f"{write_percent(share)} [{write_percent(low)}, {write_percent(high)}]"


def write_points(difference: float | None) -> str:
    """Write a difference of shares in percentage points, with its sign."""
    return NONE if difference is None else f"{100 * difference:+.1f}"


def write_change(difference: float | None, low: float | None, high: float | None) -> str:
    """Write a difference of shares with its interval, such as ``+3.1 [-0.4, +6.6]``, in points."""
    if low is None or high is None:
        return write_points(difference)
    return f"{write_points(difference)} [{write_points(low)}, {write_points(high)}]"


def write_p(p: float | None) -> str:
    """Write a p value with as much precision as it deserves."""
    if p is None:
        return NONE
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def write_count(n: int) -> str:
    """Write a count with its thousands apart."""
    return f"{n:,}"


def write_expected(n: float | None) -> str:
    """Write a count that is expected, not counted, with one decimal."""
    return NONE if n is None else f"{n:,.1f}"


def write_ratio(value: float | None) -> str:
    """Write a coefficient such as kappa with two decimals."""
    return NONE if value is None else f"{value:.2f}"


def write_several(n: int, noun: str) -> str:
    """Write a count with its noun, in the plural unless it is one."""
    return f"{write_count(n)} {noun}{'' if n == 1 else 's'}"
