"""``oasis prune``: a benchmark without the samples that text gives away most."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import (
    Json,
    MappingFile,
    MappingFlags,
    Sources,
    read_mapping_options,
)
from video_oasis.cli.output import print_guesses, print_json, print_note, print_table
from video_oasis.errors import RunError, SettingsError

if TYPE_CHECKING:
    from video_oasis.benchmarks.interface import Contents
    from video_oasis.models.interface import FittedModel
    from video_oasis.pruning import PruneRound, Pruning


def prune(
    sources: Sources = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write what is left.")] = Path(
        "pruned"
    ),
    model: Annotated[
        str, typer.Option("--model", "-m", help="The learned model that chooses.")
    ] = "learned/logistic",
    validator: Annotated[
        str, typer.Option("--validator", help="Another one that only measures.")
    ] = "learned/forest",
    share_per_round: Annotated[
        float, typer.Option("--share", help="Share of the samples removed in each round.")
    ] = 0.05,
    stop_excess: Annotated[
        float,
        typer.Option("--stop", help="Stop at an accuracy no more than this above chance."),
    ] = 0.02,
    max_removed: Annotated[
        float, typer.Option("--max-removed", help="Stop before a larger share is removed.")
    ] = 0.5,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Remove samples that their text gives away, in rounds; the text is fitted anew after each."""
    from dataclasses import asdict

    from video_oasis.audit import read_entry
    from video_oasis.config import parse_source
    from video_oasis.pruning import PruneSettings
    from video_oasis.pruning import prune as prune_samples
    from video_oasis.whole_file import write_whole

    if not sources:
        raise SettingsError("nothing to prune; give NAME=PATH or the PATH of your own file")
    settings = PruneSettings(
        share_per_round=share_per_round, stop_excess=stop_excess, max_removed=max_removed
    )
    if model == validator:
        raise SettingsError(
            f"--validator {validator}: it must be another model than the one that chooses"
        )
    choosing, measuring = _open_fitted(model), _open_fitted(validator)
    columns = read_mapping_options(mapping_file, mapping_flags)
    prunings: list[Pruning] = []
    every: list[Contents] = []
    for source in sources:
        contents, guessed = read_entry(parse_source(source, columns))
        print_guesses(contents.benchmark, guessed)
        if any(contents.benchmark == other.benchmark for other in every):
            raise SettingsError(
                f"two benchmarks are called {contents.benchmark!r}; prune them one by one"
            )
        every.append(contents)
    for contents in every:
        for n_rows, what in (
            (len(contents.bad_rows), "rows that cannot be read (see 'oasis lint')"),
            (len(contents.open_questions), "questions without choices"),
        ):
            if n_rows:
                print_note(f"{contents.benchmark}: {n_rows} {what} are left out")
        prunings.append(
            prune_samples(contents.samples, choosing, measuring, settings, listener=_tell)
        )
    plain = [asdict(pruning) for pruning in prunings]
    try:
        text = json.dumps(plain, ensure_ascii=False, indent=1) + "\n"
        write_whole(out / "pruning.json", text.encode("utf-8", "surrogatepass"))
        for pruning in prunings:
            ids = "".join(f"{json.dumps(each, ensure_ascii=False)}\n" for each in pruning.kept)
            file = out / f"{pruning.benchmark}.kept.jsonl"
            write_whole(file, ids.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise RunError(f"{out}: cannot be written ({error.strerror})") from error
    if as_json:
        print_json(plain)
        return
    for pruning in prunings:
        typer.echo(
            f"{pruning.benchmark}: {len(pruning.kept)} of {pruning.rounds[0].n_samples} kept"
        )
        print_table([_write_round(each) for each in pruning.rounds])
        typer.echo(f"Stopped: {pruning.stopped_by.replace('_', ' ')}.")
    typer.echo(f"Ids of what is left: {out}/*.kept.jsonl; all rounds: {out / 'pruning.json'}")


def _open_fitted(name: str) -> "FittedModel":
    from video_oasis.models import open_model
    from video_oasis.models.interface import FittedModel

    model = open_model(name)
    if not isinstance(model, FittedModel):
        raise SettingsError(f"model {name}: expected one that learns, such as learned/logistic")
    return model


def _tell(done: "PruneRound") -> None:
    print_note(
        f"round {done.number}: {done.n_samples} samples, {100 * done.accuracy:.1f} % right, "
        f"{100 * done.chance:.1f} % by chance; {len(done.removed)} removed"
    )


def _write_round(each: "PruneRound") -> dict[str, str]:
    return {
        "round": f"{each.number}",
        "samples": f"{each.n_samples}",
        "chance": f"{100 * each.chance:.1f}",
        "accuracy": f"{100 * each.accuracy:.1f}",
        "by the validator": f"{100 * each.validator_accuracy:.1f}",
        "removed": f"{len(each.removed)}",
    }
