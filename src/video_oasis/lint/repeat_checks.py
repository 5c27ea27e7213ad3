"""Defects that show when the questions about one clip are compared."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from rapidfuzz import fuzz, process

from video_oasis.lint.defects import Finding, quote
from video_oasis.lint.wording import content_tokens, tokens
from video_oasis.schema import Sample

NEAR_QUESTION_SIMILARITY: Final = 90.0
"""Least similarity of two questions without articles, in percent (rapidfuzz ``ratio``)."""
NEAR_WORD_SIMILARITY: Final = 85.0
"""Least similarity of two words that stand in the same place: ``fork`` and ``forks`` pass,
``first`` and ``last`` or ``offense`` and ``defense`` do not."""


def _by_clip(samples: Sequence[Sample]) -> dict[object, list[Sample]]:
    clips: dict[object, list[Sample]] = defaultdict(list)
    for sample in samples:
        video = sample.video
        clips[video.path, video.start_seconds, video.end_seconds].append(sample)
    return clips


def _same_questions(samples: Sequence[Sample]) -> Iterator[list[Sample]]:
    for clip in _by_clip(samples).values():
        same = defaultdict(list)
        for sample in clip:
            same[tokens(sample.question)].append(sample)
        yield from (group for group in same.values() if len(group) > 1)


def _answer(sample: Sample) -> str:
    return sample.choices[sample.target]


def _contradict(one: Sample, other: Sample) -> bool:
    return _answer(one) != _answer(other) and (
        _answer(one) in other.choices or _answer(other) in one.choices
    )


def repeated_questions(samples: Sequence[Sample]) -> Iterator[Finding]:
    """The same clip and question twice, with the same answer."""
    for group in _same_questions(samples):
        for sample in group:
            twins = [s.id for s in group if s is not sample and _answer(s) == _answer(sample)]
            if twins:
                yield Finding(
                    sample.id,
                    f"the clip, the question {quote(sample.question)} and the answer "
                    f"{quote(_answer(sample))} are also those of {', '.join(twins)}",
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


def _ids(samples: Sequence[Sample]) -> tuple[str, ...]:
    return tuple(sample.id for sample in samples)


def _other_answers(sample: Sample, others: Sequence[Sample]) -> str:
    theirs = ", ".join(f"{quote(_answer(other))} in {other.id}" for other in others)
    return (
        f"the answer to {quote(sample.question)} is {quote(_answer(sample))} here, and for the "
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
