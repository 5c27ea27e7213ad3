"""``oasis leaderboard``: entries that others can add to and check."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.evaluate import DiagnosticOption, OnOption, choose_sets, gather_runs
from video_oasis.cli.options import Json, RunArgument
from video_oasis.cli.output import print_json, print_note
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from video_oasis.evaluation.contenders import Gathered
    from video_oasis.leaderboard.entry import Entry

_DIFFERS = 1

leaderboard = typer.Typer(
    name="leaderboard",
    help="Keep a leaderboard in a file that others can add to and check against their runs.",
    no_args_is_help=True,
)


@leaderboard.command()
def add(
    folder: RunArgument,
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="FILE",
            help="The leaderboard, a JSON file; made if need be. Its Markdown stands beside it.",
        ),
    ],
    on: OnOption = None,
    diagnostics: DiagnosticOption = None,
    models: Annotated[
        list[str] | None,
        typer.Option("--model", "-m", help="Only the model of this name; repeatable."),
    ] = None,
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Replace entries about the same with other answers."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Add what the models of a run answered to a leaderboard; the run must lack no answer."""
    from video_oasis.leaderboard.board import (
        add_entries,
        lock_board,
        read_board,
        write_board,
        write_text,
    )
    from video_oasis.report.leaderboard import write_leaderboard
    from video_oasis.report.numbers import write_several

    if to.suffix != ".json":
        raise SettingsError(f"--to {to}: expected a file ending in .json")
    gathered = gather_runs([folder], diagnostics or ["standard"])
    new = _make_entries(gathered, folder, on, _choose_models(gathered, folder, models))
    with lock_board(to):
        board = add_entries(read_board(to) if to.exists() else (), new, replace=replace)
        write_board(board, to)
        write_text(write_leaderboard(board), to.with_suffix(".md"))
    if as_json:
        print_json([{"id": entry.id, **entry.to_plain()} for entry in new])
        return
    n_lines = len({entry.place for entry in new})
    typer.echo(
        f"{to}: {write_several(n_lines, 'line')} of {folder} there, "
        f"{write_several(len(board), 'line')} in all."
    )


@leaderboard.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The leaderboard.")],
    folder: RunArgument,
    on: OnOption = None,
    diagnostics: DiagnosticOption = None,
    as_json: Json = False,
) -> None:
    """Compute the entries of a run anew and say how those of the leaderboard differ.

    Exit code 0: every entry about the run's models and sets is what the run gives; 1: one differs,
    or none is about them; 2: the file is no leaderboard, or was changed by hand.
    """
    from video_oasis.leaderboard.board import read_board
    from video_oasis.leaderboard.verify import check_entries

    board = read_board(file)
    gathered = gather_runs([folder], diagnostics or ["standard"])
    # A model that is not on the board need not have been asked everything.
    models = {entry.model for entry in board} & {each.model for each in gathered.contenders}
    checks = check_entries(board, _make_entries(gathered, folder, on, models))
    known = [check for check in checks if check.is_known]
    if as_json:
        print_json(
            [
                {
                    "id": check.entry.id,
                    "model": check.entry.model,
                    "set": check.entry.set_name,
                    "is_known": check.is_known,
                    "differences": list(check.differences),
                }
                for check in checks
            ]
        )
    else:
        for check in known:
            where = f"{check.entry.model} on {check.entry.set_name}"
            typer.echo(f"{where}: {'differs' if check.differences else 'is what the run gives'}")
            for line in check.differences:
                typer.echo(f"  {line}")
    n_others = len(checks) - len(known)
    if n_others:
        print_note(f"{n_others} of {len(checks)} entries are about models or sets of other runs")
    if not known or any(check.differences for check in known):
        raise typer.Exit(_DIFFERS)


def _choose_models(
    gathered: "Gathered", folder: Path, names: "Sequence[str] | None"
) -> "Collection[str]":
    there = {contender.model for contender in gathered.contenders}
    absent = [name for name in names or [] if name not in there]
    if absent:
        raise SettingsError(
            f"--model {', '.join(absent)}: not in {folder}; it has {', '.join(sorted(there))}"
        )
    return names or there


def _make_entries(
    gathered: "Gathered", folder: Path, on: list[str] | None, models: "Collection[str]"
) -> "list[Entry]":
    from video_oasis.evaluation.entries import make_entries

    return [
        entry
        for evaluated in choose_sets(gathered, [folder], on)
        for entry in make_entries(gathered, evaluated, models=models)
    ]
