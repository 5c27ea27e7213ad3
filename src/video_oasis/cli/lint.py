"""``oasis lint``: the static audit of question files."""

from enum import StrEnum
from typing import Annotated

import typer

from video_oasis.cli.options import MappingFile, MappingFlags, Sources, read_mapping_options
from video_oasis.cli.output import print_guesses, print_json
from video_oasis.errors import SettingsError


class Format(StrEnum):
    """How to print what was found."""

    TEXT = "text"
    MARKDOWN = "markdown"
    JSON = "json"


def lint(
    sources: Sources = None,
    output_format: Annotated[Format, typer.Option("--format", help="How to print.")] = Format.TEXT,
    mapping_file: MappingFile = None,
    mapping_flags: MappingFlags = None,
) -> None:
    """Look for wrong annotations and for text that gives answers away; asks no model."""
    from video_oasis.audit import read_entry
    from video_oasis.config import parse_source
    from video_oasis.lint.run import lint as lint_rows
    from video_oasis.report import lint_report

    if not sources:
        raise SettingsError("nothing to lint; give NAME=PATH or the PATH of your own file")
    columns = read_mapping_options(mapping_file, mapping_flags)
    every = []
    for source in sources:
        contents, guessed = read_entry(parse_source(source, columns))
        print_guesses(contents.benchmark, guessed)
        every.append(contents)
    result = lint_rows(
        [sample for contents in every for sample in contents.samples],
        [question for contents in every for question in contents.open_questions],
        [row for contents in every for row in contents.bad_rows],
    )
    match output_format:
        case Format.TEXT:
            typer.echo(lint_report.to_text(result), nl=False)
        case Format.MARKDOWN:
            typer.echo(lint_report.to_markdown(result), nl=False)
        case Format.JSON:
            print_json(lint_report.to_plain_data(result))
