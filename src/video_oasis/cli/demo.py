"""``oasis demo``: from clips to a distilled set, where it is known what there is to be found."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from video_oasis.cli.output import print_note, print_text

if TYPE_CHECKING:
    from video_oasis.calibration import CalibrationFolder
    from video_oasis.cli.calibrate import Calibrated

_N_SAMPLES: Final = 140


def demo(
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to put it all.")] = Path("demo"),
) -> None:
    """Draw clips and questions with planted shortcuts, audit and distil them: about two minutes.

    The models that need no server answer. Every number that is printed is measured then and there.
    """
    from video_oasis.calibration import CalibrationFolder, Recipe
    from video_oasis.cli.calibrate import print_calibration, run_calibration
    from video_oasis.config import AuditSettings

    folder = CalibrationFolder(out)
    print_text(
        f"Drawing {_N_SAMPLES} questions about short clips into {folder.path / 'planted'}. Of each "
        f"it is known what gives the answer away. Then three embedded models, which read words and "
        f"see plain traits of pictures such as colours, are asked them under six tests that "
        f"withhold something, with the whole video, and with each eighth of it."
    )
    done = run_calibration(AuditSettings(), folder, Recipe(n_samples=_N_SAMPLES))
    typer.echo()
    print_calibration(done.report)
    typer.echo()
    _print_queue(done)
    _distil(done, folder)
    typer.echo()
    for what, path in (
        ("Calibration:", folder.report / "calibration.html"),
        ("Audit report:", folder.run.report / "report.html"),
        ("Distilled set:", folder.run.distilled),
    ):
        typer.echo(f"{what:<15}{path}")
    typer.echo(f"{'Review page:':<15}oasis review {folder.run.path}")
    print_note(
        "So few questions teach the embedded models little. More questions, or models that see, "
        "have\nmore power: oasis calibrate --samples 600 [--model openai/NAME@URL]"
    )
    print_note("Audit your own file with: oasis audit YOUR_FILE.jsonl --out runs/yours")


def _print_queue(done: "Calibrated") -> None:
    flagged = Counter(row.check for row in done.audit.summary.queue)
    counts = ", ".join(f"{check} {n}" for check, n in sorted(flagged.items())) or "none"
    print_text(f"For a person to look at, samples by ambiguity check: {counts}.")


def _distil(done: "Calibrated", folder: "CalibrationFolder") -> None:
    from video_oasis.distil.files import write_distilled
    from video_oasis.distillation import distil_run
    from video_oasis.generate.planted import PlantedKind, read_truth
    from video_oasis.judgements.journal import Journal
    from video_oasis.store import Store

    with Store.read(folder.run.answers) as store:
        samples, origin = distil_run(
            done.prepared,
            store,
            done.report.calibration.threshold,
            judgements=Journal(folder.run.judgements).read(),
        )
    write_distilled(samples, origin, folder.run.distilled)
    kinds = {row.sample_id: row.kind for row in read_truth(folder.planted.truth.parent)}
    n_of_kind = Counter(kinds[sample.sample_id] for sample in samples)
    n_dropped = Counter(kinds[each.sample_id] for each in samples if each.fate == "dropped")
    dropped = ", ".join(f"{kind} {n_dropped[kind]} of {n_of_kind[kind]}" for kind in PlantedKind)
    n_kept = sum(sample.fate == "kept" for sample in samples)
    print_text(
        f"Distilled at threshold {origin.threshold}: {n_kept} of {len(samples)} samples are kept. "
        f"Dropped: {dropped}."
    )
