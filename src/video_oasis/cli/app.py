"""Puts the commands together."""

import typer

from video_oasis.cli.audit import audit, prepare, report, run
from video_oasis.cli.calibrate import calibrate
from video_oasis.cli.categorize import categorize
from video_oasis.cli.check import check
from video_oasis.cli.demo import demo
from video_oasis.cli.distil import distil
from video_oasis.cli.evaluate import evaluate
from video_oasis.cli.fetch import fetch
from video_oasis.cli.generate import generate_app
from video_oasis.cli.judge import judge
from video_oasis.cli.judgements import judgements
from video_oasis.cli.leaderboard import leaderboard
from video_oasis.cli.lint import lint
from video_oasis.cli.listings import list_benchmarks, list_diagnostics, list_models
from video_oasis.cli.order import order
from video_oasis.cli.prune import prune
from video_oasis.cli.repair import repair
from video_oasis.cli.review import review

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
app.command()(review)
app.command()(order)
app.command()(distil)
app.add_typer(judgements)
app.command()(categorize)
app.command()(evaluate)
app.add_typer(leaderboard)
app.command()(judge)
app.command()(prune)
app.command()(repair)
app.command()(calibrate)
app.command()(demo)
app.add_typer(generate_app, name="generate")
app.command(name="benchmarks")(list_benchmarks)
app.command(name="diagnostics")(list_diagnostics)
app.command(name="models")(list_models)
