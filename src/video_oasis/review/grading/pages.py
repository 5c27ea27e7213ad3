"""Renders the page of answers and its parts."""

from typing import Any, Final

from markupsafe import Markup

from video_oasis.open_ended.people.grades import PersonGrade
from video_oasis.review.grading.contents import GradingContents
from video_oasis.review.grading.ledger import GradeLedger
from video_oasis.review.rendering import render
from video_oasis.schema import MAX_GRADE

_QUEUE: Final = "answers"
_COMMANDS: Final = {True: "right", False: "wrong", None: "unsure"}
"""The commands of the page by the ``correct`` that they give."""
_WORDS: Final = {True: "right", False: "wrong", None: "cannot say"}


def render_page(contents: GradingContents, ledger: GradeLedger, reviewer: str, name: str) -> str:
    """Render the whole page, with one answer in it or the reason why there is none."""
    last = ledger.find_last(reviewer)
    return render(
        "grading.html",
        reviewer=reviewer,
        query="",
        queue=_QUEUE,
        queues=describe_progress(contents, ledger, reviewer),
        query_of={_QUEUE: ""},
        undo=last.id if last else "",
        max_score=MAX_GRADE,
        sample=Markup(render_answer(contents, ledger, reviewer, name)) if name else "",
    )


def render_answer(contents: GradingContents, ledger: GradeLedger, reviewer: str, name: str) -> str:
    """Render the part of the page about one answer."""
    shown = contents.answers[name]
    own = ledger.find(shown.chosen.pair, reviewer)
    return render(
        "answer.html",
        shown=shown,
        place=contents.find_place(name, contents.list_names(ledger.list_done(reviewer))),
        own=own,
        opinion=_COMMANDS[own.correct] if own else "",
        describe_grade=describe_grade,
    )


def describe_progress(
    contents: GradingContents, ledger: GradeLedger, reviewer: str
) -> list[dict[str, Any]]:
    """Return how far a reviewer is as plain data."""
    done = contents.list_names(ledger.list_done(reviewer))
    return [{"queue": _QUEUE, "n_judged": len(done), "n": len(contents.answers)}]


def describe_grade(grade: PersonGrade) -> str:
    """Say what a grade is, in a few words."""
    words = _WORDS[grade.correct]
    return words if grade.score is None else f"{words}, score {grade.score}"
