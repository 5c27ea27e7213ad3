"""Draws how far models fall from one input to others: two dots a row, and what lies between."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup

_ROW: Final = 24
_LABEL_WIDTH: Final = 190
_PLOT_WIDTH: Final = 400
_VALUE_WIDTH: Final = 200
_TOP: Final = 26
_LABEL_CHARACTERS: Final = 60


@dataclass(frozen=True, slots=True)
class Fall:
    """One model under a reference and another input; shares from 0 to 1.

    Attributes:
        model: the model.
        other: the other input.
        reference: accuracy under the reference.
        value: accuracy under the other input.
        low: lowest accuracy under the other input that the paired difference leaves likely; None if
            there is no interval.
        high: the highest.
        chance: what guessing gives.
        marked: whether the fall is beyond doubt.
        text: the fall in words.
    """

    model: str
    other: str
    reference: float
    value: float
    low: float | None
    high: float | None
    chance: float
    marked: bool
    text: str


def draw_falls(falls: Sequence[Fall], *, title: str) -> Markup:
    """Draw the falls, those of a model below its name.

    Args:
        falls: the rows, those of one model together.
        title: what the picture shows, for those who cannot see it.
    """
    models = [(model, list(its)) for model, its in groupby(falls, key=lambda fall: fall.model)]
    height = _TOP + _ROW * (len(falls) + len(models)) + 8
    width = _LABEL_WIDTH + _PLOT_WIDTH + _VALUE_WIDTH
    parts = [
        Markup(
            '<svg class="chart" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">'
            "<title>{2}</title>"
        ).format(width, height, title)
    ]
    parts += [
        Markup(
            '<line class="grid" x1="{0}" x2="{0}" y1="20" y2="{1}"/>'
            '<text class="axis" x="{0}" y="14" text-anchor="middle">{2} %</text>'
        ).format(_x(share), height, round(100 * share))
        for share in (0, 0.25, 0.5, 0.75, 1)
    ]
    y = _TOP + _ROW / 2
    for model, its in models:
        parts.append(_draw_model(model, y))
        for fall in its:
            y += _ROW
            parts.append(_draw_fall(fall, y))
        y += _ROW
    return Markup("").join([*parts, Markup("</svg>")])


def _x(share: float) -> str:
    return f"{_LABEL_WIDTH + _PLOT_WIDTH * min(max(share, 0.0), 1.0):.1f}"


def _draw_model(model: str, y: float) -> Markup:
    name = model if len(model) <= _LABEL_CHARACTERS else model[: _LABEL_CHARACTERS - 1] + "…"
    return Markup('<text class="strong" x="4" y="{}">{}</text>').format(y + 4, name)


def _draw_fall(fall: Fall, y: float) -> Markup:
    kind = "marked" if fall.marked else "plain"
    interval = Markup("")
    if fall.low is not None and fall.high is not None:
        interval = Markup(
            '<line class="interval {0}" x1="{1}" x2="{2}" y1="{3}" y2="{3}"/>'
        ).format(kind, _x(fall.low), _x(fall.high), y)
    return Markup(
        '<text x="{label_x}" y="{text_y}" text-anchor="end">{other}</text>'
        '<line class="between" x1="{reference}" x2="{value}" y1="{y}" y2="{y}"/>'
        '<line class="reference" x1="{chance}" x2="{chance}" y1="{top}" y2="{bottom}"/>'
        '{interval}<circle class="standard" cx="{reference}" cy="{y}" r="5"/>'
        '<circle class="{kind}" cx="{value}" cy="{y}" r="4.5"/>'
        '<text class="value" x="{value_x}" y="{text_y}">{text}</text>'
    ).format(
        label_x=_LABEL_WIDTH - 14,
        text_y=y + 4,
        other=fall.other,
        reference=_x(fall.reference),
        value=_x(fall.value),
        chance=_x(fall.chance),
        top=y - 8,
        bottom=y + 8,
        y=y,
        interval=interval,
        kind=kind,
        value_x=_LABEL_WIDTH + _PLOT_WIDTH + 14,
        text=fall.text,
    )
