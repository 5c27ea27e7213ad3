"""``oasis repair``: a benchmark whose answers text gives away, made even from its own answers."""

from pathlib import Path
from typing import Annotated

import typer

from video_oasis.cli.options import (
    Json,
    MappingFile,
    MappingFlags,
    Sources,
    read_mapping_options,
)
from video_oasis.cli.output import print_guesses, print_json, print_note, print_table
from video_oasis.errors import SettingsError

_STILL_GIVEN_AWAY = 1


def repair(
    sources: Sources = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option("--task", help="A task to repair; repeatable. By default all."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write it.")] = Path("repaired"),
    seed: Annotated[int, typer.Option("--seed", help="Fixes all random draws.")] = 0,
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file with settings of the gate and of pruning."),
    ] = None,
    as_json: Json = False,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Even out the answers of a benchmark's closed tasks and draw their choices anew.

    Exit code 0: done; 1: done, but text still gives answers of a repaired task away; 2: something
    you gave is wrong.
    """
    from importlib.metadata import version

    from video_oasis.audit import read_entry
    from video_oasis.config import parse_source
    from video_oasis.generate.tvbench.out_folder import check_folder
    from video_oasis.generate.tvbench.repair import repair_task
    from video_oasis.generate.tvbench.repair_files import (
        MARK,
        summarise_repair,
        summarise_row,
        write_repaired,
    )
    from video_oasis.generate.tvbench.settings import TVBenchSettings, read_generator_settings
    from video_oasis.schema import Sample

    if not sources or len(sources) > 1:
        raise SettingsError("give one benchmark to repair: NAME=PATH or the PATH of your own file")
    check_folder(out, MARK)
    settings = read_generator_settings(settings_file) if settings_file else TVBenchSettings()
    columns = read_mapping_options(mapping_file, mapping_flags)
    contents, guessed = read_entry(parse_source(sources[0], columns))
    print_guesses(contents.benchmark, guessed)
    for n_rows, what in (
        (len(contents.bad_rows), "rows that cannot be read (see 'oasis lint')"),
        (len(contents.open_questions), "questions without choices"),
    ):
        if n_rows:
            print_note(f"{contents.benchmark}: {n_rows} {what} are left out")
    of_task: dict[str, list[Sample]] = {}
    for sample in contents.samples:
        of_task.setdefault(sample.task, []).append(sample)
    unknown = [task for task in tasks or () if task not in of_task]
    if unknown:
        raise SettingsError(
            f"--task {unknown[0]}: {contents.benchmark} has {', '.join(sorted(of_task)) or 'none'}"
        )
    repaired = [
        repair_task(of_task[task], seed, settings, listener=print_note)
        for task in sorted(set(tasks or of_task))
    ]
    if not repaired:
        raise SettingsError(f"{sources[0]}: no multiple-choice question to repair")
    write_repaired(repaired, contents.benchmark, out, seed=seed, version=version("video-oasis"))
    if as_json:
        print_json(summarise_repair(repaired))
    else:
        print_table([summarise_row(task) for task in repaired])
        typer.echo(f"Questions: {out / 'questions.jsonl'}; card: {out / 'README.md'}")
    if any(task.after is not None and not task.after.is_open for task in repaired):
        raise typer.Exit(_STILL_GIVEN_AWAY)
