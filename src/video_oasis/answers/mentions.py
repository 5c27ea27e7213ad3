"""Reads a reply that declares nothing: a label at its head, or the one letter it stands by."""

import re
from typing import Final

from video_oasis.answers.declarations import read_label
from video_oasis.answers.letters import is_rejected_after, is_word, letter_alone, split_label
from video_oasis.answers.options import LETTER_OUT_OF_RANGE, SEVERAL_CANDIDATES, Options
from video_oasis.schema import Reading, Status

_MENTION: Final = re.compile(
    r"""(?:(?P<noun>\b(?:option|choice|letter)\ )|(?<![A-Za-z0-9_'’.\-+]))
        (?P<open>[(\[{"'“])?(?P<letter>[A-Z])(?![A-Za-z0-9_'’\-+\#]|\.[A-Za-z])""",
    re.VERBOSE,
)
_REJECTED_BEFORE: Final = re.compile(
    r"""(?:\b(?:not|neither|nor|except|than|instead\ of|eliminates?|exclude|rule\ out|reject)
        |n['’]t|不是)\ (?:option\ |choice\ |\()?$""",
    re.VERBOSE | re.IGNORECASE,
)
_REASON: Final = re.compile(r",? ?(?:because|since|as|due to|based on)\b", re.IGNORECASE)
_JOINED: Final = re.compile(r"(?:and|or|vs|und|oder)\b|[,/&]")


def read_label_lines(text: str, options: Options) -> Reading | None:
    """Read the lines that are nothing but a letter: the first or last line, often."""
    lines = text.split("\n")
    letters = {letter.upper() for line in (lines[0], lines[-1]) if (letter := letter_alone(line))}
    if len(letters) > 1:
        return SEVERAL_CANDIDATES
    return options.with_letter(letters.pop()) if letters else None


def read_leading_label(text: str, options: Options) -> Reading | None:
    """Read a reply that begins with a letter and goes on with its text or a reason.

    A list of several labelled lines begins with one too, and picks none.
    """
    labels = [label for line in text.split("\n") if (label := _delimited_label(line))]
    if not labels or _delimited_label(text.split("\n", 1)[0]) is None:
        return None
    if len({letter.upper() for letter, _ in labels}) > 1:
        return SEVERAL_CANDIDATES
    return read_label(*labels[0], options)


def read_mentions(text: str, options: Options) -> Reading | None:
    """Read the letters that stand alone in running text: the choice if there is only one."""
    letters: set[str] = set()
    for mention in _MENTION.finditer(text):
        letter = mention["letter"]
        marked = mention["open"] or mention["noun"]
        if not marked and is_word(text, letter, mention.end()):
            continue
        before = text[max(0, mention.start() - 30) : mention.start("letter")]
        if _REJECTED_BEFORE.search(before) or is_rejected_after(text, mention.end()):
            continue
        letters.add(letter)
    known = letters.intersection(options.letters)
    if len(known) > 1:
        return SEVERAL_CANDIDATES
    if known:
        return Reading(Status.OK, options.letters.index(known.pop()))
    return LETTER_OUT_OF_RANGE if letters else None


def _delimited_label(line: str) -> tuple[str, str] | None:
    """Split a line at a letter that labels what follows, or that a reason follows."""
    label = split_label(line)
    if label is None or _REASON.match(label[1]):
        return label
    letter, rest = label
    # "B is my pick" begins with a letter but labels nothing; "B. is" and "(B) is" do.
    delimited = not line.startswith(f"{letter} ") or line[2:3] in "-–—:)"
    return label if delimited and not _JOINED.match(rest) else None
