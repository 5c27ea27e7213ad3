"""Draws named points on two axes from 0 to 100 percent, with names that keep off each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

_WIDTH: Final = 700
_HEIGHT: Final = 440
_LEFT: Final = 62
_RIGHT: Final = 18
_TOP: Final = 14
_BOTTOM: Final = 52
_CHARACTER: Final = 7.2
_LINE: Final = 15
_NAME_CHARACTERS: Final = 24


@dataclass(frozen=True, slots=True)
class Point:
    """One named point; both numbers are shares from 0 to 1."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class _Box:
    left: float
    top: float
    width: float
    height: float

    def meets(self, other: "_Box") -> bool:
        return (
            self.left < other.left + other.width
            and other.left < self.left + self.width
            and self.top < other.top + other.height
            and other.top < self.top + self.height
        )

    @property
    def is_inside(self) -> bool:
        return (
            self.left >= _LEFT
            and self.left + self.width <= _WIDTH
            and self.top >= 0
            and self.top + self.height <= _HEIGHT - _BOTTOM
        )


def draw_scatter(points: Sequence[Point], *, x_axis: str, y_axis: str, title: str) -> Markup:
    """Draw the points.

    Args:
        points: the points.
        x_axis: what lies along the bottom.
        y_axis: what lies along the left side.
        title: what the picture shows, for those who cannot see it.
    """
    parts = [
        Markup(
            '<svg class="chart" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">'
            "<title>{2}</title>"
        ).format(_WIDTH, _HEIGHT, title)
    ]
    for percent in range(0, 101, 20):
        x, y = _x(percent / 100), _y(percent / 100)
        parts.append(
            Markup(
                '<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>'
                '<line class="grid" x1="{left}" x2="{right}" y1="{y}" y2="{y}"/>'
                '<text class="axis" x="{x}" y="{below}" text-anchor="middle">{percent}</text>'
                '<text class="axis" x="{beside}" y="{text_y}" text-anchor="end">{percent}</text>'
            ).format(
                x=f"{x:.1f}",
                y=f"{y:.1f}",
                top=_TOP,
                bottom=_HEIGHT - _BOTTOM,
                left=_LEFT,
                right=_WIDTH - _RIGHT,
                below=_HEIGHT - _BOTTOM + 18,
                beside=_LEFT - 8,
                text_y=f"{y + 4:.1f}",
                percent=percent,
            )
        )
    parts.append(
        Markup(
            '<text x="{}" y="{}" text-anchor="middle">{}</text>'
            '<text transform="translate(16 {}) rotate(-90)" text-anchor="middle">{}</text>'
        ).format(
            _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2,
            _HEIGHT - 12,
            x_axis,
            _TOP + (_HEIGHT - _TOP - _BOTTOM) / 2,
            y_axis,
        )
    )
    dots = [_Box(_x(point.x) - 6, _y(point.y) - 6, 12, 12) for point in points]
    taken = list(dots)
    for point, dot in zip(points, dots, strict=True):
        name = point.name
        if len(name) > _NAME_CHARACTERS:
            name = name[: _NAME_CHARACTERS - 1] + "…"
        label = _place_label(len(name), dot, taken)
        taken.append(label)
        parts.append(
            Markup(
                '<circle class="point" cx="{}" cy="{}" r="6"><title>{}</title></circle>'
                '<text x="{}" y="{}">{}</text>'
            ).format(
                f"{_x(point.x):.1f}",
                f"{_y(point.y):.1f}",
                point.name,
                f"{label.left:.1f}",
                f"{label.top + 12:.1f}",
                name,
            )
        )
    return Markup("").join([*parts, Markup("</svg>")])


def _place_label(n_characters: int, dot: _Box, taken: Sequence[_Box]) -> _Box:
    """Return the first place near a dot where its name meets nothing; else beside it."""
    width = _CHARACTER * n_characters
    right, left = dot.left + dot.width + 2, dot.left - width - 2
    centre = dot.left + dot.width / 2 - width / 2
    level = dot.top - 1
    places = [
        place
        for away in (0, _LINE, 2 * _LINE, 3 * _LINE)
        for place in (
            (right, level - away),
            (right, level + away),
            (left, level - away),
            (left, level + away),
            (centre, dot.top - _LINE - away),
            (centre, dot.top + dot.height + away),
        )
    ]
    boxes = [_Box(x, y, width, _LINE) for x, y in places]
    others = [box for box in taken if box is not dot]
    return next(
        (box for box in boxes if box.is_inside and not any(box.meets(other) for other in others)),
        boxes[0],
    )


def _x(share: float) -> float:
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * share


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share
