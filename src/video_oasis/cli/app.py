"""Puts the commands together."""

import typer

from video_oasis.cli.audit import audit, prepare, report, run
from video_oasis.cli.check import check
from video_oasis.cli.demo import demo
from video_oasis.cli.distil import distil
from video_oasis.cli.fetch import fetch
from video_oasis.cli.lint import lint
from video_oasis.cli.listings import list_benchmarks, list_diagnostics, list_models
from video_oasis.cli.prune import prune

app = typer.Typer(
    name="oasis",
    help="Find out whether a video question-answering benchmark measures video understanding.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command()(lint)
app.command()(fetch)
app.command()(check)
app.command()(prepare)
app.command()(audit)
app.command()(run)
app.command()(report)
app.command()(distil)
app.command()(prune)
app.command()(demo)
app.command(name="benchmarks")(list_benchmarks)
app.command(name="diagnostics")(list_diagnostics)
app.command(name="models")(list_models)
