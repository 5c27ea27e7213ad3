"""``oasis order``: what a run's models answer with the video, and without its order."""

from typing import Annotated

import typer

from video_oasis.cli.options import Json, RunArgument
from video_oasis.cli.output import print_json, print_note, print_table

_NOT_PASSED = 1


def order(
    folder: RunArgument,
    gate: Annotated[
        bool,
        typer.Option(
            "--gate",
            help="Name the tasks in which one frame does better than chance, or reversed frames "
            "do not do worse, by 95 % intervals.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Print the table of TVBench's paper for a run: text, one frame, video, shuffled, reversed.

    Exit code 0: done; 1: with --gate, a task does not pass; 2: something you gave is wrong.
    """
    from dataclasses import asdict

    from video_oasis.analysis.dependence import DependenceRow, measure_dependence
    from video_oasis.analysis.frames import read_rows
    from video_oasis.answered import read_answered
    from video_oasis.cli.audit import plan_run
    from video_oasis.errors import SettingsError
    from video_oasis.generate.tvbench.order_gate import ONE_FRAME, find_order_failures
    from video_oasis.generate.tvbench.order_table import (
        LEGEND,
        SHOWN,
        tabulate_order,
        write_order_row,
    )
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    prepared = plan_run(run_folder)
    with Store.read(run_folder.answers) as store:
        grid = read_answered(prepared, store).grid
    inputs = dict.fromkeys((*SHOWN, *(ONE_FRAME if gate else ())))
    compared = read_rows(DependenceRow, measure_dependence(grid, others=tuple(inputs)))
    if not compared:
        raise SettingsError(
            f"{folder}: no model has answers with the video (standard) and with one of "
            f"{', '.join(inputs)}; ask for them with 'oasis audit --diagnostic'"
        )
    rows = tabulate_order(compared)
    tasks = grid.samples.select("benchmark", "task").unique().sort("benchmark", "task").rows()
    failures = find_order_failures(compared, tasks, grid.slots) if gate else []
    if as_json:
        plain = [asdict(row) for row in rows]
        failed = [asdict(failure) for failure in failures]
        print_json({"rows": plain, "failures": failed} if gate else plain)
    else:
        print_table([write_order_row(row) for row in rows])
        print_note(LEGEND)
    if gate and not as_json:
        typer.echo()
        print_table([asdict(failure) for failure in failures])
        n_failed = len({(failure.benchmark, failure.task) for failure in failures})
        typer.echo(f"Gate: {len(tasks) - n_failed} of {len(tasks)} tasks pass.")
    if failures:
        raise typer.Exit(_NOT_PASSED)
