"""The published answer to an index into the choices, or to the reason why there is none."""

import re
import string
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from video_oasis.annotations.labels import find_label, find_labels

_LETTER: Final = re.compile(r"\(?([A-Za-z])\)?[.:、]?")
_WHOLE_NUMBER: Final = re.compile(r"(-?\d+)(?:\.0*)?", re.ASCII)


class AnswerForm(StrEnum):
    """How a benchmark names the right choice."""

    LETTER = "letter"
    """By its label: C, (C), c or C."""
    INDEX0 = "index0"
    """By its number, counted from 0."""
    INDEX1 = "index1"
    """By its number, counted from 1."""
    TEXT = "text"
    """By its text."""


class Fault(NamedTuple):
    """Why an answer names no choice.

    Attributes:
        code: ``target_empty``, ``target_out_of_range``, ``target_not_found`` or
            ``target_ambiguous``.
        message: what was found and what was expected.
    """

    code: str
    message: str


def read_target(
    answer: object,
    choices: Sequence[str],
    form: AnswerForm,
    *,
    labels: Sequence[str] | None = None,
    published: Sequence[str] = (),
) -> int | Fault:
    """Find the choice that the published answer names.

    Args:
        answer: the answer as it stands in the file: text or number.
        choices: the choices, without labels.
        form: how the answer names a choice.
        labels: the label of each choice where they are published apart from the texts; None for
            A, B, C and so on.
        published: the choices as published, where they may carry labels. A letter is refused if
            these labels are out of order and give it to another choice than its place does.

    Returns:
        The index of the right choice, or why there is none. Of choices of equal text the first
        counts, as they are one answer.
    """
    if answer is None or not str(answer).strip():
        return Fault("target_empty", f"the answer is empty; expected {_name_form(form)}")
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return Fault("target_not_found", f"answer {answer!r}; expected {_name_form(form)}")
    text = unicodedata.normalize("NFKC", str(answer)).strip()
    if form is AnswerForm.TEXT:
        return _find_text(str(answer), choices)
    if form is AnswerForm.LETTER:
        return _find_letter(text, len(choices), labels, published)
    return _find_index(text, len(choices), base=0 if form is AnswerForm.INDEX0 else 1)


def is_letter(answer: object) -> bool:
    """Tell whether an answer is one letter, as answers are that name a choice: C, (C) or c."""
    return _LETTER.fullmatch(unicodedata.normalize("NFKC", str(answer)).strip()) is not None


def fold_text(text: str) -> str:
    """Return a text without what may differ between two ways of writing it: case and space."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _name_form(form: AnswerForm) -> str:
    return {
        AnswerForm.LETTER: "the letter of an option",
        AnswerForm.INDEX0: "an index from 0",
        AnswerForm.INDEX1: "an index from 1",
        AnswerForm.TEXT: "the text of an option",
    }[form]


def _find_letter(
    text: str, n_choices: int, labels: Sequence[str] | None, published: Sequence[str]
) -> int | Fault:
    found = _LETTER.fullmatch(text)
    if labels is not None:
        return _find_label(text, found[1] if found else text, labels)
    if not found:
        return Fault("target_not_found", f"answer {text!r}; expected the letter of an option")
    letter = found[1].upper()
    index = string.ascii_uppercase.index(letter)
    written = find_labels(published)
    in_order = written is None or written == tuple(string.ascii_uppercase[:n_choices])
    disorder = "" if in_order or written is None else f", labelled {' '.join(written)}"
    if index >= n_choices:
        last = string.ascii_uppercase[n_choices - 1]
        return Fault(
            "target_out_of_range", f"answer {text!r}, but {n_choices} options (A–{last}{disorder})"
        )
    if written and written[index] != letter:
        return Fault(
            "target_ambiguous",
            f"answer {text!r}, but option number {index + 1} has another label ({disorder[2:]})",
        )
    return index


def _find_label(text: str, letter: str, labels: Sequence[str]) -> int | Fault:
    for label in (text, letter, letter.upper(), letter.lower()):
        if label in labels:
            return labels.index(label)
    return Fault("target_out_of_range", f"answer {text!r}, but the options are {', '.join(labels)}")


def _find_index(text: str, n_choices: int, *, base: int) -> int | Fault:
    found = _WHOLE_NUMBER.fullmatch(text)
    if not found:
        return Fault("target_not_found", f"answer {text!r}; expected an index from {base}")
    index = int(found[1]) - base
    if not 0 <= index < n_choices:
        return Fault(
            "target_out_of_range",
            f"answer {text!r}, but {n_choices} options ({base} to {n_choices - 1 + base})",
        )
    return index


def _find_text(text: str, choices: Sequence[str]) -> int | Fault:
    if text in choices:
        return choices.index(text)
    folded = fold_text(text)
    near = [index for index, choice in enumerate(choices) if fold_text(choice) == folded]
    if not near and (label := find_label(text)):
        # The answer may carry the label that the choices have lost.
        own = fold_text(text[label.end :])
        near = [index for index, choice in enumerate(choices) if fold_text(choice) == own]
        near = [index for index in near if index == label.position] or near
    if not near:
        return Fault("target_not_found", f"answer {text!r} is not among the {len(choices)} options")
    if len({choices[index] for index in near}) > 1:
        return Fault(
            "target_ambiguous",
            f"answer {text!r} fits options {_numbers(near)} but for case and space",
        )
    return near[0]


def _numbers(indices: Sequence[int]) -> str:
    return ", ".join(str(index + 1) for index in indices)
