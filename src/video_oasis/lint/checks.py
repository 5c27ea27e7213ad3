"""The list of checks: what each looks for, and how much it matters."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from video_oasis.lint import (
    choice_checks,
    question_checks,
    rate_checks,
    repeat_checks,
    time_checks,
)
from video_oasis.lint.defects import Finding, Severity
from video_oasis.schema import OpenQuestion, Sample

Find = Callable[[Sequence[Sample], Sequence[OpenQuestion]], Iterator[Finding]]
"""What a check is: from all rows of one benchmark to what is wrong with them."""


@dataclass(frozen=True, slots=True)
class Check:
    """One kind of defect.

    Attributes:
        code: constant word for it.
        severity: how much it matters.
        meaning: what it is, in a phrase for reports.
        find: finds it in the rows of one benchmark.
    """

    code: str
    severity: Severity
    meaning: str
    find: Find


def _samples(find: Callable[[Sample], str | None]) -> Find:
    def each(samples: Sequence[Sample], _: Sequence[OpenQuestion]) -> Iterator[Finding]:
        for sample in samples:
            if message := find(sample):
                yield Finding(sample.id, message)

    return each


def _open_questions(find: Callable[[OpenQuestion], str | None]) -> Find:
    def each(_: Sequence[Sample], open_questions: Sequence[OpenQuestion]) -> Iterator[Finding]:
        for question in open_questions:
            if message := find(question):
                yield Finding(question.id, message)

    return each


def _rows(find: Callable[[Sample | OpenQuestion], str | None]) -> Find:
    def each(
        samples: Sequence[Sample], open_questions: Sequence[OpenQuestion]
    ) -> Iterator[Finding]:
        rows: list[Sample | OpenQuestion] = [*samples, *open_questions]
        for row in rows:
            if message := find(row):
                yield Finding(row.id, message)

    return each


def _texts(find: Callable[[str], str | None]) -> Find:
    def in_row(row: Sample | OpenQuestion) -> str | None:
        found = [
            f"{place}: {message}"
            for place, text in question_checks.texts(row)
            if (message := find(text))
        ]
        return "; ".join(found) or None

    return _rows(in_row)


def _benchmark(find: Callable[[Sequence[Sample]], Iterator[Finding]]) -> Find:
    def whole(samples: Sequence[Sample], _: Sequence[OpenQuestion]) -> Iterator[Finding]:
        return find(samples)

    return whole


def _open_set(find: Callable[[Sequence[OpenQuestion]], Iterator[Finding]]) -> Find:
    def whole(_: Sequence[Sample], open_questions: Sequence[OpenQuestion]) -> Iterator[Finding]:
        return find(open_questions)

    return whole


def _repeated_questions(
    samples: Sequence[Sample], open_questions: Sequence[OpenQuestion]
) -> Iterator[Finding]:
    yield from repeat_checks.repeated_questions(samples)
    yield from repeat_checks.repeated_questions(open_questions)


_ERROR, _WARNING, _INFO = Severity.ERROR, Severity.WARNING, Severity.INFO

CHECKS: Final = (
    Check(
        "duplicate_choices_with_answer",
        _ERROR,
        "choices of equal text, the right one among them",
        _samples(choice_checks.duplicates_with_answer),
    ),
    Check(
        "duplicate_choices",
        _WARNING,
        "choices of equal text, all of them wrong",
        _samples(choice_checks.duplicates_without_answer),
    ),
    Check(
        "duplicate_choices_in_other_form",
        _WARNING,
        "choices equal up to case, white space and punctuation",
        _samples(choice_checks.duplicates_in_other_form),
    ),
    Check(
        "single_choice",
        _ERROR,
        "one choice only",
        _samples(choice_checks.single_choice),
    ),
    Check(
        "empty_choice",
        _ERROR,
        "a choice without text",
        _samples(choice_checks.empty_choice),
    ),
    Check(
        "empty_question",
        _ERROR,
        "a question without text",
        _rows(question_checks.empty_question),
    ),
    Check(
        "label_in_some_choices",
        _WARNING,
        "a choice that still begins with a label while others do not",
        _samples(choice_checks.label_in_some_choices),
    ),
    Check(
        "label_in_all_choices",
        _WARNING,
        "choices that all begin with labels, out of order or doubled",
        _samples(choice_checks.label_in_all_choices),
    ),
    Check(
        "choice_refers_to_choices",
        _WARNING,
        "a choice that speaks of other choices, so that their order matters",
        _samples(choice_checks.refers_to_choices),
    ),
    Check(
        "long_choice",
        _INFO,
        f"a choice of more than {choice_checks.LONG_CHOICE_CHARACTERS} characters",
        _samples(choice_checks.long_choice),
    ),
    Check(
        "embedded_choices",
        _WARNING,
        "a question whose text lists labelled choices",
        _rows(question_checks.embedded_choices),
    ),
    Check(
        "answer_in_question",
        _INFO,
        "a question that contains the right choice and no other",
        _samples(question_checks.answer_in_question),
    ),
    Check(
        "letter_in_question",
        _WARNING,
        "a question that names a choice by its letter",
        _samples(question_checks.named_letter),
    ),
    Check(
        "letter_as_reference",
        _WARNING,
        "an open question answered by a single letter",
        _open_questions(question_checks.letter_as_reference),
    ),
    Check(
        "reference_in_question",
        _INFO,
        "an open question that contains its reference answer",
        _open_questions(question_checks.reference_in_question),
    ),
    Check(
        "mojibake",
        _WARNING,
        "text read in the wrong encoding",
        _texts(question_checks.mojibake),
    ),
    Check(
        "invisible_characters",
        _WARNING,
        "control characters, or characters of no width",
        _texts(question_checks.invisible_characters),
    ),
    Check(
        "markup",
        _INFO,
        "HTML left in a text",
        _texts(question_checks.markup),
    ),
    Check(
        "reversed_window",
        _ERROR,
        "a clip that ends where it starts, or before",
        _rows(time_checks.reversed_window),
    ),
    Check(
        "window_beyond_video",
        _ERROR,
        "a clip that runs past the end of its video",
        _rows(time_checks.window_beyond_video),
    ),
    Check(
        "reversed_time_reference",
        _WARNING,
        "a time reference that ends before it starts",
        _rows(time_checks.reversed_reference),
    ),
    Check(
        "time_reference_beyond_video",
        _WARNING,
        "a time reference past the end of the video",
        _rows(time_checks.reference_beyond_video),
    ),
    Check(
        "time_reference_outside_clip",
        _WARNING,
        "a time reference outside the clip",
        _rows(time_checks.reference_outside_window),
    ),
    Check(
        "contradicting_answers",
        _ERROR,
        "same clip and question; what is right once is wrong another time",
        _benchmark(repeat_checks.contradicting_answers),
    ),
    Check(
        "other_references",
        _WARNING,
        "same clip and open question with two reference answers",
        _open_set(repeat_checks.other_references),
    ),
    Check(
        "repeated_question",
        _WARNING,
        "same clip, question and answer again",
        _repeated_questions,
    ),
    Check(
        "other_choices",
        _INFO,
        "same clip and question with other choices and another answer",
        _benchmark(repeat_checks.other_choices),
    ),
    Check(
        "near_duplicate_question",
        _INFO,
        "same clip, and a question that differs in spelling or word forms only",
        _benchmark(repeat_checks.near_duplicates),
    ),
    Check(
        "never_right",
        _WARNING,
        "a choice that a task offers often and that is never right",
        _benchmark(rate_checks.never_right),
    ),
    Check(
        "always_right",
        _WARNING,
        "a choice that a task offers often and that is always right",
        _benchmark(rate_checks.always_right),
    ),
)
"""All checks, in the order of a report."""
