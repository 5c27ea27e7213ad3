"""Choices that stand inside the text of the question."""

import re
from itertools import pairwise
from typing import Final, NamedTuple

from video_oasis.annotations.labels import Label, find_label

_LINE_START: Final = re.compile(r"^", re.MULTILINE)
_LABEL_START: Final = re.compile(r"(?<!\S)[(（]?[^\W\d_][)）.．:：、]")


class InlineChoices(NamedTuple):
    """A question and the choices that were written below it."""

    question: str
    choices: tuple[str, ...]


def split_choices(text: str) -> InlineChoices | None:
    r"""Split a text such as ``Which colour?\n(A) red\n(B) blue``.

    A choice starts at a line that begins with the next label of the series, and only there: a
    choice may hold brackets, line ends and stray letters. Where a series could start at several
    lines, the longest counts, and of equally long ones the last.

    Returns:
        The parts without labels and without white space around them; None if there are no two
        choices.
    """
    lines = [
        (start.start(), find_label(text[start.start() :])) for start in _LINE_START.finditer(text)
    ]
    labelled = [(start, label) for start, label in lines if label is not None]
    longest: list[tuple[int, Label]] = []
    for first, (_, opening) in enumerate(labelled):
        if opening.position == 0:
            series = _follow(labelled[first:], opening.style)
            if len(series) >= len(longest):
                longest = series
    if len(longest) < 2:
        return None
    starts = [start for start, _ in longest]
    ends = [*starts[1:], len(text)]
    choices = (
        text[start + label.end : end].strip()
        for (start, label), end in zip(longest, ends, strict=True)
    )
    return InlineChoices(text[: starts[0]].strip(), tuple(choices))


def has_choices_on_one_line(text: str) -> bool:
    """Tell whether choices seem to stand in one line of a text: ``Which? (A) red (B) blue``."""
    labels = [
        (start.start(), label)
        for start in _LABEL_START.finditer(text)
        if (label := find_label(text[start.start() :]))
    ]
    return any(
        label.style == opening.style
        and (opening.position, label.position) == (0, 1)
        # Initials follow one another at once: A. B. Smith.
        and text[start + opening.end : place].strip()
        and text[place + label.end :].strip()
        for (start, opening), (place, label) in pairwise(labels)
    )


def _follow(labelled: list[tuple[int, Label]], style: str) -> list[tuple[int, Label]]:
    series: list[tuple[int, Label]] = []
    for start, label in labelled:
        if label.style == style and label.position == len(series):
            series.append((start, label))
    return series
