"""Defects that the choices of one sample show by themselves."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import Final

from video_oasis.lint.defects import list_choices, quote
from video_oasis.lint.wording import tokens
from video_oasis.schema import Sample

LONG_CHOICE_CHARACTERS: Final = 500
"""Choices longer than this are worth a look."""

_BRACKETED_LABEL: Final = re.compile(r"\s*\(?([A-Z])\)\s*(?=\w)")
# A letter and a dot also begin names ("E. Coli", "A. L. Pasteur"), so the letter must be the one
# that belongs to the place, with no other single letter after it.
_DOTTED_LABEL: Final = re.compile(r"\s*([A-Z])[.:]\s*+(?![A-Z]\b)(?=\S)")
_REFERENCE: Final = re.compile(
    r"""
    \b(?:all|none|both|neither|either|any|some|two)\s+of\s+(?:the|these|those)\s+
        (?:(?:two|three|four|other)\s+)?(?:above|options|choices|answers)\b
    | ^\W*(?:all|none)\s+(?:the\s+)?above\W*$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_LETTERS_ONLY: Final = re.compile(
    r"""
    \s*(?i:(?:both|neither|either|only)\s+)?(?i:(?:options?|choices?)\s+)?
    \(?[A-Z]\)?(?:\s*,\s*\(?[A-Z]\)?)*,?\s+(?:and|or|nor|&)\s+\(?[A-Z]\)?\s*\.?\s*
    """,
    re.VERBOSE,
)


def _repeated(texts: Iterable[object]) -> list[list[int]]:
    places = defaultdict(list)
    for index, text in enumerate(texts):
        places[text].append(index)
    return [indices for indices in places.values() if len(indices) > 1]


def _name_repeats(sample: Sample, groups: list[list[int]]) -> str | None:
    found = [f"{list_choices(group)} read {quote(sample.choices[group[0]])}" for group in groups]
    return "; ".join(found) or None


def duplicates_with_answer(sample: Sample) -> str | None:
    """Choices of exactly equal text, the right one among them."""
    groups = _repeated(sample.choices)
    return _name_repeats(sample, [group for group in groups if sample.target in group])


def duplicates_without_answer(sample: Sample) -> str | None:
    """Choices of exactly equal text, none of them right."""
    groups = _repeated(sample.choices)
    if any(sample.target in group for group in groups):
        return None
    return _name_repeats(sample, groups)


def duplicates_in_other_form(sample: Sample) -> str | None:
    """Choices that differ in case, white space or punctuation only."""
    groups = [
        group
        for group in _repeated(tokens(choice) for choice in sample.choices)
        if len({sample.choices[index] for index in group}) > 1
    ]
    if not groups:
        return None
    found = "; ".join(
        f"{list_choices(group)} read {' and '.join(quote(sample.choices[i]) for i in group)}"
        for group in groups
    )
    return found + _right_among([index for group in groups for index in group], sample)


def _right_among(indices: list[int], sample: Sample) -> str:
    return ", the right one among them" if sample.target in indices else ""


def single_choice(sample: Sample) -> str | None:
    """A question with one choice, which nobody can get wrong."""
    return "there is one choice only" if len(sample.choices) == 1 else None


def empty_choice(sample: Sample) -> str | None:
    """A choice without text."""
    empty = [index for index, choice in enumerate(sample.choices) if not choice.strip()]
    if not empty:
        return None
    where = f"{list_choices(empty)} of {len(sample.choices)} without text"
    return where + _right_among(empty, sample)


def _label(choice: str, index: int) -> str | None:
    if match := _BRACKETED_LABEL.match(choice):
        return match[1]
    match = _DOTTED_LABEL.match(choice)
    return match[1] if match and ord(match[1]) - ord("A") == index else None


def _labels(sample: Sample) -> list[str | None]:
    return [_label(choice, index) for index, choice in enumerate(sample.choices)]


def label_in_some_choices(sample: Sample) -> str | None:
    """A choice that begins with a label while others do not."""
    labelled = [index for index, label in enumerate(_labels(sample)) if label]
    n_choices = len(sample.choices)
    if not 0 < len(labelled) < n_choices:
        return None
    return (
        f"a label stands before {list_choices(labelled)} of {n_choices} only: "
        f"{quote(sample.choices[labelled[0]])}"
    )


def label_in_all_choices(sample: Sample) -> str | None:
    """Choices that all still begin with a label: the labels are out of order, or doubled."""
    labels = _labels(sample)
    if len(labels) < 2 or not all(labels):
        return None
    return f"the choices begin with the labels {', '.join(label for label in labels if label)}"


def refers_to_choices(sample: Sample) -> str | None:
    """A choice that speaks of other choices or their letters, so that their order matters."""
    found = [
        index
        for index, choice in enumerate(sample.choices)
        if _REFERENCE.search(choice) or _names_letters(choice, len(sample.choices))
    ]
    if not found:
        return None
    return "; ".join(f"{list_choices([i])} reads {quote(sample.choices[i])}" for i in found)


def _names_letters(choice: str, n_choices: int) -> bool:
    return _LETTERS_ONLY.fullmatch(choice) is not None and all(
        ord(letter) - ord("A") < n_choices for letter in re.findall(r"\b[A-Z]\b", choice)
    )


def long_choice(sample: Sample) -> str | None:
    """A choice so long that other text may have slipped into it."""
    found = [i for i, choice in enumerate(sample.choices) if len(choice) > LONG_CHOICE_CHARACTERS]
    if not found:
        return None
    longest = max(len(sample.choices[index]) for index in found)
    return f"{list_choices(found)} of up to {longest:,} characters"
