"""``oasis calibrate``: what an audit by the user's models can tell, on planted samples."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import Json, ModelsOption
from video_oasis.cli.output import print_json, print_note, print_table, print_text

if TYPE_CHECKING:
    from video_oasis.audit import PreparedAudit
    from video_oasis.calibration import CalibrationFolder, Recipe
    from video_oasis.config import AuditSettings
    from video_oasis.report.calibration.document import CalibrationReport
    from video_oasis.report.document import AuditReport
    from video_oasis.runner import Outcome

_FAILURES = 1


@dataclass(frozen=True, slots=True)
class Calibrated:
    """What became of a calibration.

    Attributes:
        prepared: the audit of the planted set as planned.
        audit: its report.
        outcome: how asking ended.
        report: what the calibration found.
    """

    prepared: "PreparedAudit"
    audit: "AuditReport"
    outcome: "Outcome"
    report: "CalibrationReport"


def calibrate(
    models: ModelsOption = None,
    settings_file: Annotated[
        Path | None,
        typer.Option(
            "--settings",
            help="TOML file of an audit; its models and frames are taken, its benchmarks are not.",
        ),
    ] = None,
    n_samples: Annotated[int, typer.Option("--samples", help="How many samples to plant.")] = 600,
    seed: Annotated[int, typer.Option("--seed", help="Decides everything that is drawn.")] = 0,
    out: Annotated[
        Path, typer.Option("--out", "-o", help="The folder of the set, its audit and the report.")
    ] = Path("runs/calibration"),
    as_json: Json = False,
) -> None:
    """Audit samples whose shortcuts were planted, and say what the same audit of yours is worth.

    Stopped, it goes on where it was with the same command. Exit code 0: done; 1: done, but some
    questions failed or a test finds what it should not; 2: something you gave is wrong.
    """
    from dataclasses import replace

    from video_oasis.calibration import CalibrationFolder, Recipe
    from video_oasis.config import AuditSettings, ModelEntry, read_settings
    from video_oasis.report.calibration.files import to_plain_data

    settings = read_settings(settings_file) if settings_file else AuditSettings()
    if models:
        settings = replace(settings, models=tuple(map(ModelEntry, models)))
    folder = CalibrationFolder(out)
    done = run_calibration(settings, folder, Recipe(n_samples=n_samples, seed=seed))
    if as_json:
        print_json(to_plain_data(done.report))
    else:
        print_calibration(done.report)
        typer.echo(f"\nReport: {folder.report / 'calibration.html'}")
    if done.outcome.n_failed or done.outcome.gave_up:
        print_note(
            f"{done.outcome.n_failed} questions failed and are counted as errors; give the same "
            f"command again to ask them"
        )
    failed = done.outcome.n_failed or done.outcome.gave_up or done.report.n_lacking
    if failed or not done.report.is_sound:
        raise typer.Exit(_FAILURES)


def run_calibration(
    settings: "AuditSettings", folder: "CalibrationFolder", recipe: "Recipe"
) -> Calibrated:
    """Draw the planted set, audit it and write the calibration, as far as each is not done yet.

    Raises:
        UserError: something in the settings is wrong, or the folder has another calibration.
        typer.Exit: the user stopped it; all frames and answers so far are kept.
    """
    from video_oasis.calibration import choose_settings, make_calibration, make_set
    from video_oasis.cli.audit import plan_run, run_audit
    from video_oasis.cli.progress import show_progress
    from video_oasis.report.calibration.files import write_calibration
    from video_oasis.store import Store

    # First, so that a model that cannot be asked is said before anything is drawn.
    chosen = choose_settings(settings, folder)
    with show_progress() as listener:
        make_set(recipe, folder, listener)
    try:
        audit, outcome = run_audit(chosen, folder.run)
    except typer.Exit:
        print_note("Then give the command of this calibration again for its report.")
        raise
    prepared = plan_run(folder.run)
    with Store.read(folder.run.answers) as store:
        report = make_calibration(prepared, store, folder, recipe)
    write_calibration(report, folder.report)
    return Calibrated(prepared, audit, outcome, report)


def print_calibration(report: "CalibrationReport") -> None:
    """Print the tables of kinds and what the calibration comes to."""
    from video_oasis.report.calibration.sentences import write_verdict
    from video_oasis.report.calibration.tables import make_overviews

    for table in make_overviews(report):
        print_text(f"{table.title}. {table.note}")
        typer.echo()
        print_table([dict(zip(table.head, row, strict=True)) for row in table.rows])
        typer.echo()
    for sentence in write_verdict(report):
        print_text(sentence, indent="  ")
