"""``oasis review``: people judge the samples of a run, or grade open answers, in the browser."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer

from video_oasis.cli.options import RunArgument
from video_oasis.cli.output import print_note
from video_oasis.errors import RunError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.types import ASGIApp

    from video_oasis.review.contents import RunContents
    from video_oasis.review.guard import Access
    from video_oasis.run_folder import RunFolder

_USUAL_PORT: Final = 8642


def review(
    folder: RunArgument,
    reviewer: Annotated[
        str,
        typer.Option("--reviewer", help="Who reviews; the page asks if you leave it out."),
    ] = "",
    port: Annotated[
        int | None,
        typer.Option(
            "--port",
            min=0,
            max=65535,
            help=f"The port of the page, 0 for any that is free. By default {_USUAL_PORT}, or any "
            "if that is taken.",
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            help="The address to listen on. By default this machine alone can open the page; "
            "whoever has the link can judge, and nothing is encrypted.",
        ),
    ] = "127.0.0.1",
) -> None:
    """Judge the samples that a run finds doubtful, or any others, in the browser.

    Of a run of open questions, grade the answers that were chosen for people. Every decision is
    written to the run at once. Stop it with Ctrl-C.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise SettingsError(
            "the web server of the review page is not installed; "
            "install it with: pip install 'video-oasis[review]'"
        )
    from video_oasis.review.guard import Access
    from video_oasis.review.reviewers import clean_name
    from video_oasis.review.server import listen, make_server, write_link
    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    access = Access(host)
    with listen(host, port, _USUAL_PORT) as listener:
        make_app = _make_grading_app if run_folder.judging.is_file() else _make_app
        app, file = make_app(run_folder, clean_name(reviewer), access)
        if not access.is_local:
            print_note("Whoever has this link can judge, and nothing is encrypted on the way.")
        typer.echo(f"Open {write_link(access, listener)}")
        print_note(f"What is decided goes to {file}. Stop with Ctrl-C.")
        try:
            make_server(app).run(sockets=[listener])
        except KeyboardInterrupt:
            print_note("Stopped. All decisions are kept.")


def _make_app(folder: "RunFolder", reviewer: str, access: "Access") -> "tuple[ASGIApp, Path]":
    """Make the page of an audit, and say where judgements go."""
    from video_oasis.judgements.journal import Journal
    from video_oasis.media.store import FrameStore
    from video_oasis.review.app import Review, make_app

    contents = _collect(folder)
    frames = FrameStore(contents.audit.settings.frames_folder or folder.frames)
    review = Review(contents, Journal(folder.judgements), frames.read_picture, reviewer)
    app = make_app(review, access)
    counts = ", ".join(f"{check} {len(names)}" for check, names in contents.queues.items())
    print_note(f"{len(contents.samples)} samples; to look at: {counts}")
    return app, folder.judgements


def _make_grading_app(
    folder: "RunFolder", reviewer: str, access: "Access"
) -> "tuple[ASGIApp, Path]":
    """Make the page of a run of open questions, and say where grades go."""
    from video_oasis.open_ended.people.files import PeopleFiles, read_chosen
    from video_oasis.open_ended.people.grades import GradeFile
    from video_oasis.report.numbers import write_several
    from video_oasis.review.grading.app import Grading, make_grading_app
    from video_oasis.review.grading.contents import collect_answers

    files = PeopleFiles(folder.path)
    chosen = read_chosen(files.sample)
    if not chosen:
        raise RunError(
            f"{files.sample}: no answers were chosen for people to grade; choose some with "
            f"'oasis judge --people N'"
        )
    grading = Grading(collect_answers(chosen), GradeFile(files.grades), reviewer)
    app = make_grading_app(grading, access)
    print_note(f"{write_several(len(chosen), 'answer')} to grade")
    return app, files.grades


def _collect(folder: "RunFolder") -> "RunContents":
    from video_oasis.audit import plan_audit
    from video_oasis.categorization.files import read_categorized
    from video_oasis.cli.audit import open_run
    from video_oasis.preparation import read_evidence
    from video_oasis.review.contents import collect_contents
    from video_oasis.store import Store

    opened = open_run(folder)
    evidence = read_evidence(opened, folder)
    prepared = plan_audit(opened, evidence)
    with Store.read(folder.answers) as store:
        return collect_contents(prepared, evidence, store, read_categorized(folder.categories))
