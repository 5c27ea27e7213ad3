"""``oasis judgements``: what people decided about a run's samples, out, in and compared."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import Json, RunArgument
from video_oasis.cli.output import print_json, print_note, print_table

if TYPE_CHECKING:
    from video_oasis.config import AuditSettings
    from video_oasis.judgements.judgement import Judgement

judgements = typer.Typer(
    name="judgements",
    help="Exchange the judgements people made of a run's samples, and see how far they agree.",
    no_args_is_help=True,
)


@judgements.command(name="export")
def export(
    folder: RunArgument,
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="A file ending in .jsonl or .csv.")
    ],
) -> None:
    """Write every judgement of a run to a file, withdrawn ones and withdrawals too."""
    from video_oasis.judgements.exchange import merge, write_judgements

    _, made = _read_run_judgements(folder)
    write_judgements(merge(made), to)
    print_note(f"{_describe(made)} written to {to}")


@judgements.command(name="import")
def import_(
    folder: RunArgument,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="A file as 'oasis judgements export' writes it.")
    ],
    as_json: Json = False,
) -> None:
    """Add the judgements of a file to a run's; those that it has already stay as they are.

    Nothing is added unless every row is right and about a sample of the run's benchmarks.
    """
    from video_oasis.audit import load_samples
    from video_oasis.cli.audit import read_run
    from video_oasis.judgements.exchange import read_judgements
    from video_oasis.judgements.journal import Journal
    from video_oasis.judgements.matching import match_sample
    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    samples = {
        (sample.benchmark, sample.id): sample for sample in load_samples(read_run(run_folder))
    }
    read = read_judgements(file, check=partial(match_sample, samples=samples))
    n_new = Journal(run_folder.judgements).append_new(read)
    if as_json:
        print_json({"read": len(read), "new": n_new})
    else:
        typer.echo(f"{_describe(read)} read, {n_new} of them new.")


@judgements.command()
def agreement(folder: RunArgument, as_json: Json = False) -> None:
    """Print how far reviewers agree about the samples that several of them judged."""
    from collections import Counter
    from dataclasses import asdict

    from video_oasis.audit import load_samples
    from video_oasis.judgements.agreement import measure_agreement
    from video_oasis.judgements.rulings import make_rulings
    from video_oasis.report.numbers import write_several
    from video_oasis.report.tables.refinement import AGREEMENT_HEAD, write_agreement

    settings, made = _read_run_judgements(folder)
    rulings = make_rulings(made, settings.decision_rule, load_samples(settings))
    rows = measure_agreement(rulings.standing, n_resamples=settings.n_resamples)
    reviewers = Counter(each.reviewer for each in rulings.standing)
    n_conflicts = sum(ruling.is_conflict for ruling in rulings.by_sample.values())
    if as_json:
        print_json(
            {
                "agreement": [asdict(row) for row in rows],
                "reviewers": dict(reviewers),
                "conflicts": n_conflicts,
            }
        )
        return
    print_table([dict(zip(AGREEMENT_HEAD, write_agreement(row), strict=True)) for row in rows])
    if not rows:
        typer.echo("No sample has the opinions of two reviewers, so there is nothing to compare.")
    for reviewer, n_standing in reviewers.items():
        typer.echo(f"{reviewer}: {write_several(n_standing, 'standing judgement')}")
    typer.echo(f"Conflicts: {write_several(n_conflicts, 'sample')}.")


def _read_run_judgements(folder: Path) -> "tuple[AuditSettings, tuple[Judgement, ...]]":
    from video_oasis.cli.audit import read_run
    from video_oasis.judgements.journal import Journal
    from video_oasis.run_folder import RunFolder

    run_folder = RunFolder(folder)
    return read_run(run_folder), Journal(run_folder.judgements).read()


def _describe(made: "tuple[Judgement, ...]") -> str:
    from video_oasis.report.numbers import write_several

    n_reviewers = len({each.reviewer for each in made})
    return f"{write_several(len(made), 'judgement')} of {write_several(n_reviewers, 'reviewer')}"
