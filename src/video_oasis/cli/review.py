"""``oasis review``: a page in the browser on which people judge the samples of a run."""

from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Final

import typer

from video_oasis.cli.options import RunArgument
from video_oasis.cli.output import print_note
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.review.contents import RunContents
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

    Every decision is written to the run's judgements at once. Stop it with Ctrl-C.
    """
    if find_spec("fastapi") is None or find_spec("uvicorn") is None:
        raise SettingsError(
            "the web server of the review page is not installed; "
            "install it with: pip install 'video-oasis[review]'"
        )
    from video_oasis.judgements.journal import Journal
    from video_oasis.media.store import FrameStore
    from video_oasis.review.app import Review, clean_name, make_app
    from video_oasis.review.guard import Access
    from video_oasis.review.server import listen, make_server, write_link
    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    access = Access(host)
    with listen(host, port, _USUAL_PORT) as listener:
        contents = _collect(run_folder)
        frames = FrameStore(contents.audit.settings.frames_folder or run_folder.frames)
        app = make_app(
            Review(
                contents=contents,
                journal=Journal(run_folder.judgements),
                read_picture=frames.read_picture,
                default_reviewer=clean_name(reviewer),
            ),
            access,
        )
        counts = ", ".join(f"{check} {len(names)}" for check, names in contents.queues.items())
        print_note(f"{len(contents.samples)} samples; to look at: {counts}")
        if not access.is_local:
            print_note("Whoever has this link can judge, and nothing is encrypted on the way.")
        typer.echo(f"Open {write_link(access, listener)}")
        print_note(f"Judgements go to {run_folder.judgements}. Stop with Ctrl-C.")
        try:
            make_server(app).run(sockets=[listener])
        except KeyboardInterrupt:
            print_note("Stopped. All judgements are kept.")


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
