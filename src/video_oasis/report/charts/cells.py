"""Draws small pictures that stand in the cells of a page's tables.

The number that a picture shows always stands beside it as text, so readers who cannot see pictures
lose nothing and the pictures carry no text of their own.
"""

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

_WIDTH: Final = 130
_HEIGHT: Final = 20
_MARGIN: Final = 5

_OPEN = Markup(
    '<svg class="cell" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
    'aria-hidden="true">'
)


def draw_estimate(
    value: float,
    *,
    low: float | None,
    high: float | None,
    reference: float | None,
    marked: bool,
) -> Markup:
    """Draw a share on a line from 0 to 1: a dot, its interval, and a tick at what to compare with.

    Args:
        value: the estimate.
        low: lower end of its interval, None for none.
        high: its upper end.
        reference: what guessing gives; None for no tick.
        marked: whether to point it out.
    """
    middle = _HEIGHT / 2
    kind = "marked" if marked else "plain"
    parts = [
        _OPEN.format(width=_WIDTH, height=_HEIGHT),
        Markup('<line class="grid" x1="{}" x2="{}" y1="{}" y2="{}"/>').format(
            _place(0), _place(1), middle, middle
        ),
    ]
    if reference is not None:
        parts.append(
            Markup('<line class="reference" x1="{0}" x2="{0}" y1="2" y2="{1}"/>').format(
                _place(reference), _HEIGHT - 2
            )
        )
    if low is not None and high is not None:
        parts.append(
            Markup('<line class="interval {0}" x1="{1}" x2="{2}" y1="{3}" y2="{3}"/>').format(
                kind, _place(low), _place(high), middle
            )
        )
    parts.append(
        Markup('<circle class="{}" cx="{}" cy="{}" r="4"/></svg>').format(
            kind, _place(value), middle
        )
    )
    return Markup("").join(parts)


def draw_part(whole: int, part: int, largest: int) -> Markup:
    """Draw a bar for a count, and within it a darker one for a part of it.

    Args:
        whole: the count.
        part: the part.
        largest: the count whose bar is as long as can be.
    """
    bars = [
        Markup('<rect class="{}" x="0" y="3" width="{}" height="{}"/>').format(
            kind, f"{_WIDTH * count / max(largest, 1):.1f}", _HEIGHT - 6
        )
        for kind, count in (("whole", whole), ("part", part))
    ]
    return Markup("").join([_OPEN.format(width=_WIDTH, height=_HEIGHT), *bars, Markup("</svg>")])


def draw_shares(counts: Sequence[tuple[str, int]]) -> Markup:
    """Draw one bar as wide as its place, divided by counts.

    Args:
        counts: class names and counts, from left to right.
    """
    total = max(sum(count for _, count in counts), 1)
    parts = [
        Markup('<svg class="shares" viewBox="0 0 1000 10" preserveAspectRatio="none"')
        + Markup(' aria-hidden="true">')
    ]
    start = 0.0
    for name, count in counts:
        width = 1000 * count / total
        parts.append(
            Markup('<rect class="{}" x="{}" y="0" width="{}" height="10"/>').format(
                name, f"{start:.1f}", f"{width:.1f}"
            )
        )
        start += width
    return Markup("").join([*parts, Markup("</svg>")])


def _place(share: float) -> str:
    """Return where on its line a share lies; corrected shares can lie a little below 0."""
    return f"{_MARGIN + (_WIDTH - 2 * _MARGIN) * min(max(share, 0.0), 1.0):.1f}"
