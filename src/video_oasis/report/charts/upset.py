"""Draws how sets overlap, as UpSet plots do: one column for each combination of sets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from video_oasis.report.numbers import write_count

_COLUMN: Final = 34
_ROW: Final = 28
_BARS_HEIGHT: Final = 150
_BARS_TOP: Final = 22
_SIZES_WIDTH: Final = 110
_CHARACTER: Final = 7.5


@dataclass(frozen=True, slots=True)
class Combination:
    """The members of exactly these sets and no others.

    Attributes:
        sets: the names of the sets.
        n: how many members.
    """

    sets: frozenset[str]
    n: int


def draw_upset(
    sizes: Sequence[tuple[str, int]], combinations: Sequence[Combination], *, title: str
) -> Markup:
    """Draw the sets as rows and their combinations as columns with a bar each.

    Args:
        sizes: names and sizes of the sets, from top to bottom.
        combinations: the columns, from left to right.
        title: what the picture shows, for those who cannot see it.
    """
    names_width = int(_CHARACTER * max((len(name) for name, _ in sizes), default=0)) + 14
    left = _SIZES_WIDTH + names_width
    rows_top = _BARS_TOP + _BARS_HEIGHT + 14
    width = left + _COLUMN * len(combinations) + 10
    height = rows_top + _ROW * len(sizes) + 6
    largest_set = max((n for _, n in sizes), default=1) or 1
    largest = max((each.n for each in combinations), default=1) or 1
    parts = [
        Markup(
            '<svg class="chart" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">'
            "<title>{2}</title>"
        ).format(width, height, title)
    ]
    for number, (name, size) in enumerate(sizes):
        middle = rows_top + _ROW * (number + 0.5)
        length = (_SIZES_WIDTH - 50) * size / largest_set
        if number % 2 == 0:
            parts.append(
                Markup('<rect class="stripe" x="0" y="{}" width="{}" height="{}"/>').format(
                    rows_top + _ROW * number, width, _ROW
                )
            )
        parts.append(
            Markup(
                '<text class="axis" x="{count_x}" y="{text_y}" text-anchor="end">{count}</text>'
                '<rect class="whole" x="{bar_x}" y="{bar_y}" width="{length}" height="12"/>'
                '<text x="{name_x}" y="{text_y}">{name}</text>'
            ).format(
                count_x=f"{_SIZES_WIDTH - length - 5:.1f}",
                count=write_count(size),
                bar_x=f"{_SIZES_WIDTH - length:.1f}",
                bar_y=middle - 6,
                length=f"{length:.1f}",
                name_x=_SIZES_WIDTH + 8,
                text_y=middle + 4,
                name=name,
            )
        )
    for number, combination in enumerate(combinations):
        parts.append(
            _draw_column(
                [number for number, (name, _) in enumerate(sizes) if name in combination.sets],
                n_sets=len(sizes),
                middle=left + _COLUMN * (number + 0.5),
                rows_top=rows_top,
                share=combination.n / largest,
                count=combination.n,
            )
        )
    return Markup("").join([*parts, Markup("</svg>")])


def _draw_column(
    members: Sequence[int],
    *,
    n_sets: int,
    middle: float,
    rows_top: int,
    share: float,
    count: int,
) -> Markup:
    top = _BARS_TOP + _BARS_HEIGHT * (1 - share)
    parts = [
        Markup(
            '<rect class="{kind}" x="{x}" y="{top}" width="22" height="{height}"/>'
            '<text class="axis" x="{middle}" y="{text_y}" text-anchor="middle">{count}</text>'
        ).format(
            kind="part" if len(members) == 1 else "whole",
            x=middle - 11,
            top=f"{top:.1f}",
            height=f"{_BARS_HEIGHT * share:.1f}",
            middle=middle,
            text_y=f"{top - 6:.1f}",
            count=write_count(count),
        )
    ]
    places = [rows_top + _ROW * (number + 0.5) for number in range(n_sets)]
    parts += [
        Markup('<circle class="absent" cx="{}" cy="{}" r="5"/>').format(middle, place)
        for number, place in enumerate(places)
        if number not in members
    ]
    if len(members) > 1:
        parts.append(
            Markup('<line class="joined" x1="{0}" x2="{0}" y1="{1}" y2="{2}"/>').format(
                middle, places[members[0]], places[members[-1]]
            )
        )
    parts += [
        Markup('<circle class="present" cx="{}" cy="{}" r="6"/>').format(middle, places[number])
        for number in members
    ]
    return Markup("").join(parts)
