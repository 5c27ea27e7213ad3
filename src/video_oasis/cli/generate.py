"""``oasis generate``: question sets made by this program, with the proof that they are hard."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from video_oasis.cli.options import Json
from video_oasis.cli.output import print_json, print_note, print_table
from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.generate.tvbench.engine import GeneratedSet

_FAILURES = 1
_SHOWN_BAD_ROWS = 10

generate_app = typer.Typer(
    help="Make question sets from annotated videos.", no_args_is_help=True, rich_markup_mode=None
)


@generate_app.callback()
def _generate() -> None:
    """Make question sets from annotated videos."""


@generate_app.command()
def tvbench(
    sources: Annotated[
        list[str] | None,
        typer.Option(
            "--source",
            metavar="NAME=DIR",
            help="The annotation files of a source, such as clevrer=DIR; repeatable. "
            "'oasis generate tvbench --list' names them.",
        ),
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option(
            "--task", help="A task; repeatable. By default all that the sources can be used for."
        ),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode",
            help="strict: nothing but the video gives answers away; faithful: as TVBench was made.",
        ),
    ] = "strict",
    seed: Annotated[int, typer.Option("--seed", help="Fixes all random draws.")] = 0,
    out: Annotated[Path, typer.Option("--out", "-o", help="Where to write the set.")] = Path(
        "generated"
    ),
    settings_file: Annotated[
        Path | None,
        typer.Option("--settings", help="TOML file with thresholds; what it leaves out stays."),
    ] = None,
    max_questions: Annotated[
        int | None, typer.Option("--max-questions", help="Most questions for one task.")
    ] = None,
    list_all: Annotated[
        bool, typer.Option("--list", help="Print the tasks and sources there are, and stop.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make temporal questions in the manner of TVBench, each task proved before it is written.

    Exit code 0: done; 1: done, but a task was refused or rows could not be read; 2: something you
    gave is wrong.
    """
    from dataclasses import replace
    from importlib.metadata import version

    from video_oasis.generate.tvbench.card import summarise_set
    from video_oasis.generate.tvbench.engine import generate
    from video_oasis.generate.tvbench.files import MARK, write_generated
    from video_oasis.generate.tvbench.interface import Mode
    from video_oasis.generate.tvbench.out_folder import check_folder
    from video_oasis.generate.tvbench.settings import TVBenchSettings, read_generator_settings
    from video_oasis.generate.tvbench.tasks import TASKS

    if list_all:
        _list_all(as_json=as_json)
        return
    try:
        chosen_mode = Mode(mode)
    except ValueError:
        raise SettingsError(f"--mode {mode}: expected strict or faithful") from None
    folders = _parse_sources(sources or [])
    check_folder(out, MARK)
    settings = read_generator_settings(settings_file) if settings_file else TVBenchSettings()
    if max_questions is not None:
        settings = replace(settings, max_questions=max_questions)
    names = tasks or [name for name in TASKS if TASKS[name].find.keys() & folders.keys()]
    if not names:
        raise SettingsError(
            f"no task is made from {', '.join(folders)}; 'oasis generate tvbench --list' says "
            f"which sources each needs"
        )
    made = generate(
        folders,
        [TASKS[name] for name in dict.fromkeys(names)],
        chosen_mode,
        seed,
        settings,
        listener=print_note,
    )
    write_generated(made, out, version("video-oasis"))
    if as_json:
        print_json(summarise_set(made))
    else:
        _print_set(made, out)
    if made.bad_rows or any(each.refusal for each in made.tasks):
        raise typer.Exit(_FAILURES)


def _parse_sources(given: list[str]) -> dict[str, Path]:
    from video_oasis.generate.sources import SOURCES

    folders: dict[str, Path] = {}
    for each in given:
        name, equals, folder = each.partition("=")
        if not equals or not folder:
            raise SettingsError(f"--source {each}: expected NAME=DIR, such as clevrer=annotations")
        SOURCES[name]
        if name in folders:
            raise SettingsError(f"--source {name} is given twice; put its files into one folder")
        folders[name] = Path(folder)
    if not folders:
        raise SettingsError(
            f"nothing to generate from; give --source NAME=DIR for one of {', '.join(SOURCES)}"
        )
    return folders


def _list_all(*, as_json: bool) -> None:
    from video_oasis.generate.sources import SOURCES
    from video_oasis.generate.tvbench.tasks import TASKS

    task_rows = [
        {"task": name, "asks": TASKS[name].asks, "sources": " or ".join(sorted(TASKS[name].find))}
        for name in TASKS
    ]
    source_rows = [
        {"source": name, "files": SOURCES[name].files, "to respect": SOURCES[name].terms}
        for name in SOURCES
    ]
    if as_json:
        print_json({"tasks": task_rows, "sources": source_rows})
        return
    print_table(task_rows)
    typer.echo()
    print_table(source_rows)


def _print_set(made: "GeneratedSet", out: Path) -> None:
    print_table(
        [
            {
                "task": each.task,
                "questions": str(len(each.questions)),
                "events": str(each.n_events),
                "outcome": each.refusal
                or ("given away" if each.gate and not each.gate.is_open else "passed"),
            }
            for each in made.tasks
        ]
    )
    for row in made.bad_rows[:_SHOWN_BAD_ROWS]:
        print_note(str(row))
    if len(made.bad_rows) > _SHOWN_BAD_ROWS:
        print_note(f"and {len(made.bad_rows) - _SHOWN_BAD_ROWS} more; all: {out / 'bad_rows.txt'}")
    if not any(each.questions for each in made.tasks):
        typer.echo(f"No question passed; why: {out / 'README.md'}")
        return
    typer.echo(
        f"Questions: {out / 'json'} and {out / 'questions.jsonl'}; card: {out / 'README.md'}"
    )
