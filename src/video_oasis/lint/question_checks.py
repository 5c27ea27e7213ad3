"""Defects that a question shows together with its choices, or by itself."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from video_oasis.lint.defects import quote
from video_oasis.lint.wording import answer_tokens, contains_phrase, content_tokens, tokens
from video_oasis.schema import OpenQuestion, Sample

_NAMED_LETTER: Final = re.compile(r"\b(?:[Oo]ption|[Cc]hoice|[Aa]nswer)\s+\(?([A-HJ-Z])\b(?!['’])")
_EMBEDDED_LABEL: Final = re.compile(r"(?:^|\s)\(?([A-Z])[.):]\s*(?=\S)")
_SINGLE_LETTER: Final = re.compile(r"\s*\(?[A-Z]\)?[.:]?\s*")
_MOJIBAKE: Final = re.compile("�|ï»¿|â(?:€|\x80)|[ÃÂ][\x80-\xbf]|Ã[ƒ‚„…†‡‰‹“”•–—˜™›]|ðŸ")
_MARKUP: Final = re.compile(
    r"</?(?:a|b|br|code|div|em|font|h[1-6]|i|img|li|ol|p|pre|span|strong|sub|sup|t[dhr]|table|u|ul)"
    r"(?:\s[^<>]*)?/?>|&(?:amp|lt|gt|quot|apos|nbsp|#\d+|#x[0-9a-f]+);",
    re.IGNORECASE,
)
_INVISIBLE: Final = frozenset(
    "\N{ZERO WIDTH SPACE}\N{ZERO WIDTH NO-BREAK SPACE}\N{WORD JOINER}\N{SOFT HYPHEN}"
    "\N{LEFT-TO-RIGHT MARK}\N{RIGHT-TO-LEFT MARK}\N{LEFT-TO-RIGHT EMBEDDING}"
    "\N{RIGHT-TO-LEFT EMBEDDING}\N{POP DIRECTIONAL FORMATTING}\N{LEFT-TO-RIGHT OVERRIDE}"
    "\N{RIGHT-TO-LEFT OVERRIDE}\N{LEFT-TO-RIGHT ISOLATE}\N{RIGHT-TO-LEFT ISOLATE}"
    "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"
)


def texts(row: Sample | OpenQuestion) -> Iterator[tuple[str, str]]:
    """Give every text of a row that a model or a scorer reads, with the name of its place."""
    yield "question", row.question
    if isinstance(row, OpenQuestion):
        yield "reference", row.reference
    else:
        yield from ((f"choice {i}", choice) for i, choice in enumerate(row.choices, start=1))


def empty_question(row: Sample | OpenQuestion) -> str | None:
    """A question without text."""
    return None if row.question.strip() else "the question has no text"


def embedded_choices(row: Sample | OpenQuestion) -> str | None:
    """A question whose text still lists choices, labelled A, B and so on."""
    labels = _EMBEDDED_LABEL.findall(row.question)
    in_order = [letter for i, letter in enumerate(labels) if letter == chr(ord("A") + i)]
    if len(in_order) < 2:
        return None
    return f"the question's text lists choices {', '.join(in_order)}"


def answer_in_question(sample: Sample) -> str | None:
    """A question that contains the text of the right choice and of no other; numbers aside.

    In released benchmarks the one choice that a question contains is right less often than chance,
    so this is a hint for a reader, not a shortcut by itself: the rule ``question_overlap`` of the
    bias table tells whether it is one.
    """
    question = tokens(sample.question)
    right = tokens(sample.choices[sample.target])
    is_number = len(right) == 1 and not right[0].isalpha()
    if sample.n_answers == 1 or is_number or not contains_phrase(question, right):
        return None
    wrong = {tokens(choice) for choice in sample.choices if choice != sample.choices[sample.target]}
    if any(contains_phrase(question, phrase) for phrase in wrong):
        return None
    return f"of all choices the question contains the right one alone, {quote(' '.join(right))}"


def reference_in_question(question: OpenQuestion) -> str | None:
    """An open question that contains its own reference answer, articles and numbers aside.

    A question that names two answers to pick from contains one of them by design.
    """
    reference = answer_tokens(question.reference)
    is_number = len(reference) == 1 and not reference[0].isalpha()
    if is_number or not contains_phrase(content_tokens(question.question), reference):
        return None
    return f"the question contains the reference answer {quote(question.reference)}"


def named_letter(sample: Sample) -> str | None:
    """A question that names a choice by its letter."""
    last = chr(ord("A") + len(sample.choices) - 1)
    named = [match for match in _NAMED_LETTER.finditer(sample.question) if match[1] <= last]
    return f"the question says {quote(named[0][0])}" if named else None


def letter_as_reference(question: OpenQuestion) -> str | None:
    """An open question whose answer is one letter, as if it had choices."""
    if not _SINGLE_LETTER.fullmatch(question.reference):
        return None
    return f"the reference answer is {quote(question.reference)}, and there are no choices"


def mojibake(text: str) -> str | None:
    """Characters that come from bytes read in the wrong encoding."""
    match = _MOJIBAKE.search(text)
    return f"wrongly decoded text at {_around(text, match)}" if match else None


def markup(text: str) -> str | None:
    """HTML tags or entities left in a text."""
    match = _MARKUP.search(text)
    return f"HTML left over at {_around(text, match)}" if match else None


def _around(text: str, match: re.Match[str]) -> str:
    return quote(text[max(0, match.start() - 20) : match.end() + 20])


def invisible_characters(text: str) -> str | None:
    """Control characters and characters of no width, which a reader does not see.

    Line breaks and tabs are fine, and so are the joiners that some scripts and emoji need.
    """
    if text.isprintable():
        return None
    found = sorted({c for c in text if c in _INVISIBLE or _is_control(c)})
    if not found:
        return None
    return f"characters that cannot be seen: {', '.join(f'U+{ord(c):04X}' for c in found)}"


def _is_control(character: str) -> bool:
    return character not in "\n\r\t" and unicodedata.category(character) in {"Cc", "Cs"}
