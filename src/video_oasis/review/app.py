"""Answers the requests of the review page."""

from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Annotated, Final
from urllib.parse import parse_qsl

from fastapi import Depends, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp

from video_oasis.categorization.files import Categorized
from video_oasis.categorization.opinions import Opinion
from video_oasis.errors import MediaError, SchemaError
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.media.frames import ReadPicture
from video_oasis.review.category_ledger import CategoryLedger
from video_oasis.review.contents import ReviewSample, RunContents
from video_oasis.review.filters import QUEUES, STATES, Filters, Selection
from video_oasis.review.guard import Access
from video_oasis.review.ledger import Ledger
from video_oasis.review.pages import (
    describe_decision,
    describe_progress,
    find_check,
    render_page,
    render_sample,
    render_shown,
)
from video_oasis.review.reviewers import Reviewers
from video_oasis.review.site import (
    SavingForm,
    UndoForm,
    guard,
    make_site,
    say_saved,
    say_undone,
)
from video_oasis.schema import SampleKey

_FRAME_CACHING: Final = {"cache-control": "private, max-age=31536000, immutable"}
_PROMISE: Final = (
    "Every judgement is kept under this name. Others see it once they have judged the sample "
    "themselves."
)


class JudgementForm(SavingForm):
    """A decision as the page sends it.

    Attributes:
        query: the filters of the page, as its address has them.
        decision: the decision.
        choice: index of the right choice, with ``correct``.
    """

    query: str
    decision: str
    choice: int | None = None


class CategoryForm(SavingForm):
    """A category as the page sends it.

    Attributes:
        query: the filters of the page, as its address has them.
        category: the name of the category.
    """

    query: str
    category: str


@dataclass(frozen=True, slots=True)
class Review:
    """What is reviewed, and by whom unless they say otherwise.

    Attributes:
        contents: the samples.
        journal: where judgements go.
        read_picture: reads the frame store.
        default_reviewer: the name a browser starts with; empty to ask.
    """

    contents: RunContents
    journal: Journal
    read_picture: ReadPicture
    default_reviewer: str = ""


def make_app(review: Review, access: Access) -> ASGIApp:
    """Make the application, with its guard before it.

    Raises:
        RunError: the journal, or the file of opinions, is damaged.
    """
    reviewers = Reviewers(review.journal.path, review.default_reviewer, access)
    app = make_site(reviewers, review.contents.videos, _PROMISE)
    categorized = review.contents.categorized
    ledger = Ledger(review.journal, categorized.opinions if categorized else None)
    routes = _Routes(review, ledger, reviewers)
    for path, endpoint in (
        ("/", routes.show_page),
        ("/sample/{name}", routes.show_sample),
        ("/shown/{name}/{test}", routes.show_shown),
        ("/frames/{name}", routes.list_frames),
        ("/frame/{name}/{digest}", routes.send_frame),
    ):
        app.get(path)(endpoint)
    app.post("/judgements")(routes.judge)
    app.post("/undo")(routes.undo)
    if categorized and ledger.categories:
        sorting = _SortingRoutes(routes, reviewers, categorized, ledger.categories)
        app.post("/categories")(sorting.sort)
        app.post("/categories/undo")(sorting.undo)
    return guard(app, access)


def _read_filters(
    queue: str = "",
    benchmark: str = "",
    task: str = "",
    reviewer: str = "",
    decision: str = "",
    text: str = "",
) -> Filters:
    return Filters(
        queue=queue if queue in QUEUES else "",
        benchmark=benchmark,
        task=task,
        reviewer=reviewer,
        decision=decision if decision in STATES else "",
        text=text,
    )


def _parse_filters(query: str) -> Filters:
    names = {each.name for each in fields(Filters)}
    return _read_filters(**{name: value for name, value in parse_qsl(query) if name in names})


_Given = Annotated[Filters, Depends(_read_filters)]


class _Routes:
    """One method for each address."""

    def __init__(self, review: Review, ledger: Ledger, reviewers: Reviewers) -> None:
        self._contents = review.contents
        self._read_picture = review.read_picture
        self._ledger = ledger
        self._reviewers = reviewers

    def show_page(self, request: Request, filters: _Given, sample: str = "") -> Response:
        reviewer = self._reviewers.find(request)
        if not reviewer:
            return RedirectResponse(f"/reviewer?{filters.query(sample=sample)}", status_code=303)
        self._ledger.refresh()
        selection = Selection(self._contents, self._ledger, reviewer)
        filters = selection.complete(filters)
        name = sample if sample in self._contents.samples else selection.find_start(filters)
        return HTMLResponse(render_page(self._contents, self._ledger, reviewer, filters, name))

    def show_sample(self, request: Request, name: str, filters: _Given) -> Response:
        self.find(name)
        reviewer = self._reviewers.require(request)
        self._ledger.refresh()
        filters = Selection(self._contents, self._ledger, reviewer).complete(filters)
        return HTMLResponse(render_sample(self._contents, self._ledger, reviewer, filters, name))

    def show_shown(self, name: str, test: str) -> Response:
        self.find(name)
        return HTMLResponse(render_shown(self._contents, name, test))

    def list_frames(self, name: str) -> Response:
        frames = self._contents.list_frames(self.find(name).sample)
        return JSONResponse(
            [{"digest": frame.digest, "seconds": frame.seconds} for frame in frames]
        )

    def send_frame(self, name: str, digest: str) -> Response:
        shown = self.find(name)
        digests = {frame for showing in shown.view.showings for frame in showing.frames}
        if digest not in digests:
            digests = {frame.digest for frame in self._contents.list_frames(shown.sample)}
        if digest not in digests:
            raise HTTPException(404)
        try:
            picture = self._read_picture(digest)
        except MediaError as error:
            raise HTTPException(404) from error
        return Response(picture, media_type="image/jpeg", headers=_FRAME_CACHING)

    def judge(self, request: Request, form: JudgementForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        shown = self.find(form.sample)
        filters = Selection(self._contents, self._ledger, reviewer).complete(
            _parse_filters(form.query)
        )
        visible = self._ledger.list_visible(shown.key, reviewer)
        judgement = self._ledger.record(
            _make_judgement(form, shown, reviewer, find_check(filters, shown, visible)),
            seen=form.seen,
        )
        said = describe_decision(judgement, shown.sample)
        return self.say_saved(form, reviewer, said, undo=judgement.id)

    def undo(self, request: Request, form: UndoForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        undone = self._ledger.undo(reviewer, expected=form.expected)
        last = self._ledger.find_last(reviewer)
        name = self._contents.names.get(undone.key, "")
        words = describe_decision(undone, self.find(name).sample) if name else undone.decision
        return self.say_undone(undone.key, reviewer, words, undo=last.id if last else "")

    def say_saved(
        self, form: JudgementForm | CategoryForm, reviewer: str, words: str, *, undo: str
    ) -> Response:
        """Answer that something was saved, and where to go on."""
        selection = Selection(self._contents, self._ledger, reviewer)
        filters = selection.complete(_parse_filters(form.query))
        following = selection.find_place(filters, form.sample).upcoming
        return say_saved(
            words,
            selection.find_place(filters, following),
            following,
            undo=undo,
            progress=describe_progress(selection),
        )

    def say_undone(self, key: SampleKey, reviewer: str, words: str, *, undo: str) -> Response:
        """Answer that something was taken back, and where it was."""
        return say_undone(
            words,
            # There may be files about samples that the run has no more.
            self._contents.names.get(key, ""),
            undo=undo,
            progress=describe_progress(Selection(self._contents, self._ledger, reviewer)),
        )

    def find(self, name: str) -> ReviewSample:
        """Find a sample by its name in addresses."""
        shown = self._contents.samples.get(name)
        if shown is None:
            raise HTTPException(404)
        return shown


class _SortingRoutes:
    """The addresses of a run that has categories."""

    def __init__(
        self,
        routes: _Routes,
        reviewers: Reviewers,
        categorized: Categorized,
        categories: CategoryLedger,
    ) -> None:
        self._routes = routes
        self._reviewers = reviewers
        self._categorized = categorized
        self._categories = categories

    def sort(self, request: Request, form: CategoryForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        shown = self._routes.find(form.sample)
        if shown.key not in self._categorized.assigned:
            raise SchemaError("The panel was not asked about this sample.")
        if form.category not in self._categorized.taxonomy.names:
            raise SchemaError(f"category is {form.category!r}; expected one that the page offers")
        opinion = Opinion(
            *shown.key,
            category=form.category,
            reviewer=reviewer,
            note=form.note.strip(),
            made_at=datetime.now(UTC),
        )
        self._categories.record(opinion, seen=form.seen)
        return self._routes.say_saved(form, reviewer, form.category, undo=opinion.id)

    def undo(self, request: Request, form: UndoForm) -> Response:
        reviewer = self._reviewers.check(request, form.reviewer)
        undone = self._categories.undo(reviewer, expected=form.expected)
        last = self._categories.find_last(reviewer)
        return self._routes.say_undone(
            undone.key, reviewer, undone.category or "", undo=last.id if last else ""
        )


def _make_judgement(
    form: JudgementForm, shown: ReviewSample, reviewer: str, check: str
) -> Judgement:
    if form.decision not in set(Decision) - {Decision.WITHDRAW}:
        raise SchemaError(f"decision is {form.decision!r}; expected one that the page offers")
    if form.choice is not None and not 0 <= form.choice < len(shown.sample.choices):
        raise SchemaError(f"choice is {form.choice}; the sample has {len(shown.sample.choices)}")
    if form.choice is not None and shown.sample.is_correct(form.choice):
        raise SchemaError("That is the published answer; keep the sample instead.")
    if form.decision == Decision.RESTORE and "sensitivity" not in shown.view.checks:
        raise SchemaError("Only a sample of the sensitivity queue can be restored.")
    return Judgement(
        benchmark=shown.sample.benchmark,
        sample_id=shown.sample.id,
        reviewer=reviewer,
        check=check,
        decision=Decision(form.decision),
        choice=form.choice,
        note=form.note.strip(),
        made_at=datetime.now(UTC),
    )
