"""``oasis order``: what a run's models answer with the video, and without its order."""

from video_oasis.cli.options import Json, RunArgument
from video_oasis.cli.output import print_json, print_note, print_table


def order(folder: RunArgument, as_json: Json = False) -> None:
    """Print the table of TVBench's paper for a run: text, one frame, video, shuffled, reversed."""
    from dataclasses import asdict

    from video_oasis.analysis.dependence import DependenceRow, measure_dependence
    from video_oasis.analysis.frames import read_rows
    from video_oasis.analysis.grid import arrange
    from video_oasis.audit import drop_spares
    from video_oasis.cli.audit import plan_run
    from video_oasis.errors import SettingsError
    from video_oasis.generate.tvbench.order_table import (
        LEGEND,
        SHOWN,
        tabulate_order,
        write_order_row,
    )
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store
    from video_oasis.table import make_long_table

    run_folder = RunFolder(folder)
    prepared = plan_run(run_folder)
    with Store.read(run_folder.answers) as store:
        table = drop_spares(make_long_table(prepared.assignments, store), prepared.spares)
    compared = measure_dependence(arrange(table), others=tuple(SHOWN))
    rows = tabulate_order(read_rows(DependenceRow, compared))
    if not rows:
        raise SettingsError(
            f"{folder}: no model has answers with the video (standard) and with one of "
            f"{', '.join(SHOWN)}; ask for them with 'oasis audit --diagnostic'"
        )
    if as_json:
        print_json([asdict(row) for row in rows])
        return
    print_table([write_order_row(row) for row in rows])
    print_note(LEGEND)
