"""``oasis distil``: the samples that no test shows to be shortcuts."""

from pathlib import Path
from typing import Annotated

import typer

from video_oasis.cli.options import Json, RunArgument
from video_oasis.cli.output import print_json, print_note

_DIFFERS = 1


def distil(
    folder: RunArgument,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write the set. By default RUN/distilled."),
    ] = None,
    threshold: Annotated[
        int | None,
        typer.Option(
            "--threshold",
            "-c",
            help="How many of a test's models must be right. By default as the run's settings, or "
            "the written set with --verify, say; else all of the largest test's.",
        ),
    ] = None,
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Make the set again and compare with what was written."),
    ] = False,
    as_json: Json = False,
) -> None:
    """Write the samples of a run that no test shows to be shortcuts, and why the others are not.

    Exit code 0: done, or nothing differs; 1: the written set differs from what the run gives;
    2: something you gave is wrong.
    """
    from video_oasis.cli.audit import plan_run
    from video_oasis.distil.files import compare_distilled, read_threshold, write_distilled
    from video_oasis.distillation import distil_run
    from video_oasis.run_folder import RunFolder
    from video_oasis.store import Store

    run_folder = RunFolder(folder)
    place = out or run_folder.distilled
    if verify and threshold is None:
        threshold = read_threshold(place)
    prepared = plan_run(run_folder)
    with Store.read(run_folder.answers) as store:
        samples, origin = distil_run(prepared, store, threshold)
    counts = {
        fate: sum(sample.fate == fate for sample in samples)
        for fate in ("kept", "dropped", "undecided")
    }
    if verify:
        differences = compare_distilled(samples, origin, place)
        if as_json:
            print_json({"differences": differences, **counts})
        else:
            for line in differences:
                typer.echo(line)
            print_note("the set is what the run gives" if not differences else "the set differs")
        if differences:
            raise typer.Exit(_DIFFERS)
        return
    write_distilled(samples, origin, place)
    if as_json:
        print_json({"folder": str(place), "threshold": origin.threshold, **counts})
        return
    typer.echo(
        f"Of {len(samples)} samples {counts['kept']} are kept, {counts['dropped']} dropped as "
        f"shortcuts and {counts['undecided']} undecided: answers are missing, or no test applies."
    )
    weak = [test for test, n_models in origin.tests.items() if n_models < origin.threshold]
    if weak:
        print_note(
            f"{', '.join(weak)} can show no shortcut at {origin.threshold}: fewer models were "
            f"asked under it; lower --threshold or ask more"
        )
    typer.echo(f"Written to {place}; README.md there is the card.")
