"""Defects that show when the questions about one clip are compared."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import numpy as np
from rapidfuzz import fuzz, process

from video_oasis.lint.defects import Finding, quote
from video_oasis.lint.wording import answer_tokens, content_tokens, tokens
from video_oasis.schema import OpenQuestion, Sample

NEAR_QUESTION_SIMILARITY: Final = 90.0
"""Least similarity of two questions without articles, in percent (rapidfuzz ``ratio``)."""
NEAR_WORD_SIMILARITY: Final = 85.0
"""Least similarity of two words that stand in the same place: ``fork`` and ``forks`` pass,
``first`` and ``last`` or ``offense`` and ``defense`` do not."""


_Row = TypeVar("_Row", Sample, OpenQuestion)


def _by_clip(rows: Sequence[_Row]) -> dict[object, list[_Row]]:
    clips: dict[object, list[_Row]] = defaultdict(list)
    for row in rows:
        clips[row.video.path, row.video.start_seconds, row.video.end_seconds].append(row)
    return clips


def _same_questions(rows: Sequence[_Row]) -> Iterator[list[_Row]]:
    for clip in _by_clip(rows).values():
        same = defaultdict(list)
        for row in clip:
            same[tokens(row.question)].append(row)
        yield from (group for group in same.values() if len(group) > 1)


def _answer(row: Sample | OpenQuestion) -> str:
    return row.reference if isinstance(row, OpenQuestion) else row.choices[row.target]


def _compared(row: Sample | OpenQuestion) -> object:
    """Give what two answers have in common if they are the same."""
    return answer_tokens(row.reference) if isinstance(row, OpenQuestion) else _answer(row)


def _contradict(one: Sample, other: Sample) -> bool:
    return _answer(one) != _answer(other) and (
        _answer(one) in other.choices or _answer(other) in one.choices
    )


def repeated_questions(rows: Sequence[_Row]) -> Iterator[Finding]:
    """The same clip and question twice, with the same answer."""
    for group in _same_questions(rows):
        for row in group:
            twins = [
                twin.id for twin in group if twin is not row and _compared(twin) == _compared(row)
            ]
            if twins:
                yield Finding(
                    row.id,
                    f"the clip, the question {quote(row.question)} and the answer "
                    f"{quote(_answer(row))} are also those of {', '.join(twins)}",
                    tuple(twins),
                )


def contradicting_answers(samples: Sequence[Sample]) -> Iterator[Finding]:
    """The same clip and question twice, where what is right in one is offered as wrong in one."""
    for group in _same_questions(samples):
        for sample in group:
            others = [other for other in group if _contradict(sample, other)]
            if others:
                yield Finding(sample.id, _other_answers(sample, others), _ids(others))


def other_choices(samples: Sequence[Sample]) -> Iterator[Finding]:
    """The same clip and question twice, with choices that allow both answers."""
    for group in _same_questions(samples):
        for sample in group:
            others = [
                other
                for other in group
                if _answer(other) != _answer(sample) and not _contradict(sample, other)
            ]
            if others:
                yield Finding(sample.id, _other_answers(sample, others), _ids(others))


def other_references(questions: Sequence[OpenQuestion]) -> Iterator[Finding]:
    """The same clip and open question twice, with two reference answers."""
    for group in _same_questions(questions):
        for question in group:
            others = [other for other in group if _compared(other) != _compared(question)]
            if others:
                yield Finding(question.id, _other_answers(question, others), _ids(others))


def _ids(rows: Sequence[Sample | OpenQuestion]) -> tuple[str, ...]:
    return tuple(row.id for row in rows)


def _other_answers(row: _Row, others: Sequence[_Row]) -> str:
    theirs = ", ".join(f"{quote(_answer(other))} in {other.id}" for other in others)
    return (
        f"the answer to {quote(row.question)} is {quote(_answer(row))} here, and for the "
        f"same clip {theirs}"
    )


def near_duplicates(samples: Sequence[Sample]) -> Iterator[Finding]:
    """Two questions about one clip that differ in spelling, articles or word forms only.

    Questions made from one template differ in a word or two and ask for other things. So the
    characters as a whole must be alike, and also every word with the word in its place; numbers
    must be equal.
    """
    for clip in _by_clip(samples).values():
        first_of: dict[tuple[str, ...], Sample] = {}
        for sample in clip:
            first_of.setdefault(tokens(sample.question), sample)
        if len(first_of) < 2:
            continue
        unique = list(first_of.values())
        words = [content_tokens(sample.question) for sample in unique]
        questions = [" ".join(each) for each in words]
        alike = process.cdist(
            questions, questions, scorer=fuzz.ratio, score_cutoff=NEAR_QUESTION_SIMILARITY
        )
        for i, j in zip(*np.nonzero(np.triu(alike, 1)), strict=True):
            if _alike_word_by_word(words[i], words[j]):
                one, other = unique[i], unique[j]
                yield Finding(
                    one.id,
                    f"{quote(one.question)} is nearly {quote(other.question)} of {other.id}, about "
                    f"the same clip",
                    (other.id,),
                )


def _alike_word_by_word(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return len(one) == len(other) and all(
        a == b or (a.isalpha() and b.isalpha() and fuzz.ratio(a, b) >= NEAR_WORD_SIMILARITY)
        for a, b in zip(one, other, strict=True)
    )
