"""Option labels such as ``A. `` or ``(B) ``: finding them and taking them off."""

import re
import string
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

_LETTER = "[A-Za-zＡ-Ｚａ-ｚ]"
# A dot with a letter and another dot behind it is an abbreviation (A.D., B.C.), not a label.
_STYLES: Final = {
    "(A)": rf"[(（]({_LETTER})[)）]\s*",
    "A)": rf"({_LETTER})[)）]\s*",
    "A.": rf"({_LETTER})[.．](?!\w\.)\s*",
    "A:": rf"({_LETTER})[:：]\s*",
    "A、": rf"({_LETTER})、\s*",
}
_PATTERNS: Final = {style: re.compile(rf"\s*{pattern}") for style, pattern in _STYLES.items()}


class Label(NamedTuple):
    """A label at the start of a text.

    Attributes:
        style: how it is written; two labels are of one series only if their styles are equal.
        position: the place of its letter in the alphabet, from 0.
        end: where the text after it starts.
    """

    style: str
    position: int
    end: int


def find_label(text: str) -> Label | None:
    """Return what may be a label at the start of a text, full-width letters included."""
    for style, pattern in _PATTERNS.items():
        if found := pattern.match(text):
            letter = unicodedata.normalize("NFKC", found[1])
            case = "upper" if letter.isupper() else "lower"
            position = string.ascii_uppercase.index(letter.upper())
            return Label(f"{style} {case}", position, found.end())
    return None


def find_labels(options: Sequence[str]) -> tuple[str, ...] | None:
    """Return the letters that label the options, in whatever order they stand.

    Returns:
        One upper-case letter for each option; None unless there are two options or more, each has
        a label, all labels are of one style, and none repeats.
    """
    found = [label for option in options if (label := find_label(option))]
    positions = [label.position for label in found]
    if len(found) < 2 or len(found) < len(options) or len({label.style for label in found}) > 1:
        return None
    if len(set(positions)) < len(positions):
        return None
    return tuple(string.ascii_uppercase[position] for position in positions)


def strip_labels(options: Sequence[str]) -> tuple[str, ...]:
    """Take the labels off the options of one sample.

    They come off only if all options carry the labels A, B, C and so on of one style, so that
    "A. L. Pasteur" among names stays whole; and only once, so that a label published twice stays
    for ``oasis lint`` to report. Empty options at the end need no label: some benchmarks publish
    an option that was never filled in.
    """
    filled = len(options)
    while filled and not options[filled - 1].strip():
        filled -= 1
    labels = find_labels(options[:filled])
    if labels != tuple(string.ascii_uppercase[:filled]):
        return tuple(options)
    ends = [label.end for option in options[:filled] if (label := find_label(option))]
    stripped = [option[end:] for option, end in zip(options[:filled], ends, strict=True)]
    return (*stripped, *options[filled:])
