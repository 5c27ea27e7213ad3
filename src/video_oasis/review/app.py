"""Answers the requests of the review page."""

import hashlib
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Annotated, Final
from urllib.parse import parse_qsl, quote, unquote

from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import ASGIApp

from video_oasis.categorization.files import Categorized
from video_oasis.categorization.opinions import Opinion
from video_oasis.errors import MediaError, RunError, SchemaError
from video_oasis.judgements.journal import Journal
from video_oasis.judgements.judgement import Decision, Judgement
from video_oasis.media.frames import ReadPicture
from video_oasis.review.category_ledger import CategoryLedger
from video_oasis.review.contents import ReviewSample, RunContents
from video_oasis.review.filters import QUEUES, STATES, Filters, Selection
from video_oasis.review.guard import Access, Guard
from video_oasis.review.ledger import Ledger
from video_oasis.review.outdated import Outdated
from video_oasis.review.pages import (
    describe_decision,
    describe_place,
    describe_progress,
    find_check,
    read_asset,
    render_entry,
    render_page,
    render_refusal,
    render_reviewer_form,
    render_sample,
    render_shown,
)
from video_oasis.schema import SampleKey

MAX_NAME_CHARACTERS: Final = 60
"""The longest name of a reviewer."""

_ASSETS: Final = {
    "icon.svg": "image/svg+xml",
    "player.js": "text/javascript",
    "review.css": "text/css",
    "review.js": "text/javascript",
    "reviewer.js": "text/javascript",
    "samples.js": "text/javascript",
}
_FRAME_CACHING: Final = {"cache-control": "private, max-age=31536000, immutable"}
_VIDEO_CACHING: Final = {"cache-control": "private, max-age=600"}
_YEAR_SECONDS: Final = 365 * 24 * 3600


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class JudgementForm(_Form):
    """A decision as the page sends it.

    Attributes:
        sample: the sample's name in addresses.
        seen: id of the reviewer's standing judgement of it as the page showed it; empty for none.
        reviewer: whom the page belongs to.
        query: the filters of the page, as its address has them.
        decision: the decision.
        choice: index of the right choice, with ``correct``.
        note: what the reviewer adds.
    """

    sample: str
    seen: str
    reviewer: str
    query: str
    decision: str
    choice: int | None = None
    note: str = Field("", max_length=2000)


class CategoryForm(_Form):
    """A category as the page sends it.

    Attributes:
        sample: the sample's name in addresses.
        seen: id of the reviewer's standing opinion of it as the page showed it; empty for none.
        reviewer: whom the page belongs to.
        query: the filters of the page, as its address has them.
        category: the name of the category.
        note: what the reviewer adds.
    """

    sample: str
    seen: str
    reviewer: str
    query: str
    category: str
    note: str = Field("", max_length=2000)


class UndoForm(_Form):
    """What to undo.

    Attributes:
        expected: id of the judgement, or the opinion, as the page knows it.
        reviewer: whom the page belongs to.
    """

    expected: str
    reviewer: str


class ReviewerForm(_Form):
    """Who reviews."""

    name: str = Field(max_length=200)


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
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    _answer_faults(app)
    categorized = review.contents.categorized
    ledger = Ledger(review.journal, categorized.opinions if categorized else None)
    routes = _Routes(review, ledger, access)
    for path, endpoint in (
        ("/", routes.show_page),
        ("/reviewer", routes.ask_reviewer),
        ("/sample/{name}", routes.show_sample),
        ("/shown/{name}/{test}", routes.show_shown),
        ("/frames/{name}", routes.list_frames),
        ("/frame/{name}/{digest}", routes.send_frame),
        ("/static/{name}", routes.send_asset),
    ):
        app.get(path)(endpoint)
    app.api_route("/video/{name}", methods=["GET", "HEAD"])(routes.send_video)
    app.post("/judgements")(routes.judge)
    app.post("/undo")(routes.undo)
    if categorized and ledger.categories:
        sorting = _SortingRoutes(routes, categorized, ledger.categories)
        app.post("/categories")(sorting.sort)
        app.post("/categories/undo")(sorting.undo)
    app.post("/reviewer")(routes.set_reviewer)
    return Guard(app, access, render_entry, render_refusal)


def clean_name(name: str) -> str:
    """Return a reviewer's name in one form: no control characters, single spaces, not too long."""
    text = unicodedata.normalize("NFC", name)
    printable = (
        " " if each.isspace() else each for each in text if each.isprintable() or each.isspace()
    )
    return " ".join("".join(printable).split())[:MAX_NAME_CHARACTERS].strip()


def _answer_faults(app: FastAPI) -> None:
    """Let every fault be answered with a message that the page can show."""

    def say(status_code: int) -> Callable[[Request, Exception], Response]:
        def answer(_request: Request, error: Exception) -> Response:
            return JSONResponse({"message": str(error)}, status_code=status_code)

        return answer

    def name_fields(_request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        fields = ", ".join(".".join(map(str, each["loc"][1:])) for each in error.errors())
        return JSONResponse({"message": f"Not understood: {fields or 'the body'}."}, 422)

    app.add_exception_handler(Outdated, say(409))
    app.add_exception_handler(SchemaError, say(422))
    app.add_exception_handler(RunError, say(500))
    app.add_exception_handler(RequestValidationError, name_fields)


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

    def __init__(self, review: Review, ledger: Ledger, access: Access) -> None:
        self._contents = review.contents
        self._read_picture = review.read_picture
        self._ledger = ledger
        self._default_reviewer = review.default_reviewer
        # Runs have different reviewers even in one browser, and a start that names one means it.
        owner = f"{review.journal.path.resolve()}\n{review.default_reviewer and access.cookie}"
        self._cookie = f"oasis-reviewer-{hashlib.sha256(owner.encode()).hexdigest()[:8]}"

    def show_page(self, request: Request, filters: _Given, sample: str = "") -> Response:
        reviewer = self._find_reviewer(request)
        if not reviewer:
            return RedirectResponse(f"/reviewer?{filters.query(sample=sample)}", status_code=303)
        self._ledger.refresh()
        selection = Selection(self._contents, self._ledger, reviewer)
        filters = selection.complete(filters)
        name = sample if sample in self._contents.samples else selection.find_start(filters)
        return HTMLResponse(render_page(self._contents, self._ledger, reviewer, filters, name))

    def ask_reviewer(self, request: Request, filters: _Given, sample: str = "") -> Response:
        return HTMLResponse(
            render_reviewer_form(self._find_reviewer(request), f"/?{filters.query(sample=sample)}")
        )

    def set_reviewer(self, form: ReviewerForm) -> Response:
        name = clean_name(form.name)
        if not name:
            raise SchemaError("The name is empty.")
        response = JSONResponse({"name": name})
        response.set_cookie(
            self._cookie, quote(name), httponly=True, samesite="strict", max_age=_YEAR_SECONDS
        )
        return response

    def show_sample(self, request: Request, name: str, filters: _Given) -> Response:
        self.find(name)
        reviewer = self._require_reviewer(request)
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

    def send_video(self, name: str) -> Response:
        source = self._contents.videos.get(name)
        if source is None or source.file is None:
            raise HTTPException(404)
        try:
            found = source.file.stat()
        except OSError as error:
            raise HTTPException(404) from error
        if not stat.S_ISREG(found.st_mode):
            raise HTTPException(404)
        return FileResponse(
            source.file, media_type=source.media_type, stat_result=found, headers=_VIDEO_CACHING
        )

    def send_asset(self, name: str) -> Response:
        if name not in _ASSETS:
            raise HTTPException(404)
        return Response(read_asset(name), media_type=_ASSETS[name])

    def judge(self, request: Request, form: JudgementForm) -> Response:
        reviewer = self.check_reviewer(request, form.reviewer)
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
        reviewer = self.check_reviewer(request, form.reviewer)
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
        return JSONResponse(
            {
                "message": f"Saved: {words}.",
                "next": following,
                "place": describe_place(selection.find_place(filters, following)),
                "undo": undo,
                "progress": describe_progress(selection),
            }
        )

    def say_undone(self, key: SampleKey, reviewer: str, words: str, *, undo: str) -> Response:
        """Answer that something was taken back, and where it was."""
        return JSONResponse(
            {
                "message": f"Taken back: {words}.",
                # There may be files about samples that the run has no more.
                "sample": self._contents.names.get(key, ""),
                "undo": undo,
                "progress": describe_progress(Selection(self._contents, self._ledger, reviewer)),
            }
        )

    def find(self, name: str) -> ReviewSample:
        """Find a sample by its name in addresses."""
        shown = self._contents.samples.get(name)
        if shown is None:
            raise HTTPException(404)
        return shown

    def _find_reviewer(self, request: Request) -> str:
        return clean_name(unquote(request.cookies.get(self._cookie, ""))) or self._default_reviewer

    def _require_reviewer(self, request: Request) -> str:
        reviewer = self._find_reviewer(request)
        if not reviewer:
            raise Outdated("Nobody reviews in this browser yet. Reload the page.")
        return reviewer

    def check_reviewer(self, request: Request, of_page: str) -> str:
        """Return who reviews in a browser, if the page is theirs."""
        reviewer = self._require_reviewer(request)
        if reviewer != of_page:
            raise Outdated(
                f"This browser reviews as {reviewer} by now, and this page is {of_page}'s. Nothing "
                f"was saved; reload the page."
            )
        return reviewer


class _SortingRoutes:
    """The addresses of a run that has categories."""

    def __init__(
        self, routes: _Routes, categorized: Categorized, categories: CategoryLedger
    ) -> None:
        self._routes = routes
        self._categorized = categorized
        self._categories = categories

    def sort(self, request: Request, form: CategoryForm) -> Response:
        reviewer = self._routes.check_reviewer(request, form.reviewer)
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
        reviewer = self._routes.check_reviewer(request, form.reviewer)
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
