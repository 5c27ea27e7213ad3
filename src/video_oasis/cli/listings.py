"""``oasis benchmarks``, ``oasis diagnostics``, ``oasis models``: what there is to name."""

import typer

from video_oasis.cli.options import Json
from video_oasis.cli.output import print_json, print_table


def list_benchmarks(as_json: Json = False) -> None:
    """List the benchmarks whose released files can be read."""
    from video_oasis.benchmarks import BENCHMARKS

    rows = [
        {"name": name, "group": BENCHMARKS[name].group, "files": BENCHMARKS[name].files}
        for name in BENCHMARKS
    ]
    if as_json:
        print_json(rows)
        return
    print_table(rows)
    typer.echo("\nAny other JSON, JSONL, CSV, TSV or Parquet file: give its path alone.")


def list_diagnostics(as_json: Json = False) -> None:
    """List the diagnostics: what each withholds from the models."""
    from video_oasis.diagnostics import DIAGNOSTICS

    rows = [
        {
            "name": name,
            "axis": DIAGNOSTICS[name].axis.value,
            "evidence shown": DIAGNOSTICS[name].evidence,
        }
        for name in DIAGNOSTICS
    ]
    print_json(rows) if as_json else print_table(rows)


def list_models(as_json: Json = False) -> None:
    """List the models and how to name them."""
    from video_oasis.models import BACKENDS

    rows = [
        {"name": f"{name}/{form}", "what it is": what}
        for name in BACKENDS
        for form, what in BACKENDS[name].forms.items()
    ]
    print_json(rows) if as_json else print_table(rows)
