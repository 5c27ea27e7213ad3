"""Arranges the answers about one sample in a matrix: a row for each test, a column per model."""

from collections import Counter
from dataclasses import dataclass

from video_oasis.prompts import choice_letters
from video_oasis.report.document import GivenAnswer, SampleView


@dataclass(frozen=True, slots=True)
class Said:
    """What one model answered once.

    Attributes:
        text: the letter of the choice, or a word for why there is none.
        detail: the choice, or the reason in full.
        is_right: whether it is the published answer; None if there is no choice.
    """

    text: str
    detail: str
    is_right: bool | None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """The answers under one test.

    Attributes:
        test: the test.
        n_parts: how many things it showed, such as the chunks of the clip.
        n_frames: frames in all of them.
        has_text: whether it showed text besides question and choices.
        is_shortcut: whether it makes the sample a shortcut; None if that is not known, or the
            test's verdict does not count.
        answers: the answers by model, in the order of the parts.
    """

    test: str
    n_parts: int
    n_frames: int
    has_text: bool
    is_shortcut: bool | None
    answers: dict[str, list[Said]]


@dataclass(frozen=True, slots=True)
class Matrix:
    """All answers about one sample.

    Attributes:
        models: the columns.
        rows: the rows.
    """

    models: tuple[str, ...]
    rows: tuple[AnswerRow, ...]


def arrange_answers(view: SampleView) -> Matrix:
    """Arrange a sample's answers."""
    letters = choice_letters(len(view.choices))
    parts = Counter(showing.test for showing in view.showings)
    shortcuts = {votes.test: votes.shortcut for votes in view.votes}
    rows = []
    for test, n_parts in parts.items():
        showings = [showing for showing in view.showings if showing.test == test]
        answers: dict[str, list[Said]] = {}
        for showing in showings:
            for answer in showing.answers:
                answers.setdefault(answer.model, []).append(_say(answer, view, letters))
        rows.append(
            AnswerRow(
                test=test,
                n_parts=n_parts,
                n_frames=sum(len(showing.frames) for showing in showings),
                has_text=any(showing.text for showing in showings),
                is_shortcut=shortcuts.get(test),
                answers=answers,
            )
        )
    models = dict.fromkeys(model for row in rows for model in row.answers)
    return Matrix(tuple(models), tuple(rows))


def _say(answer: GivenAnswer, view: SampleView, letters: tuple[str, ...]) -> Said:
    if answer.prediction is None:
        return Said(answer.status, answer.reason.replace("_", " "), None)
    choice = view.choices[answer.prediction]
    return Said(letters[answer.prediction], choice, answer.is_correct)
