"""Answers the requests of the page of answers."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from fastapi import HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from video_oasis.open_ended.people.grades import GradeFile, PersonGrade
from video_oasis.review.grading.contents import GradingContents, ShownAnswer
from video_oasis.review.grading.ledger import GradeLedger
from video_oasis.review.grading.pages import (
    describe_grade,
    describe_progress,
    render_answer,
    render_page,
)
from video_oasis.review.guard import Access
from video_oasis.review.reviewers import Reviewers
from video_oasis.review.site import SavingForm, UndoForm, guard, make_site, say_saved, say_undone

_PROMISE: Final = "Every grade is kept under this name. The page shows it to nobody else."


class GradeForm(SavingForm):
    """A grade as the page sends it.

    Attributes:
        correct: whether the answer is right; None for ``cannot say``.
        score: how good it is; None if not given.
    """

    correct: bool | None
    score: int | None


@dataclass(frozen=True, slots=True)
class Grading:
    """What is graded, and by whom unless they say otherwise.

    Attributes:
        contents: the answers.
        file: where grades go.
        default_reviewer: the name a browser starts with; empty to ask.
    """

    contents: GradingContents
    file: GradeFile
    default_reviewer: str = ""


def make_grading_app(grading: Grading, access: Access) -> ASGIApp:
    """Make the application, with its guard before it.

    Raises:
        RunError: the file of grades is damaged.
    """
    reviewers = Reviewers(grading.file.path, grading.default_reviewer, access)
    app = make_site(reviewers, grading.contents.videos, _PROMISE)
    routes = _Routes(grading.contents, GradeLedger(grading.file), reviewers)
    app.get("/")(routes.show_page)
    app.get("/sample/{name}")(routes.show_answer)
    app.post("/grades")(routes.grade)
    app.post("/undo")(routes.undo)
    return guard(app, access)


class _Routes:
    """One method for each address."""

    def __init__(
        self, contents: GradingContents, ledger: GradeLedger, reviewers: Reviewers
    ) -> None:
        self._contents = contents
        self._ledger = ledger
        self._reviewers = reviewers

    def show_page(self, request: Request, sample: str = "") -> Response:
        reviewer = self._reviewers.find(request)
        known = sample if sample in self._contents.answers else ""
        if not reviewer:
            query = f"?sample={known}" if known else ""
            return RedirectResponse(f"/reviewer{query}", status_code=303)
        self._ledger.refresh()
        name = known or self._contents.find_start(self._list_done(reviewer))
        return HTMLResponse(render_page(self._contents, self._ledger, reviewer, name))

    def show_answer(self, request: Request, name: str) -> Response:
        self._find(name)
        reviewer = self._reviewers.require(request)
        self._ledger.refresh()
        return HTMLResponse(render_answer(self._contents, self._ledger, reviewer, name))

    def grade(self, request: Request, form: GradeForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        chosen = self._find(form.sample).chosen
        grade = PersonGrade(
            pair=chosen.pair,
            benchmark=chosen.benchmark,
            sample_id=chosen.sample_id,
            reviewer=reviewer,
            correct=form.correct,
            score=form.score,
            note=form.note.strip(),
            made_at=datetime.now(UTC),
        )
        self._ledger.record(grade, seen=form.seen)
        done = self._list_done(reviewer)
        following = self._contents.find_place(form.sample, done).upcoming
        return say_saved(
            describe_grade(grade),
            self._contents.find_place(following or form.sample, done),
            following,
            undo=grade.id,
            progress=describe_progress(self._contents, self._ledger, reviewer),
        )

    def undo(self, request: Request, form: UndoForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        undone = self._ledger.undo(reviewer, expected=form.expected)
        last = self._ledger.find_last(reviewer)
        return say_undone(
            describe_grade(undone),
            # There may be grades of answers that are not chosen any more.
            self._contents.names.get(undone.pair, ""),
            undo=last.id if last else "",
            progress=describe_progress(self._contents, self._ledger, reviewer),
        )

    def _find(self, name: str) -> ShownAnswer:
        shown = self._contents.answers.get(name)
        if shown is None:
            raise HTTPException(404)
        return shown

    def _list_done(self, reviewer: str) -> frozenset[str]:
        return self._contents.list_names(self._ledger.list_done(reviewer))
