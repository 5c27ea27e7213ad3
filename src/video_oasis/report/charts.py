"""Charts as SVG text that stands inside a page and takes its colours from the page's style."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

_ROW_HEIGHT: Final = 24
_LABEL_WIDTH: Final = 300
_PLOT_WIDTH: Final = 420
_VALUE_WIDTH: Final = 70
_TOP: Final = 26
_LABEL_CHARACTERS: Final = 42


@dataclass(frozen=True, slots=True)
class Interval:
    """One row of an interval chart; all numbers are shares from 0 to 1.

    Attributes:
        label: what the row is about.
        value: the estimate.
        low: lower end of its interval, None for none.
        high: its upper end.
        reference: the chance level to compare with.
        marked: whether to point it out.
    """

    label: str
    value: float
    low: float | None
    high: float | None
    reference: float
    marked: bool


def draw_intervals(rows: Sequence[Interval], *, title: str) -> Markup:
    """Draw one line a row: the estimate with its interval, and a tick at the chance level.

    Args:
        rows: the rows, from top to bottom.
        title: what the chart shows, for those who cannot see it.
    """
    height = _TOP + _ROW_HEIGHT * len(rows) + 8
    width = _LABEL_WIDTH + _PLOT_WIDTH + _VALUE_WIDTH
    parts = [
        Markup('<svg class="chart" role="img" viewBox="0 0 {} {}" width="{}">').format(
            width, height, width
        ),
        Markup("<title>{}</title>").format(title),
        *(_draw_grid_line(share, height) for share in (0, 0.25, 0.5, 0.75, 1)),
        *(_draw_row(row, _TOP + _ROW_HEIGHT * (number + 0.5)) for number, row in enumerate(rows)),
        Markup("</svg>"),
    ]
    return Markup("").join(parts)


def _x(share: float) -> str:
    return f"{_LABEL_WIDTH + _PLOT_WIDTH * share:.1f}"


def _draw_grid_line(share: float, height: int) -> Markup:
    return Markup(
        '<line class="grid" x1="{0}" x2="{0}" y1="20" y2="{1}"/>'
        '<text class="axis" x="{0}" y="14" text-anchor="middle">{2} %</text>'
    ).format(_x(share), height, round(100 * share))


def _draw_row(row: Interval, y: float) -> Markup:
    label = row.label
    if len(label) > _LABEL_CHARACTERS:
        label = label[: _LABEL_CHARACTERS - 1] + "…"
    kind = "marked" if row.marked else "plain"
    interval = Markup("")
    if row.low is not None and row.high is not None:
        interval = Markup(
            '<line class="interval {0}" x1="{1}" x2="{2}" y1="{3}" y2="{3}"/>'
        ).format(kind, _x(row.low), _x(row.high), y)
    return Markup(
        '<text class="label" x="{label_x}" y="{text_y}" text-anchor="end">{label}'
        "<title>{full}</title></text>{interval}"
        '<line class="reference" x1="{chance}" x2="{chance}" y1="{top}" y2="{bottom}"/>'
        '<circle class="{kind}" cx="{value}" cy="{y}" r="4.5"/>'
        '<text class="value" x="{value_x}" y="{text_y}">{percent:.1f}</text>'
    ).format(
        label_x=_LABEL_WIDTH - 12,
        text_y=y + 4,
        label=escape(label),
        full=row.label,
        interval=interval,
        chance=_x(row.reference),
        top=y - 8,
        bottom=y + 8,
        kind=kind,
        value=_x(row.value),
        y=y,
        value_x=_LABEL_WIDTH + _PLOT_WIDTH + 14,
        percent=100 * row.value,
    )
