"""Answers what every page of the review asks for: names, videos, scripts, and what went wrong."""

import stat
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.types import ASGIApp

from video_oasis.errors import RunError, SchemaError
from video_oasis.review.guard import Access, Guard
from video_oasis.review.outdated import Outdated
from video_oasis.review.places import Place, describe_place
from video_oasis.review.rendering import (
    read_asset,
    render_entry,
    render_refusal,
    render_reviewer_form,
)
from video_oasis.review.reviewers import Reviewers, clean_name
from video_oasis.review.videos import VideoSource

_ASSETS: Final = {
    "desk.js": "text/javascript",
    "grading.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "player.js": "text/javascript",
    "review.css": "text/css",
    "review.js": "text/javascript",
    "reviewer.js": "text/javascript",
    "samples.js": "text/javascript",
}
_VIDEO_CACHING: Final = {"cache-control": "private, max-age=600"}


class Form(BaseModel):
    """What a page sends."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SavingForm(Form):
    """What every form has by which someone says something of a sample.

    Attributes:
        sample: the sample's name in addresses.
        seen: id of what stands of the reviewer on it as the page showed it; empty for nothing.
        reviewer: whom the page belongs to.
        note: what the reviewer adds.
    """

    sample: str
    seen: str
    reviewer: str
    note: str = Field("", max_length=2000)


class UndoForm(Form):
    """What to undo.

    Attributes:
        expected: id of the judgement, or the opinion, as the page knows it.
        reviewer: whom the page belongs to.
    """

    expected: str
    reviewer: str


class ReviewerForm(Form):
    """Who reviews."""

    name: str = Field(max_length=200)


def make_site(reviewers: Reviewers, videos: Mapping[str, VideoSource], promise: str) -> FastAPI:
    """Make an application with what every page needs.

    Args:
        reviewers: who reviews.
        videos: every video by its name in addresses.
        promise: what becomes of what a reviewer says, as the form that asks for a name has it.
    """
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    _answer_faults(app)
    routes = _Routes(reviewers, videos, promise)
    app.get("/reviewer")(routes.ask_reviewer)
    app.post("/reviewer")(routes.set_reviewer)
    app.get("/static/{name}")(routes.send_asset)
    app.api_route("/video/{name}", methods=["GET", "HEAD"])(routes.send_video)
    return app


def guard(app: FastAPI, access: Access) -> ASGIApp:
    """Put the guard before an application."""
    return Guard(app, access, render_entry, render_refusal)


def say_saved(
    words: str, place: Place, following: str, *, undo: str, progress: Sequence[Mapping[str, Any]]
) -> Response:
    """Answer that something was saved, and where to go on.

    Args:
        words: what was saved.
        place: the place of the one to go on with.
        following: its name; empty if there is none.
        undo: id of what an undo would take back.
        progress: how far the reviewer is.
    """
    return JSONResponse(
        {
            "message": f"Saved: {words}.",
            "next": following,
            "place": describe_place(place),
            "undo": undo,
            "progress": progress,
        }
    )


def say_undone(
    words: str, name: str, *, undo: str, progress: Sequence[Mapping[str, Any]]
) -> Response:
    """Answer that something was taken back, and where it was.

    Args:
        words: what was taken back.
        name: the name of what it was about; empty if the run has it no more.
        undo: id of what another undo would take back; empty for nothing.
        progress: how far the reviewer is.
    """
    return JSONResponse(
        {"message": f"Taken back: {words}.", "sample": name, "undo": undo, "progress": progress}
    )


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


class _Routes:
    """One method for each address."""

    def __init__(
        self, reviewers: Reviewers, videos: Mapping[str, VideoSource], promise: str
    ) -> None:
        self._reviewers = reviewers
        self._videos = videos
        self._promise = promise

    def ask_reviewer(self, request: Request) -> Response:
        address = f"/?{request.url.query}"
        return HTMLResponse(
            render_reviewer_form(self._reviewers.find(request), address, self._promise)
        )

    def set_reviewer(self, form: ReviewerForm) -> Response:
        name = clean_name(form.name)
        if not name:
            raise SchemaError("The name is empty.")
        response = JSONResponse({"name": name})
        self._reviewers.remember(response, name)
        return response

    def send_video(self, name: str) -> Response:
        source = self._videos.get(name)
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
