"""Writes numbers that come with an interval."""

from video_oasis.analysis.grades.estimates import Estimate
from video_oasis.report.numbers import NONE, write_change, write_estimate


def write_share(estimate: Estimate) -> str:
    """Write a share in percent, such as ``56.6 [52.1, 61.0]``."""
    return write_estimate(estimate.value, estimate.low, estimate.high)


def write_difference(estimate: Estimate) -> str:
    """Write a difference of shares in points, with its sign and interval."""
    return write_change(estimate.value, estimate.low, estimate.high)


def write_value(estimate: Estimate, *, sign: bool = False) -> str:
    """Write a coefficient or a score with two decimals, such as ``0.41 [0.30, 0.52]``."""
    form = "+.2f" if sign else ".2f"
    if estimate.value is None:
        return NONE
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:{form}}"
    return f"{estimate.value:{form}} [{estimate.low:{form}}, {estimate.high:{form}}]"
