"""Arguments and options that several commands share."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from video_oasis.errors import SettingsError

if TYPE_CHECKING:
    from video_oasis.annotations.mapping import ColumnMapping

Choice = TypeVar("Choice", bound=StrEnum)

Sources = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="SOURCE...",
        help="What to read: NAME=PATH for a known benchmark (see 'oasis benchmarks') and its "
        "annotation folder, or the PATH of your own JSON, JSONL, CSV, TSV or Parquet file.",
        show_default=False,
    ),
]
MappingFile = Annotated[
    Path | None,
    typer.Option("--mapping", help="TOML file that says which column of your own file is what."),
]
MappingFlags = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="PART=COLUMN",
        help="Which column of your own file is what: question=, choices= (repeat it for one "
        "column each), answer=, id=, video=, task= and so on; also answer_form=letter, index0, "
        "index1 or text. Wins over --mapping. What you leave out is guessed and printed.",
    ),
]
ModelsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        "-m",
        help="A model: learned/logistic or openai/NAME@URL (see 'oasis models'); repeatable. "
        "By default the three learned ones.",
    ),
]
RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="The folder of a run.")]
Json = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Print what would be asked, and ask nothing.")
]
OutputOption = Annotated[
    str | None,
    typer.Option(
        "--output", help="How served models answer: text, json, choice (vLLM) or logprobs."
    ),
]
SettingsOption = Annotated[
    Path | None,
    typer.Option("--settings", help="TOML file with settings; flags win over it."),
]
FramesFolderOption = Annotated[
    Path | None,
    typer.Option(
        "--frames-folder",
        metavar="DIR",
        help="Where decoded frames are kept, to share them between runs. By default in the run's "
        "folder.",
    ),
]
MaxFramesOption = Annotated[
    int | None, typer.Option("--max-frames", help="The most frames one request shows.")
]
FramesAsOption = Annotated[
    str | None,
    typer.Option("--frames-as", help="How frames reach models that see: images or video."),
]
DrawsOption = Annotated[
    int | None, typer.Option("--draws", help="Answers per question from served models.")
]
LimitOption = Annotated[
    int | None,
    typer.Option("--limit", help="At most so many questions of each benchmark, by hash."),
]
SkipBadOption = Annotated[
    bool | None,
    typer.Option("--skip-bad", help="Leave out rows that cannot be read, with a record."),
]
ConcurrencyOption = Annotated[
    int | None, typer.Option("--concurrency", help="Requests under way at once, per model.")
]
MaxTokensOption = Annotated[
    int | None, typer.Option("--max-tokens", help="Longest reply of served models.")
]


def read_mapping_options(file: Path | None, flags: list[str] | None) -> "ColumnMapping":
    """Make a column mapping from a file and flags; flags win.

    Args:
        file: the TOML file, None for none.
        flags: texts ``PART=COLUMN``.

    Raises:
        SettingsError: the file or a flag is wrong.
    """
    from video_oasis.annotations.mapping import ColumnMapping, make_mapping, read_mapping

    mapping = read_mapping(file) if file else ColumnMapping()
    given: dict[str, Any] = {}
    for flag in flags or []:
        part, equals, column = flag.partition("=")
        if not equals:
            raise SettingsError(f"--map {flag}: expected PART=COLUMN, such as question=prompt")
        if part == "choices":
            given.setdefault(part, []).append(column)
        else:
            given[part] = column
    checked = make_mapping(given, where="--map")
    return mapping.override({part: getattr(checked, part) for part in given})


def given_flags(flags: dict[str, Any]) -> dict[str, Any]:
    """Leave out the flags that are not given, which are None."""
    return {name: value for name, value in flags.items() if value is not None}


def choose(kind: type[Choice], value: str | None, flag: str) -> Choice | None:
    """Return the member that a flag names, None if it is not given.

    Raises:
        SettingsError: there is no such member.
    """
    if value is None:
        return None
    try:
        return kind(value)
    except ValueError:
        raise SettingsError(f"{flag} {value}: expected one of {', '.join(kind)}") from None
